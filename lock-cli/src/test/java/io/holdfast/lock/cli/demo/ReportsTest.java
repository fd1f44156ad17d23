/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.cli.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.holdfast.lock.cli.demo.DemoWorkers.Said;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ReportsTest {

  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final Reports reports = new Reports();

  @Test
  void theEarlierComesFirstThoughItIsToldLater() throws InterruptedException {
    long now = System.nanoTime();
    Said later = new Said("A", new Report.Wants(now));
    Said earlier = new Said("B", new Report.Wants(now - 10_000_000));
    reports.add(later);
    reports.add(earlier);
    assertEquals(Optional.of(earlier), reports.next(PATIENCE));
    assertEquals(Optional.of(later), reports.next(PATIENCE));
    assertEquals(Optional.empty(), reports.next(Duration.ofMillis(1)));
  }

  @Test
  void theRestIsInOrderAndNotWaitedFor() throws InterruptedException {
    long soon = System.nanoTime() + Duration.ofHours(1).toNanos();
    Said later = new Said("A", new Report.Wants(soon + 1));
    Said earlier = new Said("B", new Report.Wants(soon));
    reports.add(later);
    reports.add(earlier);
    assertEquals(Optional.empty(), reports.next(Duration.ofMillis(1)));
    assertEquals(List.of(earlier, later), reports.rest());
    assertEquals(List.of(), reports.rest());
  }
}
