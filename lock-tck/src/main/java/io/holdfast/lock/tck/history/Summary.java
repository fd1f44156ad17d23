/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.history;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The events of a run, in numbers.
 *
 * @param acquisitions how often a lock was granted
 * @param refusals how often it was not
 * @param losses how many leases were lost
 * @param writes how many writes were accepted
 * @param refusedWrites how many a fence refused
 * @param kills of processes
 * @param pauses of processes
 * @param faults all others
 * @param medianWait of those that were granted
 * @param longestWait of those that were granted
 */
public record Summary(
    long acquisitions,
    long refusals,
    long losses,
    long writes,
    long refusedWrites,
    long kills,
    long pauses,
    long faults,
    Duration medianWait,
    Duration longestWait) {

  /**
   * Of this history.
   *
   * @param history what happened
   * @return its figures
   */
  public static Summary of(History history) {
    return of(new IndexedHistory(history));
  }

  static Summary of(IndexedHistory run) {
    long[] waits =
        run.attempts.stream()
            .flatMapToLong(
                attempt ->
                    attempt.grant().stream()
                        .mapToLong(granted -> granted.at() - attempt.asked.at()))
            .sorted()
            .toArray();
    return new Summary(
        waits.length,
        count(run, Event.NotGranted.class),
        count(run, Event.Lost.class),
        writes(run, Answer.ACCEPTED),
        writes(run, Answer.REFUSED),
        count(run, Event.Killed.class),
        count(run, Event.Suspended.class),
        count(run, Event.FaultBegun.class),
        Duration.ofNanos(waits.length == 0 ? 0 : waits[waits.length / 2]),
        Duration.ofNanos(waits.length == 0 ? 0 : waits[waits.length - 1]));
  }

  private static long count(IndexedHistory run, Class<? extends Event> kind) {
    return run.history.events().stream().filter(kind::isInstance).count();
  }

  private static long writes(IndexedHistory run, Answer answer) {
    return run.writes.values().stream()
        .flatMap(List::stream)
        .filter(write -> write.wrote != null && write.wrote.answer() == answer)
        .count();
  }

  /** Each with its name, for people. */
  Map<String, String> figures() {
    Map<String, String> figures = new LinkedHashMap<>();
    figures.put("times granted", String.valueOf(acquisitions));
    figures.put("times not", String.valueOf(refusals));
    figures.put("losses", String.valueOf(losses));
    figures.put("writes accepted", String.valueOf(writes));
    figures.put("writes refused", String.valueOf(refusedWrites));
    figures.put("kills", String.valueOf(kills));
    figures.put("pauses", String.valueOf(pauses));
    figures.put("other faults", String.valueOf(faults));
    figures.put("median wait", Times.millis(medianWait.toNanos()));
    figures.put("longest wait", Times.millis(longestWait.toNanos()));
    return figures;
  }
}
