/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.DistributedReadWriteLock;
import io.holdfast.lock.DistributedSemaphore;
import io.holdfast.lock.Lease;
import io.holdfast.lock.LockCapacityException;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockEvent;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.Locks;
import io.holdfast.lock.Retry;
import io.holdfast.lock.memory.ManualTime;
import io.holdfast.lock.memory.MemoryServer;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.ClaimSignals;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** Those who ask in one client behind others, on a clock driven by hand. */
class LocalWaitersTest {

  private static final ClientOptions OPTIONS =
      ClientOptions.defaults().withCallbackExecutor(Runnable::run);

  private final ManualTime time = new ManualTime();
  private final MemoryServer server = new MemoryServer(time);

  @Test
  void tryAcquireIsAnsweredThoughTheWaiterAheadIsWokenAgainAndAgain() {
    try (LockClient other = server.open(OPTIONS);
        LockClient client = Locks.using(new Waking(server), OPTIONS.withTime(time))) {
      Lease all = other.semaphore("a", 3).permits(3).acquireAsync().join();
      server.delayAnswers(Duration.ofMillis(10));
      DistributedSemaphore semaphore = client.semaphore("a", 3);
      CompletableFuture<Lease> waiting = semaphore.permit().acquireAsync();
      CompletableFuture<Optional<Lease>> trying = semaphore.permit().tryAcquireAsync();
      time.advance(Duration.ofSeconds(1));
      boolean answered = trying.isDone();
      server.delayAnswers(Duration.ZERO);
      waiting.cancel(true);
      time.advance(Duration.ofSeconds(1));
      assertTrue(answered, "it waited for as long as the other one");
      assertEquals(Optional.empty(), trying.join());
      all.release();
    }
  }

  @Test
  void anotherCapacityIsRefusedThoughTheWaiterAheadIsWokenAgainAndAgain() {
    try (LockClient other = server.open(OPTIONS);
        LockClient client = Locks.using(new Waking(server), OPTIONS.withTime(time))) {
      Lease all = other.semaphore("a", 3).permits(3).acquireAsync().join();
      server.delayAnswers(Duration.ofMillis(10));
      CompletableFuture<Lease> waiting = client.semaphore("a", 3).permit().acquireAsync();
      CompletableFuture<Lease> another = client.semaphore("a", 8).permit().acquireAsync();
      CompletableFuture<Optional<Lease>> trying =
          client.semaphore("a", 8).permit().tryAcquireAsync();
      time.advance(Duration.ofSeconds(1));
      List<Boolean> refused =
          List.of(another.isCompletedExceptionally(), trying.isCompletedExceptionally());
      server.delayAnswers(Duration.ZERO);
      waiting.cancel(true);
      time.advance(Duration.ofSeconds(1));
      assertEquals(List.of(true, true), refused);
      all.release();
    }
  }

  @Test
  void tryAcquireIsAnsweredThoughTheOneAheadHasNoRoomAnyMore() {
    try (LockClient client = server.open(OPTIONS)) {
      DistributedSemaphore three = client.semaphore("a", 3);
      assertTrue(three.permit().acquireAsync().join().isValid());
      server.delayAnswers(Duration.ofMillis(10));
      CompletableFuture<Lease> two = three.permits(2).acquireAsync();
      CompletableFuture<Lease> ahead = three.permit().acquireAsync();
      CompletableFuture<Optional<Lease>> trying =
          client.semaphore("a", 8).permit().tryAcquireAsync();
      time.advance(Duration.ofSeconds(1));
      server.delayAnswers(Duration.ZERO);
      assertTrue(two.isDone());
      assertFalse(ahead.isDone());
      assertTrue(trying.isCompletedExceptionally(), "it waits for the release of others");
    }
  }

