/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.postgres.session;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.holdfast.lock.LossReason;
import io.holdfast.lock.spi.ClaimSignals;
import org.junit.jupiter.api.Test;

class WaitersTest {

  private final Waiters waiters = new Waiters();
  private final Waiter first = new Waiter();
  private final Waiter second = new Waiter();

  @Test
  void thoseAreWokenWhoWaitForTheKey() {
    waiters.add("a", first);
    waiters.add("b", second);
    waiters.wake("a");
    assertWoken(1, 0);
    waiters.wake("nobody waits for it");
    assertWoken(1, 0);
    waiters.wakeAll();
    assertWoken(2, 1);
  }

  @Test
  void thoseAreToldThatOthersGoFirstWhoWaitForTheKey() {
    waiters.add("a", first);
    waiters.add("b", second);
    waiters.othersFirst("a");
    waiters.othersFirst("nobody waits for it");
    assertWoken(0, 0);
    assertEquals(1, first.othersFirst);
    assertEquals(0, second.othersFirst);
  }

  @Test
  void whoStopsWaitingLeavesTheOthersOfTheKey() {
    waiters.add("a", first);
    waiters.add("a", second);
    waiters.remove("a", first);
    waiters.wake("a");
    assertWoken(0, 1);
  }

  /** Otherwise a client would need more memory with each name that it ever asks for. */
  @Test
  void nothingIsKeptOfAKeyThatNobodyWaitsFor() {
    waiters.add("a", first);
    waiters.add("a", first);
    waiters.add("a", second);
    waiters.add("b", second);
    assertEquals(2, waiters.keys());
    waiters.remove("a", first);
    assertEquals(2, waiters.keys());
    waiters.remove("a", second);
    assertEquals(1, waiters.keys());
    waiters.remove("b", second);
    waiters.remove("b", second);
    waiters.remove("c", second);
    assertEquals(0, waiters.keys());
  }

  private void assertWoken(int ofFirst, int ofSecond) {
    assertEquals(ofFirst, first.woken);
    assertEquals(ofSecond, second.woken);
  }

  private static final class Waiter implements ClaimSignals {

    private int woken;
    private int othersFirst;

    @Override
    public void wake() {
      woken++;
    }

    @Override
    public void othersFirst() {
      othersFirst++;
    }

    @Override
    public void lost(LossReason reason) {}
  }
}
