/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.cli.common;

import io.holdfast.lock.text.VisibleText;
import java.io.PrintWriter;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Shows the results of a command: lines for people, or JSON for programs. */
public final class Output {

  @Spec(Spec.Target.MIXEE)
  private @Nullable CommandSpec spec;

  @Option(names = "--json", description = "Write JSON, for programs.")
  private boolean json;

  /** For the command line. */
  public Output() {}

  /**
   * Whether JSON was asked for.
   *
   * @return whether the output is for programs
   */
  public boolean isJson() {
    return json;
  }

  /**
   * Writes lines.
   *
   * @param lines as they are to be seen
   */
  public void lines(List<String> lines) {
    PrintWriter out = out();
    lines.forEach(out::println);
    out.flush();
  }

  /**
   * Writes a line.
   *
   * @param text as it is to be seen
   */
  public void line(String text) {
    lines(List.of(text));
  }

  /**
   * Writes a value on a line of its own.
   *
   * @param value as {@link Json#of} takes it
   */
  public void json(Object value) {
    line(Json.of(value));
  }

  /**
   * Tells people something that is no result, on standard error.
   *
   * @param text one line
   */
  public void say(String text) {
    say(Optional.ofNullable(spec).orElseThrow().commandLine(), text);
  }

  /**
   * The same for a command whose output is not its own.
   *
   * @param command whose standard error it is
   * @param text one line
   */
  public static void say(CommandLine command, String text) {
    PrintWriter err = command.getErr();
    err.println("holdfast: " + VisibleText.of(text));
    err.flush();
  }

  /**
   * Writes a line to standard error.
   *
   * @param text as it is to be seen
   */
  public void note(String text) {
    PrintWriter err = Optional.ofNullable(spec).orElseThrow().commandLine().getErr();
    err.println(text);
    err.flush();
  }

  private PrintWriter out() {
    return Optional.ofNullable(spec).orElseThrow().commandLine().getOut();
  }
}
