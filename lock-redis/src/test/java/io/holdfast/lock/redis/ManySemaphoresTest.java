/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redis;

import static io.holdfast.lock.redis.RedisHarness.LONG;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.DistributedSemaphore;
import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.Retry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Many semaphores that one client waits for at the same time. */
class ManySemaphoresTest {

  private static final int SEMAPHORES = 150;
  private static final int ROUNDS = 16;

  private final RedisHarness scene = new RedisHarness();

  @AfterEach
  void end() {
    scene.close();
  }

  /**
   * The releases overtake the subscriptions, or not. A waiter that misses one asks again after
   * seconds only, so a single one in each round makes the waits take longer than all of them may.
   */
  @Test
  void eachWaiterIsGrantedWhatIsFree() throws Exception {
    LockClient holder = scene.client();
    LockClient waiting = scene.client();
    long left = TimeUnit.SECONDS.toNanos(60);
    for (int round = 0; round < ROUNDS; round++) {
      List<Lease> held = new ArrayList<>();
      for (int i = 0; i < SEMAPHORES; i++) {
        held.add(semaphore(holder, i).permits(2).acquire());
      }
      List<CompletableFuture<Lease>> waiters = new ArrayList<>();
      for (int i = 0; i < SEMAPHORES; i++) {
        waiters.add(semaphore(waiting, i).permit().acquireAsync());
      }
      long released = System.nanoTime();
      held.forEach(Lease::releaseAsync);
      CompletableFuture<?> all = CompletableFuture.allOf(waiters.toArray(CompletableFuture[]::new));
      all.get(left, TimeUnit.NANOSECONDS);
      left -= System.nanoTime() - released;
      for (CompletableFuture<Lease> waiter : waiters) {
        Lease lease = waiter.join();
        assertTrue(lease.isValid());
        lease.release();
      }
    }
    assertEquals(List.of(), scene.lockKeys());
  }

  private static DistributedSemaphore semaphore(LockClient client, int number) {
    Retry seldom =
        Retry.defaults().withPauses(Duration.ofMinutes(1), Duration.ofMinutes(1)).withJitter(0);
    return client.semaphore("s" + number, 2, LONG.withRetry(seldom));
  }
}
