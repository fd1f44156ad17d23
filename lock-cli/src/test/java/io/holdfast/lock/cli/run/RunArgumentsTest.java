/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.cli.run;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.holdfast.lock.cli.Cli;
import org.junit.jupiter.api.Test;

/** Tests which words are options of {@code holdfast run}, and which are the command's. */
class RunArgumentsTest {

  /** Also without the two hyphens in between: the first word that is no option is the command. */
  @Test
  void argumentsBehindTheCommandAreItsOwn() {
    Cli run =
        Cli.run(
            "run",
            "--name",
            "nightly",
            "--backend",
            "memory:",
            "sh",
            "-c",
            "exit $#",
            "sh",
            "--name",
            "--help",
            "--wait");
    assertEquals(3, run.code(), run.toString());
  }
}
