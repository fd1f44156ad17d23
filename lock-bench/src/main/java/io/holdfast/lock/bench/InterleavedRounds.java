/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.bench;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Contestants of one backend that are open at once and have their turns in interleaved rounds. */
final class InterleavedRounds implements AutoCloseable {

  /**
   * A contestant that is open.
   *
   * @param entry what it was opened by
   * @param contestant to be measured
   */
  record Open(Entry entry, Contestant contestant) {}

  /** A contestant's turn. */
  @FunctionalInterface
  interface Turn {

    /**
     * Measures.
     *
     * @param open whose turn it is
     * @param time for how long
     * @param round -1 to warm up, when nothing is to be noted
     */
    void take(Open open, Duration time, int round) throws Exception;
  }

  private final Plan plan;
  private final List<Open> opened = new ArrayList<>();

  InterleavedRounds(Plan plan, List<Entry> entries, Address address) throws Exception {
    this.plan = plan;
    try {
      for (Entry entry : entries) {
        opened.add(new Open(entry, entry.open(address)));
      }
    } catch (Exception | Error e) {
      close();
      throw e;
    }
  }

  void take(Turn turn) throws Exception {
    for (Open open : opened) {
      named(turn, open, plan.warmUp(), -1);
    }
    for (int round = 0; round < plan.rounds(); round++) {
      for (Open open : plan.order(round, opened)) {
        named(turn, open, plan.slice(), round);
      }
    }
  }

  private static void named(Turn turn, Open open, Duration time, int round) throws Exception {
    try {
      turn.take(open, time, round);
    } catch (Exception e) {
      throw new IllegalStateException(open.entry().name() + " failed", e);
    }
  }

  @Override
  public void close() {
    for (Open open : opened) {
      open.contestant().close();
    }
  }
}
