/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.cli;

import io.holdfast.lock.cli.common.FailureMessages;
import io.holdfast.lock.cli.common.Logging;
import io.holdfast.lock.cli.common.Terminal;
import io.holdfast.lock.cli.conformance.ConformanceCommand;
import io.holdfast.lock.cli.demo.DemoCommand;
import io.holdfast.lock.cli.inspect.DoctorCommand;
import io.holdfast.lock.cli.inspect.ListCommand;
import io.holdfast.lock.cli.inspect.ProvidersCommand;
import io.holdfast.lock.cli.inspect.ReleaseCommand;
import io.holdfast.lock.cli.inspect.ResizeCommand;
import io.holdfast.lock.cli.inspect.StatusCommand;
import io.holdfast.lock.cli.inspect.WatchCommand;
import io.holdfast.lock.cli.inspect.WhoCommand;
import io.holdfast.lock.cli.run.RunCommand;
import io.holdfast.lock.tck.Conformance;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
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

  private static final String CONFORMANCE = "conformance";
  private static final String COMPLETION = "generate-completion";

  private Main() {}

  /**
   * Runs a command and ends this JVM with its exit code.
   *
   * @param args the command line
   */
  public static void main(String[] args) {
    if (args.length > 0 && args[0].equals(CONFORMANCE)) {
      // Failures there are caused on purpose.
      Logging.silenceAllBut(Conformance.class);
    }
    System.exit(commandLine(Terminal.system(), args).execute(args));
  }

  /**
   * The commands that a command line may need: the one that it begins with, or all. To describe one
   * takes some milliseconds.
   *
   * @param terminal of the user who gives them
   * @param args the command line
   * @return ready to be executed
   */
  static CommandLine commandLine(Terminal terminal, String... args) {
    Map<String, Supplier<Object>> all = commands(terminal);
    CommandLine line = new CommandLine(new Main());
    String first = args.length > 0 ? args[0] : "";
    boolean one =
        (all.containsKey(first) && !first.equals(COMPLETION)) || first.equals("--version");
    all.forEach(
        (name, command) -> {
          if (!one || name.equals(first)) {
            line.addSubcommand(name, command.get());
          }
        });
    FailureMessages.handle(line);
    // Words after the first one that is not an option belong to the command that is run.
    CommandLine run = line.getSubcommands().get("run");
    if (run != null) {
      run.setStopAtPositional(true);
    }
    return line;
  }

  private static Map<String, Supplier<Object>> commands(Terminal terminal) {
    Map<String, Supplier<Object>> all = new LinkedHashMap<>();
    all.put("run", RunCommand::new);
    all.put("status", StatusCommand::new);
    all.put("list", ListCommand::new);
    all.put("who", WhoCommand::new);
    all.put("release", () -> new ReleaseCommand(terminal));
    all.put("resize", ResizeCommand::new);
    all.put("watch", () -> new WatchCommand(terminal));
    all.put("doctor", () -> new DoctorCommand(terminal));
    all.put(CONFORMANCE, ConformanceCommand::new);
    all.put("providers", ProvidersCommand::new);
    all.put("demo", DemoCommand::new);
    all.put(COMPLETION, GenerateCompletion::new);
    return all;
  }
}
