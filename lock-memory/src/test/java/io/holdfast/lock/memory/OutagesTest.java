/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.memory;

import static io.holdfast.lock.memory.MemoryHarness.TEN_SECONDS;
import static io.holdfast.lock.memory.MemoryHarness.granted;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.Lease;
import io.holdfast.lock.LockCapacityException;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.Locks;
import io.holdfast.lock.LossReason;
import io.holdfast.lock.Renewal;
import io.holdfast.lock.spi.RenewalAnswer;
import io.holdfast.lock.spi.RenewalRequest;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Outages, as a caller that waits and the status of a client tell them. */
class OutagesTest {

  private static final Duration HOUR = Duration.ofHours(1);

  private final MemoryHarness scene = new MemoryHarness();
  private final LockClient client = scene.client();

  @AfterEach
  void close() {
    scene.close();
  }

  @Test
  void oneThatBeginsWhileABusyLockIsWaitedForIsTold() {
    granted(scene.lock("a").acquireAsync());
    CompletableFuture<Optional<Lease>> tried =
        client.lock("a", TEN_SECONDS).tryAcquireAsync(Duration.ofSeconds(30));
    CompletableFuture<Lease> asked = scene.lock("a").acquireAsync(Duration.ofSeconds(30));
    scene.time.advance(Duration.ofSeconds(5));
    scene.server.goAway();
    scene.time.advance(Duration.ofSeconds(25).minusMillis(1));
    assertFalse(tried.isDone() || asked.isDone());
    scene.time.advance(Duration.ofMillis(1));
    failed(LockUnavailableException.class, tried);
    failed(LockUnavailableException.class, asked);
  }

  @Test
  void aRefusalIsAnAnswerAndEndsOne() {
    granted(scene.client().semaphore("a", 3, TEN_SECONDS).permit().acquireAsync());
    scene.server.goAway();
    failed(LockUnavailableException.class, asked());
    assertEquals(1, client.status().outages());
    scene.server.comeBack();
    failed(LockCapacityException.class, asked());
    assertTwo(Duration.ZERO);
  }

  @Test
  void soIsTheLossOfALockThatWasTakenAway() {
    Lease lease = granted(client.lock("a", TEN_SECONDS).acquireAsync());
    scene.server.goAway();
    // Renewals fail after 3.33 s and 4.33 s.
    scene.time.advance(Duration.ofSeconds(5));
    scene.server.revoke("a");
    scene.server.comeBack();
    assertEquals(1, client.status().outages());
    scene.time.advance(Duration.ofSeconds(2));
    assertEquals(LossReason.REVOKED, lease.loss().join().reason());
    assertTwo(Duration.ofSeconds(1));
  }

  /** A client may find that out without its server. */
  @Test
  void theEndOfASessionIsNot() {
    AtomicBoolean sessionEnded = new AtomicBoolean();
    ForwardingBackend backend =
        new ForwardingBackend(scene.server) {
          @Override
          public CompletionStage<List<RenewalAnswer>> renew(
              List<RenewalRequest<RenewableClaim>> requests) {
            return sessionEnded.get()
                ? CompletableFuture.completedFuture(
                    List.of(new RenewalAnswer.Lost(LossReason.SESSION_ENDED)))
                : super.renew(requests);
          }
        };
    try (LockClient own =
        Locks.using(
            backend,
            ClientOptions.defaults().withCallbackExecutor(Runnable::run).withTime(scene.time))) {
      Lease lease = granted(own.lock("a", TEN_SECONDS).acquireAsync());
      scene.server.goAway();
      // Renewals are sent after 3.33 s and 4.33 s.
      scene.time.advance(Duration.ofSeconds(4));
      assertEquals(1, own.status().outages());
      sessionEnded.set(true);
      scene.time.advance(Duration.ofSeconds(1));
      assertEquals(LossReason.SESSION_ENDED, lease.loss().join().reason());
      failed(LockUnavailableException.class, own.lock("b", TEN_SECONDS).tryAcquireAsync());
      assertEquals(1, own.status().outages(), "of one outage");
      scene.server.comeBack();
      scene.time.advance(Duration.ofSeconds(2));
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void anAnswerToAnAttemptEndsAnOutage(boolean busy) {
    Optional<Lease> other =
        busy ? Optional.of(granted(scene.lock("a").acquireAsync())) : Optional.empty();
    scene.server.goAway();
    failed(LockUnavailableException.class, asked());
    scene.server.comeBack();
    Optional<Lease> lease = asked().join();
    assertEquals(busy, lease.isEmpty());
    lease.ifPresent(Lease::release);
    assertTwo(Duration.ZERO);
    other.ifPresent(held -> assertFalse(held.loss().isDone()));
  }

  @Test
  void anOutageThatIsOverIsNotTheReasonOfALaterLoss() {
    Lease lease = granted(client.lock("a", TEN_SECONDS).acquireAsync());
    scene.server.goAway();
    scene.time.advance(Duration.ofSeconds(5));
    scene.server.comeBack();
    scene.time.advance(Duration.ofSeconds(2));
    scene.time.pause(TEN_SECONDS.ttl());
    assertFalse(lease.isValid());
    assertEquals(LossReason.EXPIRED, lease.loss().join().reason());
  }

  @Test
  void aFixedTimeIsOverThoughAnExtensionHasFailedBefore() {
    LockOptions fixed = TEN_SECONDS.withRenewal(Renewal.none());
    Lease lease = granted(client.lock("a", fixed).acquireAsync());
    scene.server.goAway();
    assertThrows(LockUnavailableException.class, () -> lease.extend(HOUR));
    scene.server.comeBack();
    scene.time.advance(TEN_SECONDS.ttl());
    assertEquals(LossReason.EXPIRED, lease.loss().join().reason());
  }

  /** The second has one request without an answer, and so no length. */
  private void assertTwo(Duration first) {
    scene.time.advance(HOUR);
    scene.server.goAway();
    failed(LockUnavailableException.class, asked());
    assertEquals(2, client.status().outages());
    assertEquals(first, client.status().outageTime());
  }

  private CompletableFuture<Optional<Lease>> asked() {
    return client.lock("a", TEN_SECONDS).tryAcquireAsync();
  }

  private static void failed(Class<? extends Throwable> why, CompletableFuture<?> asked) {
    assertInstanceOf(why, assertThrows(CompletionException.class, asked::join).getCause());
  }
}