  @Test
  void tryAcquireKeepsNoOtherClientOutBeforeItsReleaseArrives() {
    try (LockClient client = server.open(OPTIONS);
        LockClient other = server.open(OPTIONS)) {
      assertTrue(other.semaphore("a", 3).permits(2).acquireAsync().join().isValid());
      server.delayRequests(Duration.ofMillis(10));
      CompletableFuture<Optional<Lease>> all =
          client.semaphore("a", 3).permits(3).tryAcquireAsync();
      time.advance(Duration.ofMillis(10));
      server.delayRequests(Duration.ZERO);
      assertEquals(Optional.empty(), all.join());
      assertTrue(other.semaphore("a", 3).permit().tryAcquireAsync().join().isPresent());
    }
  }

  @Test
  void aSingleAttemptKeepsNoOtherClientOutBeforeItsReleaseArrives() {
    Retry once = Retry.defaults().withMaxAttempts(1);
    try (LockClient client = server.open(OPTIONS);
        LockClient other = server.open(OPTIONS)) {
      assertTrue(other.semaphore("a", 3).permits(2).acquireAsync().join().isValid());
      server.delayRequests(Duration.ofMillis(10));
      CompletableFuture<Lease> all =
          client
              .semaphore("a", 3)
              .permits(3)
              .with(LockOptions.defaults().withRetry(once))
              .acquireAsync();
      time.advance(Duration.ofMillis(10));
      server.delayRequests(Duration.ZERO);
      assertThrows(CompletionException.class, all::join);
      assertTrue(other.semaphore("a", 3).permit().tryAcquireAsync().join().isPresent());
    }
  }

  @Test
  void aLockThatIsAskedForDuringADowngradeIsRefusedAndKeepsNobodyOut() {
    try (LockClient client = server.open(OPTIONS)) {
      DistributedReadWriteLock lock = client.readWriteLock("a");
      Lease written = lock.writeLock().acquireAsync().join();
      List<CompletableFuture<Lease>> asked = new ArrayList<>();
      client.addListener(
          event -> {
            if (event instanceof LockEvent.GaveUp && asked.isEmpty()) {
              // Its turn comes when the writer's lease has ended, and before the reader's begins.
              asked.add(client.lock("a").acquireAsync());
              asked.add(written.downgradeAsync());
            }
          });
      assertEquals(Optional.empty(), lock.readLock().tryAcquireAsync().join());
      assertTrue(asked.get(1).join().isValid());
      CompletableFuture<Optional<Lease>> reader = lock.readLock().tryAcquireAsync();
      assertTrue(asked.get(0).isDone(), "a lock waits for readers");
      CompletionException failed = assertThrows(CompletionException.class, asked.get(0)::join);
      assertInstanceOf(LockCapacityException.class, failed.getCause());
      assertFalse(written.isValid());
      assertTrue(reader.join().isPresent());
    }
  }

  @Test
  void aRequestWithRoomBesideAnHeirDoesNotWaitForItsRelease() {
    try (LockClient client = server.open(OPTIONS)) {
      DistributedSemaphore semaphore = client.semaphore("a", 3);
      Lease two = semaphore.permits(2).acquireAsync().join();
      CompletableFuture<Lease> heir = semaphore.permits(2).acquireAsync();
      CompletableFuture<Lease> behind = semaphore.permit().acquireAsync();
      assertFalse(behind.isDone());
      two.release();
      assertEquals(two.ownerId(), heir.join().ownerId());
      assertTrue(behind.isDone(), "one permit is free, and nobody is ahead");
    }
  }

  /** Each attempt meets a wake-up, as where others release and acquire all the time. */
  private static final class Waking extends ForwardingBackend {

    Waking(MemoryServer server) {
      super(server.backend());
    }

    @Override
    public Claim claim(ClaimRequest request, ClaimSignals signals) {
      return new Claim(inner.claim(request, signals), request) {
        @Override
        public CompletionStage<Attempt> attempt() {
          CompletionStage<Attempt> sent = super.attempt();
          signals.wake();
          return sent;
        }
      };
    }
  }
}
