/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class HostTimeTest {

  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

  private final AtomicLong monotonic = new AtomicLong(100 * SECOND);
  private final AtomicLong wall = new AtomicLong(1_000_000 * SECOND);
  private final AtomicLong uptime = new AtomicLong(500 * SECOND);
  private final AtomicLong looks = new AtomicLong();
  private final HostTime time =
      new HostTime(
          monotonic::get,
          wall::get,
          () -> {
            looks.incrementAndGet();
            return uptime.get();
          });

  @Test
  void stepsOfTheWallClockChangeNothing() {
    long before = time.nanos();
    wall.addAndGet(3600 * SECOND);
    assertEquals(before, time.nanos());
    wall.addAndGet(-7200 * SECOND);
    assertEquals(before, time.nanos());
  }

  @Test
  void aSuspendedHostMovesTheClockOnTheFirstLook() {
    long before = time.nanos();
    wall.addAndGet(60 * SECOND);
    uptime.addAndGet(60 * SECOND);
    assertEquals(60 * SECOND, time.nanos() - before);
    monotonic.addAndGet(SECOND);
    wall.addAndGet(SECOND);
    uptime.addAndGet(SECOND);
    assertEquals(61 * SECOND, time.nanos() - before);
  }

  @Test
  void aSuspensionIsSeenOnceTheFileCanBeReadAgain() {
    long before = time.nanos();
    wall.addAndGet(60 * SECOND);
    long up = uptime.getAndSet(HostTime.UNKNOWN) + 60 * SECOND;
    time.nanos();
    uptime.set(up);
    pass(SECOND);
    assertEquals(61 * SECOND, time.nanos() - before);
  }

  @Test
  void aFileThatCannotBeReadIsNotTriedAtEachLook() {
    wall.addAndGet(60 * SECOND);
    uptime.set(HostTime.UNKNOWN);
    long before = looks.get();
    for (int i = 0; i < 1000; i++) {
      monotonic.addAndGet(SECOND / 100_000);
      time.nanos();
    }
    long tries = looks.get() - before;
    assertTrue(tries >= 2 && tries <= 10, () -> tries + " tries within 10 ms");
  }

  @Test
  void aThreadThatStandsStillWhileItLooksHidesNothingOfASuspension() {
    AtomicLong stall = new AtomicLong();
    HostTime stalling =
        new HostTime(
            monotonic::get,
            wall::get,
            () -> {
              long read = uptime.get();
              pass(stall.getAndSet(0));
              return read;
            });
    long before = stalling.nanos();
    wall.addAndGet(60 * SECOND);
    uptime.addAndGet(60 * SECOND);
    stall.set(2 * SECOND);
    stalling.nanos();
    assertTrue(stalling.nanos() - before >= 62 * SECOND, () -> "" + (stalling.nanos() - before));
  }

  @Test
  void aThreadThatStandsStillWhileItBeginsHidesNothingOfASuspension() {
    AtomicLong stall = new AtomicLong(2 * SECOND);
    HostTime stalling =
        new HostTime(
            monotonic::get,
            wall::get,
            () -> {
              pass(stall.getAndSet(0));
              return uptime.get();
            });
    long before = stalling.nanos();
    wall.addAndGet(60 * SECOND);
    uptime.addAndGet(60 * SECOND);
    assertTrue(stalling.nanos() - before >= 60 * SECOND, () -> "" + (stalling.nanos() - before));
  }

  /** The file is accurate to a hundredth of a second, and read a moment after the clock. */
  @Test
  void onlyWhatIsMoreThanAnErrorOfTheFileIsASuspension() {
    long before = time.nanos();
    wall.addAndGet(SECOND / 25);
    uptime.addAndGet(SECOND / 25);
    assertEquals(before, time.nanos());
    wall.addAndGet(SECOND / 25);
    uptime.addAndGet(SECOND / 25);
    assertEquals(SECOND * 2 / 25, time.nanos() - before);
  }

  @Test
  void timeDoesNotGoBackWithTheFile() {
    long before = time.nanos();
    wall.addAndGet(60 * SECOND);
    uptime.addAndGet(60 * SECOND);
    assertEquals(60 * SECOND, time.nanos() - before);
    wall.addAndGet(SECOND);
    uptime.addAndGet(-SECOND / 50);
    assertEquals(60 * SECOND, time.nanos() - before);
  }

  /** As on systems other than Linux, where no suspension can be told from a step of the clock. */
  @Test
  void withoutTheFileTheMonotonicClockCountsAlone() {
    AtomicLong tries = new AtomicLong();
    HostTime alone =
        new HostTime(
            monotonic::get,
            wall::get,
            () -> {
              tries.incrementAndGet();
              return HostTime.UNKNOWN;
            });
    long before = alone.nanos();
    wall.addAndGet(60 * SECOND);
    assertEquals(before, alone.nanos());
    assertEquals(1, tries.get(), "tried once, at the beginning");
    alone.close();
  }

  @Test
  void oneStepOfTheWallClockReadsTheFileOnce() {
    long before = looks.get();
    wall.addAndGet(3600 * SECOND);
    for (int i = 0; i < 1000; i++) {
      pass(SECOND);
      time.nanos();
    }
    assertEquals(1, looks.get() - before);
  }

  @Test
  void noDelayIsTooLongOrTooShort() throws InterruptedException {
    TimeSource host = TimeSource.host();
    try {
      host.schedule(Duration.ofSeconds(Long.MAX_VALUE), () -> {}).cancel();
      CountDownLatch ran = new CountDownLatch(1);
      host.schedule(Duration.ofSeconds(Long.MIN_VALUE), ran::countDown);
      assertTrue(ran.await(30, TimeUnit.SECONDS));
    } finally {
      host.close();
    }
  }

  private void pass(long nanos) {
    monotonic.addAndGet(nanos);
    wall.addAndGet(nanos);
    uptime.addAndGet(nanos);
  }

  @Test
  void ordinaryTimeDoesNotReadTheFile() {
    long before = looks.get();
    for (int i = 0; i < 1000; i++) {
      monotonic.addAndGet(SECOND);
      wall.addAndGet(SECOND);
      uptime.addAndGet(SECOND);
      time.nanos();
    }
    assertEquals(before, looks.get());
  }

  @Test
  void theHostsClockAgreesWithTheMonotonicOneAndItsTimerRuns() throws InterruptedException {
    TimeSource host = TimeSource.host();
    try {
      long before = System.nanoTime();
      long seen = host.nanos();
      assertTrue(seen - before >= 0 && System.nanoTime() - seen >= 0, "not suspended, so equal");
      CountDownLatch ran = new CountDownLatch(1);
      host.schedule(Duration.ofMillis(1), ran::countDown);
      assertTrue(ran.await(30, TimeUnit.SECONDS));
    } finally {
      host.close();
    }
  }

  /** It would keep a process from its end, or what a closed client has scheduled in memory. */
  @Test
  void closingEndsTheTimerThoughATaskIsScheduled() throws InterruptedException {
    TimeSource host = TimeSource.host();
    CompletableFuture<Thread> timer = new CompletableFuture<>();
    host.schedule(Duration.ofHours(1), () -> {});
    host.schedule(Duration.ZERO, () -> timer.complete(Thread.currentThread()));
    Thread thread = timer.orTimeout(30, TimeUnit.SECONDS).join();
    assertTrue(thread.isDaemon());
    host.close();
    thread.join(TimeUnit.SECONDS.toMillis(30));
    assertFalse(thread.isAlive());
  }

  /** Later there may be no room for one. */
  @Test
  void theTimerHasItsThreadFromTheBeginning() {
    assertEquals(1, time.timer.getPoolSize());
  }

  /** A client that is used all the time would have one for each wait, until its limit. */
  @Test
  void aTaskThatIsCancelledIsNotKept() {
    TimeSource.Timer limit = time.schedule(Duration.ofHours(1), () -> {});
    assertEquals(1, time.timer.getQueue().size());
    limit.cancel();
    assertEquals(0, time.timer.getQueue().size());
  }

  @Test
  void aTaskForASourceThatIsClosedIsDropped() {
    TimeSource host = TimeSource.host();
    host.close();
    host.schedule(Duration.ZERO, () -> {}).cancel();
  }
}
