/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redlock;

import io.holdfast.lock.LossReason;
import io.holdfast.lock.spi.ClaimSignals;
import java.util.concurrent.atomic.AtomicInteger;

/** Counts how often a waiter is woken. It has no lock to lose. */
final class CountedWakeUps implements ClaimSignals {

  private final AtomicInteger count = new AtomicInteger();

  int get() {
    return count.get();
  }

  @Override
  public void wake() {
    count.incrementAndGet();
  }

  @Override
  public void lost(LossReason reason) {
    throw new AssertionError(reason);
  }
}
