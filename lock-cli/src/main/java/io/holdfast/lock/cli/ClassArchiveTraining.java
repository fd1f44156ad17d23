/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.cli;

import io.holdfast.lock.cli.common.Terminal;
import java.io.PrintWriter;
import java.io.Writer;
import java.util.List;
import picocli.CommandLine;

/**
 * Uses the classes that commands use, so that a JVM can put them into an archive: one command of
 * each kind, and each backend as far as it goes with a server that is not there.
 */
public final class ClassArchiveTraining {

  private static final String NOBODY = "localhost:1";

  private ClassArchiveTraining() {}

  /**
   * Runs the commands. Fails at nothing.
   *
   * @param args none
   */
  public static void main(String[] args) {
    for (List<String> command :
        List.of(
            List.of("--help"),
            List.of("run", "--help"),
            List.of("providers"),
            List.of("providers", "--json"),
            List.of("status", "--backend", "memory:"),
            List.of("list", "--backend", "memory:", "--json"),
            List.of("who", "x", "--backend", "memory:"),
            List.of("doctor", "--backend", "memory:"),
            List.of("who", "x", "--backend", "redis://" + NOBODY),
            List.of("who", "x", "--backend", "etcd://" + NOBODY),
            List.of(
                "who", "x", "--backend", "zookeeper://" + NOBODY, "--set", "connect-timeout=1s"),
            List.of(
                "who",
                "x",
                "--backend",
                "jdbc:postgresql://" + NOBODY + "/x",
                "--provider",
                "postgres-table"))) {
      String[] words = command.toArray(String[]::new);
      CommandLine line = Main.commandLine(Terminal.none(), words);
      line.setOut(new PrintWriter(Writer.nullWriter()));
      line.setErr(new PrintWriter(Writer.nullWriter()));
      line.execute(words);
    }
    System.exit(0);
  }
}
