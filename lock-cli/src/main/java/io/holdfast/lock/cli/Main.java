/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.cli;

import io.holdfast.lock.cli.demo.DemoCommand;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The {@code holdfast} command. */
@Command(
    name = "holdfast",
    description = "Distributed locks for Java, to watch at work.",
    mixinStandardHelpOptions = true,
    version = "holdfast 0.1.0",
    subcommands = DemoCommand.class)
public final class Main {

  private Main() {}

  /**
   * Runs a command and ends this JVM with its exit code: 0 if all went well, 1 if not, 2 if the
   * command line is wrong.
   *
   * @param args the command line
   */
  public static void main(String[] args) {
    System.exit(new CommandLine(new Main()).execute(args));
  }
}
