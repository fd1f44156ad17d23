/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.holdfast.lock.TimeSource;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.LockClaim;
import io.holdfast.lock.spi.ReleaseAnswer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/**
 * Late requests arrive in their order, whatever timers do; or what a release undoes comes after it.
 */
class MessageOrderTest {

  private static final Duration TIMEOUT = Duration.ofHours(2);
  private static final Duration LATE = Duration.ofMillis(5);

  private final Timers timers = new Timers();
  private final MemoryServer server = new MemoryServer(TIMEOUT);
  private final MemoryBackend backend = new MemoryBackend(server, timers, TIMEOUT, () -> {});
  private final LockClaim claim =
      backend.claim(new ClaimRequest("a", "me", Duration.ofMinutes(10)), new Deaf());

  @Test
  void timersThatGoOffInAnotherOrder() {
    server.delayRequests(LATE);
    claim.attempt();
    CompletionStage<ReleaseAnswer> released = claim.release();
    timers.goOffLastFirst();
    assertEquals(ReleaseAnswer.FREED, released.toCompletableFuture().join());
    assertEquals(Map.of(), server.owners());
  }

  @Test
  void aTimerThatIsLateItself() {
    server.delayRequests(LATE);
    claim.attempt();
    timers.now += LATE.toNanos() * 2;
    server.delayRequests(Duration.ZERO);
    CompletionStage<ReleaseAnswer> released = claim.release();
    timers.goOffLastFirst();
    assertEquals(ReleaseAnswer.FREED, released.toCompletableFuture().join());
    assertEquals(Map.of(), server.owners());
    claim.attempt();
    assertEquals(Map.of("a", "me"), server.owners(), "at once again");
  }

  private static final class Timers implements TimeSource {

    private final Deque<Runnable> set = new ArrayDeque<>();
    private long now = System.nanoTime();

    @Override
    public long nanos() {
      return now;
    }

    @Override
    public Timer schedule(Duration delay, Runnable task) {
      // Time-outs are longer than any test.
      if (delay.compareTo(TIMEOUT) < 0) {
        set.push(task);
      }
      return () -> {};
    }

    void goOffLastFirst() {
      while (!set.isEmpty()) {
        set.pop().run();
      }
    }

    @Override
    public void close() {}
  }
}
