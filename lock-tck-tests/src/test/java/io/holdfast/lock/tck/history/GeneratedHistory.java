/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.history;

import io.holdfast.lock.LossReason;
import io.holdfast.lock.ReleaseOutcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * Makes up what three processes might write, of three threads each, with two locks, a fault now and
 * then, and nothing wrong: one lock after the other is taken, written under, and released or lost.
 */
final class GeneratedHistory {

  private static final int PROCESSES = 3;
  private static final int THREADS = 3;
  private static final long START = 100_000_000_000L;
  private static final Duration TTL = Duration.ofSeconds(2);

  private final Random random;
  private final List<Event> events = new ArrayList<>();
  private final Map<String, Long> freeAt = new HashMap<>();
  private final long[] attempts = new long[PROCESSES + 1];
  private long token;

  private GeneratedHistory(long seed) {
    random = new Random(seed);
  }

  /** Some histories of this length. */
  static History run(long seed, int seconds) {
    GeneratedHistory run = new GeneratedHistory(seed);
    long end = START + Duration.ofSeconds(seconds).toNanos();
    for (int process = 1; process <= PROCESSES; process++) {
      run.events.add(new Event.Started(START, "p" + process, process));
    }
    run.fault(1, "cut", "p1's link", 0.15, 0.25, seconds);
    run.fault(2, "stopped", "server", 0.35, 0.42, seconds);
    run.fault(3, "delay", "p3's link", 0.4, 0.6, seconds);
    for (String lock : List.of("orders", "stock")) {
      run.lock(lock, end);
    }
    for (int process = 1; process <= PROCESSES; process++) {
      run.events.add(new Event.Finished(end + millis(3_000), "p" + process));
    }
    return new History(run.events);
  }

  static long millis(double millis) {
    return (long) (millis * 1e6);
  }

  private void fault(long number, String kind, String target, double from, double to, int seconds) {
    events.add(
        new Event.FaultBegun(START + millis(from * seconds * 1e3), "runner", number, kind, target));
    events.add(new Event.FaultEnded(START + millis(to * seconds * 1e3), "runner", number));
  }

  private void lock(String lock, long end) {
    long at = START + millis(5);
    long value = 0;
    while (at < end) {
      int process = 1 + random.nextInt(PROCESSES);
      String name = "p" + process;
      String thread = lock.charAt(0) + "" + random.nextInt(THREADS);
      long attempt = ++attempts[process];
      long before = freeAt.getOrDefault(name + thread, START);
      long asked = Math.max(before, at - millis(random.nextInt(60)));
      events.add(new Event.Asked(asked, name, attempt, thread, lock, Duration.ofSeconds(10)));
      long granted = Math.max(asked, at) + millis(0.5);
      events.add(new Event.Granted(granted, name, attempt, lock, name + attempt, ++token, TTL));
      long until = granted + millis(2 + random.nextInt(40));
      events.add(new Event.Writing(granted + millis(0.5), name, attempt, lock, token));
      events.add(
          new Event.Wrote(
              granted + millis(1), name, attempt, lock, token, Answer.ACCEPTED, value, ++value));
      events.add(new Event.Believed(until, name, attempt));
      at = random.nextInt(150) == 0 ? suspended(name, attempt, until) : until + millis(0.5);
      if (at == until + millis(0.5)) {
        events.add(new Event.Released(at, name, attempt, ReleaseOutcome.RELEASED));
      }
      freeAt.put(name + thread, at);
    }
    events.add(new Event.Counted(at + millis(1), "runner", lock, value));
  }

  /** For longer than its lease. */
  private long suspended(String process, long attempt, long at) {
    long until = at + millis(2_100);
    events.add(new Event.Suspended(at + millis(1), "runner", process));
    events.add(new Event.Continued(until, "runner", process));
    events.add(new Event.Doubted(until + millis(1), process, attempt));
    events.add(new Event.Lost(until + millis(2), process, attempt, LossReason.EXPIRED));
    events.add(
        new Event.Released(until + millis(3), process, attempt, ReleaseOutcome.ALREADY_LOST));
    return until + millis(4);
  }
}
