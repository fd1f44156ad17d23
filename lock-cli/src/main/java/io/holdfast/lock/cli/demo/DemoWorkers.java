/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.cli.demo;

import io.holdfast.lock.servers.ChildJvm;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The processes that want the lock, and what they say. For one thread. */
final class DemoWorkers implements AutoCloseable {

  static final List<String> NAMES = List.of("A", "B", "C");

  private static final Duration LOOK_ROUND = Duration.ofMillis(200);

  private final Map<String, ChildJvm> workers = new LinkedHashMap<>();
  private final Reports said = new Reports();

  /** The report of a worker. */
  record Said(String worker, Report report) {}

  /** Starts them; answers who is which process. */
  String start(String lock, Duration ttl, Map<String, String> settings) {
    List<String> arguments = new ArrayList<>(List.of(lock, Long.toString(ttl.toMillis())));
    settings.forEach((key, value) -> arguments.add(key + "=" + value));
    StringBuilder demoWorkers = new StringBuilder("  workers:");
    for (String name : NAMES) {
      List<String> own = new ArrayList<>(arguments);
      own.add("client-name=" + name);
      ChildJvm worker =
          ChildJvm.start(
              Worker.class,
              line -> Report.parse(line).ifPresent(report -> said.add(new Said(name, report))),
              own.toArray(String[]::new));
      workers.put(name, worker);
      demoWorkers.append("  ").append(name).append(" is process ").append(worker.pid());
    }
    return demoWorkers.toString();
  }

  ChildJvm worker(String name) {
    ChildJvm worker = workers.get(name);
    if (worker == null) {
      throw new IllegalStateException("No worker " + name);
    }
    return worker;
  }

  boolean hasEnded(String name) {
    return worker(name).exitCode().isPresent();
  }

  /** The next report, if it comes soon. */
  Optional<Said> listen() throws InterruptedException {
    return said.next(LOOK_ROUND);
  }

  /** The reports that have come already. */
  List<Said> rest() {
    return said.rest();
  }

  /** The workers' standard error, to end a message. */
  String lastWords() {
    StringBuilder words = new StringBuilder();
    workers.forEach(
        (name, worker) ->
            worker
                .errors()
                .forEach(line -> words.append("\n  ").append(name).append(": ").append(line)));
    return words.toString();
  }

  @Override
  public void close() {
    workers.values().forEach(ChildJvm::close);
  }
}
