/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.cli;

import io.holdfast.lock.cli.demo.DemoCommand;
import io.holdfast.lock.cli.run.RunCommand;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The {@code holdfast} command. */
@Command(
    name = "holdfast",
    description = "Distributed locks for Java, on the command line.",
    mixinStandardHelpOptions = true,
    version = "holdfast 0.1.0",
    subcommands = {DemoCommand.class, RunCommand.class})
public final class Main {

  private Main() {}

  /**
   * Runs a command and ends this JVM with its exit code: 2 if the command line is wrong; else what
   * the command's own help says.
   *
   * @param args the command line
   */
  public static void main(String[] args) {
    // What comes after the first word that is no option belongs to the command that is run.
    System.exit(new CommandLine(new Main()).setStopAtPositional(true).execute(args));
  }
}
