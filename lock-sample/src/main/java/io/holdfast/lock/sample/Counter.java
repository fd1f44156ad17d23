/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.sample;

import io.holdfast.lock.config.ScenarioLocks;
import io.holdfast.lock.config.Scenarios;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/**
 * Counts in a file, beside other processes that do the same: reads, takes its time, writes. Only a
 * lock makes the sum right. Arguments: a scenario, the file, and how often to count. Which backend
 * it is, this class does not know: the class path and {@code holdfast.properties} decide.
 */
public final class Counter {

  private static final Duration PAUSE = Duration.ofMillis(2);

  private Counter() {}

  /**
   * Counts.
   *
   * @param args scenario, file, times
   * @throws InterruptedException if interrupted while it waits for the lock
   * @throws IOException if the file cannot be read or written
   */
  public static void main(String[] args) throws InterruptedException, IOException {
    Path file = Path.of(args[1]);
    int times = Integer.parseInt(args[2]);
    try (Scenarios scenarios = Scenarios.open()) {
      ScenarioLocks locks = scenarios.forScenario(args[0]);
      for (int i = 0; i < times; i++) {
        locks.lock("counter").run(lease -> count(file, lease.fencingToken()));
      }
      System.out.printf("counted %d times with %s%n", times, locks.scenario().provider());
    }
  }

  /** The file has the count and the token of who counted last, and refuses who is late. */
  private static void count(Path file, long token) throws IOException {
    String[] last =
        Files.exists(file) ? Files.readString(file).split(" ") : new String[] {"0", "0"};
    if (token <= Long.parseLong(last[1])) {
      throw new IllegalStateException("Token " + token + " comes after " + last[1]);
    }
    LockSupport.parkNanos(PAUSE.toNanos());
    Files.writeString(file, (Long.parseLong(last[0]) + 1) + " " + token);
  }
}
