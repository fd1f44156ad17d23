/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.cli;

import io.holdfast.lock.cli.common.Failures;
import io.holdfast.lock.cli.common.Terminal;
import io.holdfast.lock.cli.demo.DemoCommand;
import io.holdfast.lock.cli.inspect.DoctorCommand;
import io.holdfast.lock.cli.inspect.ListCommand;
import io.holdfast.lock.cli.inspect.ProvidersCommand;
import io.holdfast.lock.cli.inspect.ReleaseCommand;
import io.holdfast.lock.cli.inspect.StatusCommand;
import io.holdfast.lock.cli.inspect.WatchCommand;
import io.holdfast.lock.cli.inspect.WhoCommand;
import io.holdfast.lock.cli.run.RunCommand;
import picocli.AutoComplete.GenerateCompletion;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The {@code holdfast} command. */
@Command(
    name = "holdfast",
    description = "Distributed locks for Java, on the command line.",
    mixinStandardHelpOptions = true,
    version = "holdfast 0.1.0",
    synopsisSubcommandLabel = "COMMAND",
    footer = {
      "",
      "All but demo and providers take the backend from --backend, --scenario or --config;"
          + " docs/command-line.md has examples and all exit codes.",
    })
public final class Main {

  private Main() {}

  /**
   * Runs a command and ends this JVM with its exit code.
   *
   * @param args the command line
   */
  public static void main(String[] args) {
    System.exit(commandLine(Terminal.system()).execute(args));
  }

  /**
   * All commands.
   *
   * @param terminal of whoever gives them
   * @return ready to be executed
   */
  static CommandLine commandLine(Terminal terminal) {
    CommandLine line =
        new CommandLine(new Main())
            .addSubcommand(new RunCommand())
            .addSubcommand(new StatusCommand())
            .addSubcommand(new ListCommand())
            .addSubcommand(new WhoCommand())
            .addSubcommand(new ReleaseCommand(terminal))
            .addSubcommand(new WatchCommand(terminal))
            .addSubcommand(new DoctorCommand(terminal))
            .addSubcommand(new ProvidersCommand())
            .addSubcommand(new DemoCommand())
            .addSubcommand(new GenerateCompletion());
    Failures.handle(line);
    // What comes after the first word that is no option belongs to the command that is run.
    line.getSubcommands().get("run").setStopAtPositional(true);
    return line;
  }
}
