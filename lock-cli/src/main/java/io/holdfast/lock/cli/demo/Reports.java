/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.cli.demo;

import io.holdfast.lock.cli.demo.DemoWorkers.Said;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.DelayQueue;
import java.util.concurrent.Delayed;
import java.util.concurrent.TimeUnit;

/**
 * The reports of workers, in the order of time: they come through as many pipes as there are
 * workers, so each report is kept back for as long as an earlier one may take.
 */
final class Reports {

  private static final long WINDOW = Duration.ofMillis(50).toNanos();

  private final DelayQueue<Kept> kept = new DelayQueue<>();

  private static final class Kept implements Delayed {

    private final Said said;

    Kept(Said said) {
      this.said = said;
    }

    private long at() {
      return said.report().at();
    }

    @Override
    public long getDelay(TimeUnit unit) {
      return unit.convert(at() + WINDOW - System.nanoTime(), TimeUnit.NANOSECONDS);
    }

    @Override
    public int compareTo(Delayed other) {
      return Long.signum(at() - ((Kept) other).at());
    }
  }

  void add(Said said) {
    kept.add(new Kept(said));
  }

  /** The earliest, if there is one within that time. */
  Optional<Said> next(Duration within) throws InterruptedException {
    return Optional.ofNullable(kept.poll(within.toNanos(), TimeUnit.NANOSECONDS))
        .map(one -> one.said);
  }

  /** All that have come, without waiting for earlier ones. */
  List<Said> rest() {
    List<Kept> rest = new ArrayList<>(kept);
    kept.removeAll(rest);
    rest.sort(Comparator.naturalOrder());
    return rest.stream().map(one -> one.said).toList();
  }
}
