/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.cli;

import io.holdfast.lock.cli.common.Terminal;
import java.io.BufferedReader;
import java.io.PrintWriter;
import java.io.StringReader;
import java.io.StringWriter;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine;

/**
 * The result of a command, which ran in this JVM.
 *
 * @param code its exit code
 * @param out what it wrote to standard output
 * @param err what it wrote to standard error
 */
public record Cli(int code, String out, String err) {

  /** Without a terminal. */
  public static Cli run(String... args) {
    return run(Terminal.none(), args);
  }

  /** With somebody who types this. */
  public static Cli answering(String typed, String... args) {
    return run(
        new Terminal(true, 10, false, true, new BufferedReader(new StringReader(typed))), args);
  }

  private static Cli run(Terminal terminal, String... args) {
    CommandLine line = Main.commandLine(terminal, args);
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    line.setOut(new PrintWriter(out, true));
    line.setErr(new PrintWriter(err, true));
    return new Cli(line.execute(args), out.toString(), err.toString());
  }

  /** The value of a field of the JSON that was written; "null" if there is none. */
  public String field(String name) {
    Matcher matcher = Pattern.compile("\"" + name + "\":(?:\"([^\"]*)\"|([^,}]*))").matcher(out);
    if (!matcher.find()) {
      throw new AssertionError("no field " + name + " in " + this);
    }
    return matcher.group(1) != null ? matcher.group(1) : matcher.group(2);
  }
}
