/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTimeout;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.ClientStatus.LockStatus;
import io.holdfast.lock.DistributedLock;
import io.holdfast.lock.HandOver;
import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
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
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** When a waiter asks if its backend has told another one to ask first, on a clock of its own. */
class OthersFirstTest {

  private static final ClientOptions OPTIONS =
      ClientOptions.defaults().withCallbackExecutor(Runnable::run);

  private final ManualTime time = new ManualTime();
  private final MemoryServer server = new MemoryServer(time);
  private final Counting counting = new Counting(server);
  private final LockClient other = server.open(OPTIONS);
  private final LockClient client = Locks.using(counting, OPTIONS.withTime(time));
  private CompletableFuture<Lease> waiting = new CompletableFuture<>();

  @BeforeEach
  void held() {
    assertTrue(other.lock("a").acquireAsync().join().isValid());
  }

  @AfterEach
  void close() {
    waiting.cancel(true);
    client.close();
    other.close();
  }

  private void waits(Duration first, Duration longest) {
    Retry retry = new Retry(first, longest, 0, OptionalInt.empty());
    waiting = client.lock("a", LockOptions.defaults().withRetry(retry)).acquireAsync();
    assertEquals(1, counting.attempts);
  }

  private void othersFirst() {
    counting.signals.get(0).othersFirst();
  }

  private void asksATurnLater() {
    othersFirst();
    asksAfterATurn();
  }

  private void asksAfterATurn() {
    time.advance(Duration.ofMillis(99));
    assertEquals(1, counting.attempts);
    time.advance(Duration.ofMillis(101));
    assertEquals(2, counting.attempts);
  }

  @Test
  void asksATurnLaterInPlaceOfASoonerPoll() {
    waits(Duration.ofMillis(50), Duration.ofSeconds(1));
    asksATurnLater();
  }

  /** The one that was told may be gone. */
  @Test
  void asksATurnLaterInPlaceOfALaterPoll() {
    waits(Duration.ofSeconds(10), Duration.ofSeconds(10));
    asksATurnLater();
  }

  /** A message may be quicker than the answer to an attempt that came before the release. */
  @Test
  void asksATurnLaterIfItIsToldBeforeItsAnswer() {
    counting.othersFirst = true;
    waits(Duration.ofSeconds(10), Duration.ofSeconds(10));
    asksAfterATurn();
  }

  @Test
  void asksAtOnceWhenItIsToldTo() {
    waits(Duration.ofMillis(50), Duration.ofSeconds(1));
    othersFirst();
    counting.signals.get(0).wake();
    assertEquals(2, counting.attempts);
  }

  @Test
  void pollsThoughOthersGoFirstAgainAndAgain() {
    waits(Duration.ofMillis(50), Duration.ofSeconds(1));
    for (int i = 0; i < 99; i++) {
      othersFirst();
      time.advance(Duration.ofMillis(10));
    }
    assertEquals(1, counting.attempts);
    othersFirst();
    time.advance(Duration.ofMillis(10));
    assertEquals(2, counting.attempts);
  }

  @Test
  void leavesALockThatItHasReleasedToTheOneThatWasTold() {
    Lease held = client.lock("b").acquireAsync().join();
    counting.signals.get(0).othersFirst();
    held.releaseAsync().join();
    waiting = client.lock("b").acquireAsync();
    time.advance(Duration.ofMillis(3).minusNanos(1));
    assertEquals(1, counting.attempts);
    time.advance(Duration.ofNanos(1));
    assertEquals(2, counting.attempts);
    assertTrue(waiting.join().isValid());
  }

  @Test
  void nobodyWaitsForALockThatIsLeftToTheOneThatWasTold() {
    Lease held = client.lock("b").acquireAsync().join();
    counting.signals.get(0).othersFirst();
    held.releaseAsync().join();
    assertEquals(List.of(), client.status().locks());
    waiting = client.lock("b").acquireAsync();
    assertEquals(
        List.of(new LockStatus("b", Optional.empty(), 1, 0, Optional.empty())),
        client.status().locks());
    time.advance(Duration.ofMillis(3));
    assertTrue(waiting.join().isValid());
  }

  /** It has no time to leave to others. Of several locks, all have to be asked for at once. */
  @Test
  void oneThatDoesNotWaitAsksAtOnceForALockThatItsClientHasReleased() {
    Lease held = client.lock("b").acquireAsync().join();
    counting.signals.get(0).othersFirst();
    held.releaseAsync().join();
    CompletableFuture<Optional<Lease>> asked = client.lock("b").tryAcquireAsync();
    assertEquals(2, counting.attempts);
    assertTrue(asked.join().isPresent());
  }

  /** As by the answer to a release that was sent again. */
  @Test
  void leavesOthersNoMomentIfItIsToldAfterItsRelease() {
    DistributedLock lock = client.lock("b", LockOptions.defaults().withHandOver(HandOver.none()));
    Lease first = lock.acquireAsync().join();
    CompletableFuture<Lease> second = lock.acquireAsync();
    first.releaseAsync().join();
    counting.signals.get(0).othersFirst();
    waiting = lock.acquireAsync();
    second.join().releaseAsync().join();
    assertEquals(3, counting.attempts);
    assertTrue(waiting.join().isValid());
  }

  /** Its clock stands still. */
  @Test
  void aCloseDoesNotWaitForTheTurnOfOthers() {
    Lease held = client.lock("b").acquireAsync().join();
    counting.signals.get(0).othersFirst();
    held.releaseAsync().join();
    assertTimeout(counting.operationTimeout(), client::close);
  }

  /** Counts the attempts, and keeps the signals of those that make them. */
  private static final class Counting extends ForwardingBackend {

    final List<ClaimSignals> signals = new ArrayList<>();
    int attempts;

    /** Whether an attempt is told so before its answer. */
    boolean othersFirst;

    Counting(MemoryServer server) {
      super(server.backend());
    }

    @Override
    public Claim claim(ClaimRequest request, ClaimSignals ofWaiter) {
      signals.add(ofWaiter);
      return new Claim(inner.claim(request, ofWaiter), request) {
        @Override
        public CompletionStage<Attempt> attempt() {
          attempts++;
          if (othersFirst) {
            ofWaiter.othersFirst();
          }
          return super.attempt();
        }
      };
    }
  }
}
