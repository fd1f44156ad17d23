/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.memory;

import static io.holdfast.lock.memory.MemoryHarness.granted;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.Locks;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A clock that several clients share. */
class BorrowedTimeTest {

  private static final ClientOptions OPTIONS =
      ClientOptions.defaults().withCallbackExecutor(Runnable::run);

  private final ManualTime time = MemoryHarness.at(Duration.ofHours(1));

  @Test
  void aClientThatIsClosedStopsNoTimerOfAnotherOnTheServersClock() {
    MemoryServer server = new MemoryServer(time);
    renewsWhenTheOtherIsClosed(server.open(OPTIONS), server.open(OPTIONS));
  }

  @Test
  void aClientThatIsClosedStopsNoTimerOfAnotherOnAClockOfTheirOptions() {
    renewsWhenTheOtherIsClosed(onTheClock(), onTheClock());
  }

  @Test
  void aClientThatIsClosedStopsNoTimerOfTheApplication() {
    List<String> ran = new ArrayList<>();
    time.schedule(Duration.ofSeconds(1), () -> ran.add("here"));
    onTheClock().close();
    time.advance(Duration.ofSeconds(1));
    assertEquals(List.of("here"), ran);
  }

  private LockClient onTheClock() {
    return Locks.using(new MemoryServer(time).backend(), OPTIONS.withTime(time));
  }

  private void renewsWhenTheOtherIsClosed(LockClient stays, LockClient other) {
    Lease lease = granted(stays.lock("a", MemoryHarness.TEN_SECONDS).acquireAsync());
    other.close();
    time.advance(Duration.ofMinutes(1));
    assertTrue(lease.isValid());
    stays.close();
    assertFalse(lease.isValid());
  }
}
