/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.rules;

import io.holdfast.lock.servers.ChildJvm;
import io.holdfast.lock.servers.StartupParameters;
import java.time.Duration;
import java.util.Map;
import java.util.function.Predicate;

/** Another JVM with a client of its own, which does as it is told by lines of text. */
public final class Worker implements AutoCloseable {

  private static final Duration PATIENCE = Duration.ofSeconds(40);

  private final ChildJvm jvm;

  private Worker(ChildJvm jvm) {
    this.jvm = jvm;
  }

  static Worker start(Map<String, String> settings) {
    return start(settings, Map.of());
  }

  static Worker start(Map<String, String> settings, Map<String, String> environment) {
    Worker worker = new Worker(ChildJvm.start(WorkerMain.class, environment, line -> {}));
    try {
      StartupParameters.send(worker.jvm, settings);
      worker.answer("ready");
      return worker;
    } catch (RuntimeException | Error e) {
      worker.close();
      throw e;
    }
  }

  /** Sends a command without waiting for its answer. */
  public void tell(String command) {
    jvm.send(command);
  }

  /** Waits for the answer to a command: the rest of the line that begins with the word. */
  public String answer(String word) {
    String line = line(text -> text.startsWith("@" + word) || text.startsWith(WorkerMain.LATE));
    if (line.startsWith(WorkerMain.LATE)) {
      throw new DeadlineMissed("expected an answer of another process, but: " + line);
    }
    return line.substring(word.length() + 1).trim();
  }

  private String line(Predicate<String> wanted) {
    try {
      return jvm.awaitLine(wanted, PATIENCE);
    } catch (IllegalStateException e) {
      if (jvm.exitCode().isEmpty()) {
        throw new DeadlineMissed(
            "expected an answer of another process, but: " + e.getMessage(), e);
      }
      throw e;
    }
  }

  /** Sends a command and waits for its answer. */
  public String ask(String command) {
    tell(command);
    return answer(command.split(" ", 2)[0]);
  }

  /** The process. */
  public ChildJvm jvm() {
    return jvm;
  }

  @Override
  public void close() {
    jvm.close();
  }
}
