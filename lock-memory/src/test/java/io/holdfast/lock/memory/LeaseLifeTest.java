/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.memory;

import static io.holdfast.lock.memory.MemoryHarness.granted;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.DistributedLock;
import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockClosedException;
import io.holdfast.lock.LockEvent;
import io.holdfast.lock.LockLostException;
import io.holdfast.lock.Loss;
import io.holdfast.lock.LossReason;
import io.holdfast.lock.ReleaseOutcome;
import io.holdfast.lock.Renewal;
import io.holdfast.lock.Share;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Validity, renewal, loss and release, on a clock driven by hand. */
class LeaseLifeTest {

  private final MemoryHarness scene = new MemoryHarness();

  @AfterEach
  void close() {
    scene.close();
  }

  @Test
  void renewalKeepsALeaseForHours() {
    Lease lease = granted(scene.lock("a").acquireAsync());
    long token = lease.fencingToken();
    scene.time.advance(Duration.ofHours(10));
    assertTrue(lease.isValid());
    assertEquals(token, lease.fencingToken());
    assertEquals(ReleaseOutcome.RELEASED, lease.release());
  }

  /** It may run where the loss was found, and where an extension would wait for its turn. */
  @Test
  void aLossCallbackThatExtendsIsRefusedAtOnce() {
    Lease lease = granted(scene.lock("a").acquireAsync());
    CompletableFuture<Boolean> refused = new CompletableFuture<>();
    lease.onLoss(
        loss ->
            refused.complete(lease.extendAsync(Duration.ofSeconds(20)).isCompletedExceptionally()));
    scene.server.revoke("a");
    scene.time.advance(Duration.ofSeconds(5));
    assertEquals(true, refused.getNow(null));
  }

  @Test
  void validityCountsFromBeforeTheRequestLessAMargin() {
    scene.server.delayAnswers(Duration.ofMillis(900));
    DistributedLock lock = scene.lock("a");
    CompletableFuture<Lease> acquired =
        lock.with(lock.options().withRenewal(Renewal.none())).acquireAsync();
    scene.time.advance(Duration.ofMillis(900));
    Lease lease = granted(acquired);
    // 10 s, less what the answer took, one percent, and 2 ms.
    assertEquals(Duration.ofMillis(10_000 - 900 - 100 - 2), lease.remaining());
    scene.time.advance(lease.remaining().minusNanos(1));
    assertTrue(lease.isValid());
    scene.time.pause(Duration.ofNanos(1));
    assertFalse(lease.isValid());
    assertTrue(scene.server.owners().containsKey("a"), "the server has not given it away yet");
  }

  @Test
  void renewalsCountValidityFromBeforeTheRequest() {
    granted(scene.lock("a").acquireAsync());
    scene.server.delayAnswers(Duration.ofMillis(900));
    // The first is due after a third of 10 s.
    scene.time.advance(Duration.ofMillis(3_400 + 900));
    assertEquals(
        List.of(Duration.ofMillis(10_000 - 900 - 100 - 2)),
        scene.events.stream()
            .filter(LockEvent.Renewed.class::isInstance)
            .map(event -> ((LockEvent.Renewed) event).remaining())
            .toList());
  }

  @Test
  void extensionsCountValidityFromBeforeTheRequest() {
    DistributedLock lock = scene.lock("a");
    Lease lease = granted(lock.with(lock.options().withRenewal(Renewal.none())).acquireAsync());
    scene.server.delayAnswers(Duration.ofMillis(900));
    CompletableFuture<Void> extended = lease.extendAsync(Duration.ofSeconds(20));
    scene.time.advance(Duration.ofMillis(900));
    assertTrue(extended.isDone());
    assertEquals(Duration.ofMillis(20_000 - 900 - 200 - 2), lease.remaining());
  }

  @Test
  void aGrantThatComesTooLateIsNotHandedOutAndIsUndone() {
    scene.server.delayAnswers(Duration.ofMillis(900));
    DistributedLock lock = scene.lock("a");
    CompletableFuture<Lease> acquired =
        lock.with(lock.options().withTtl(Duration.ofMillis(500))).acquireAsync();
    scene.time.advance(Duration.ofSeconds(3));
    assertFalse(acquired.isDone());
    scene.server.delayAnswers(Duration.ZERO);
    scene.time.advance(Duration.ofSeconds(3));
    Lease lease = granted(acquired);
    assertEquals(Map.of("a", lease.ownerId()), scene.server.owners());
  }

  @Test
  void theFirstLookAfterAPauseSaysNoBeforeAnyTimerRan() {
    Lease lease = granted(scene.lock("a").acquireAsync());
    List<Loss> told = new ArrayList<>();
    lease.onLoss(told::add);
    scene.time.pause(Duration.ofSeconds(11));
    assertFalse(lease.isValid());
    assertEquals(List.of(new Loss("a", lease.ownerId(), LossReason.EXPIRED)), told);
    scene.time.advance(Duration.ofSeconds(30));
    assertEquals(1, told.size());
    assertEquals(ReleaseOutcome.ALREADY_LOST, lease.release());
  }

  @Test
  void anUnreachableServerMeansLossAtTheEndOfValidityAndNotBefore() {
    Lease lease = granted(scene.lock("a").acquireAsync());
    scene.server.goAway();
    Duration left = lease.remaining();
    scene.time.advance(left.minusMillis(1));
    assertTrue(lease.isValid());
    assertTrue(scene.count(LockEvent.RenewalFailed.class) >= 3);
    assertFalse(lease.loss().isDone());
    scene.time.advance(Duration.ofMillis(1));
    assertEquals(LossReason.UNREACHABLE, lease.loss().join().reason());
  }

  @Test
  void anOutageShorterThanTheValidityIsNoLoss() {
    Lease lease = granted(scene.lock("a").acquireAsync());
    scene.server.goAway();
    scene.time.advance(Duration.ofSeconds(9));
    scene.server.comeBack();
    scene.time.advance(Duration.ofSeconds(60));
    assertTrue(lease.isValid());
  }

  @Test
  void aRenewalThatStaysWithoutAnAnswerIsFollowedByAnotherInTime() {
    DistributedLock lock = scene.lock("a");
    Duration ttl = Duration.ofMillis(1_200);
    Lease lease = granted(lock.with(lock.options().withTtl(ttl)).acquireAsync());
    // The server's time-out of a second would be over after the validity.
    scene.server.delayAnswers(Duration.ofMinutes(1));
    scene.time.advance(Duration.ofMillis(600));
    scene.server.delayAnswers(Duration.ZERO);
    scene.time.advance(Duration.ofSeconds(3));
    assertTrue(lease.isValid());
    assertEquals(ReleaseOutcome.RELEASED, lease.release());
  }

  @Test
  void aRenewalThatIsAnsweredLateStillCounts() {
    DistributedLock lock = scene.lock("a");
    Duration ttl = Duration.ofMillis(1_200);
    Lease lease = granted(lock.with(lock.options().withTtl(ttl)).acquireAsync());
    scene.server.delayAnswers(Duration.ofMillis(700));
    scene.time.advance(Duration.ofSeconds(10));
    assertTrue(lease.isValid());
  }

  @Test
  void aRevokedLeaseIsLostAtItsNextRenewalAndIsNotTakenAgain() {
    Lease lease = granted(scene.lock("a").acquireAsync());
    scene.server.revoke("a");
    scene.time.advance(Duration.ofSeconds(4));
    assertFalse(lease.isValid());
    assertEquals(LossReason.REVOKED, lease.loss().join().reason());
    List<Loss> late = new ArrayList<>();
    lease.onLoss(late::add);
    assertEquals(1, late.size());
    assertEquals(Map.of(), scene.server.owners());
  }

  @Test
  void releaseOfARevokedLeaseSaysSo() {
    Lease lease = granted(scene.lock("a").acquireAsync());
    scene.server.revoke("a");
    scene.time.advance(Duration.ofSeconds(2));
    assertEquals(ReleaseOutcome.ALREADY_LOST, lease.release());
    assertEquals(LossReason.REVOKED, lease.loss().join().reason());
    assertEquals(ReleaseOutcome.ALREADY_LOST, lease.release());
    assertEquals(
        List.of(
            new LockEvent.Lost(
                "a", lease.ownerId(), Share.LOCK, LossReason.REVOKED, Duration.ofSeconds(2))),
        scene.events.stream().filter(LockEvent.Lost.class::isInstance).toList());
    assertTrue(messageOf(lease).contains("was lost"), messageOf(lease));
  }

  private static String messageOf(Lease lease) {
    return String.valueOf(assertThrows(LockLostException.class, lease::ensureValid).getMessage());
  }

  @Test
  void releaseIsFinal() {
    Lease lease = granted(scene.lock("a").acquireAsync());
    scene.time.advance(Duration.ofMillis(1_500));
    assertEquals(ReleaseOutcome.RELEASED, lease.release());
    assertEquals(ReleaseOutcome.ALREADY_RELEASED, lease.release());
    assertEquals(
        List.of(
            new LockEvent.Released(
                "a",
                lease.ownerId(),
                Share.LOCK,
                ReleaseOutcome.RELEASED,
                Duration.ofMillis(1_500))),
        scene.events.stream().filter(LockEvent.Released.class::isInstance).toList());
    assertTrue(messageOf(lease).contains("was released"), messageOf(lease));
    scene.events.clear();
    scene.time.advance(Duration.ofMinutes(1));
    assertEquals(List.of(), scene.events);
    assertFalse(lease.loss().isDone());
    assertThrows(LockLostException.class, lease::ensureValid);
  }

  @Test
  void releaseWithoutAnAnswerIsUnknownAndGoesOnInTheBackground() {
    Lease lease = granted(scene.lock("a").acquireAsync());
    scene.server.goAway();
    assertEquals(ReleaseOutcome.UNKNOWN, lease.release());
    assertFalse(lease.isValid());
    scene.time.advance(Duration.ofSeconds(2));
    assertTrue(scene.server.owners().containsKey("a"));
    scene.server.comeBack();
    scene.time.advance(Duration.ofSeconds(1));
    assertEquals(Map.of(), scene.server.owners());
  }

  @Test
  void aLeaseOfFixedTimeEndsUnlessExtended() {
    DistributedLock lock = scene.lock("a");
    Lease lease = granted(lock.with(lock.options().withRenewal(Renewal.none())).acquireAsync());
    scene.time.advance(Duration.ofSeconds(9));
    lease.extend(Duration.ofSeconds(20));
    scene.time.advance(Duration.ofSeconds(15));
    assertTrue(lease.isValid());
    scene.time.advance(Duration.ofSeconds(5));
    assertFalse(lease.isValid());
    assertEquals(LossReason.EXPIRED, lease.loss().join().reason());
    assertThrows(LockLostException.class, () -> lease.extend(Duration.ofSeconds(20)));
  }

  @Test
  void extensionsNeverShorten() {
    Lease lease = granted(scene.lock("a").acquireAsync());
    Duration before = lease.remaining();
    lease.extend(Duration.ofSeconds(1));
    assertEquals(before, lease.remaining());
    lease.extend(Duration.ofMinutes(10));
    scene.server.goAway();
    scene.time.advance(Duration.ofMinutes(9));
    assertTrue(lease.isValid());
  }

  @Test
  void leasesThatAreDueAtAboutTheSameTimeShareTheirRenewals() {
    LockClient client = scene.client();
    List<Lease> leases = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      leases.add(granted(client.lock("lock-" + i, MemoryHarness.TEN_SECONDS).acquireAsync()));
      scene.time.advance(Duration.ofMillis(5));
    }
    scene.events.clear();
    scene.time.advance(Duration.ofSeconds(3));
    assertEquals(100, scene.count(LockEvent.Renewed.class));
    assertTrue(leases.stream().allMatch(Lease::isValid));
  }

  @Test
  void aBodysExceptionIsNeverHiddenByALoss() {
    DistributedLock lock = scene.lock("a");
    IllegalStateException thrown =
        assertThrows(
            IllegalStateException.class,
            () ->
                lock.run(
                    lease -> {
                      scene.time.pause(Duration.ofSeconds(11));
                      throw new IllegalStateException("the body's");
                    }));
    assertInstanceOf(LockLostException.class, thrown.getSuppressed()[0]);
    assertThrows(
        LockLostException.class, () -> lock.run(lease -> scene.time.pause(Duration.ofSeconds(11))));
  }

  @Test
  void closeReleasesEndsWaitersAndRefusesTheRest() {
    LockClient client = scene.client();
    Lease held = granted(client.lock("a").acquireAsync());
    CompletableFuture<Lease> local = client.lock("a").acquireAsync();
    granted(scene.lock("b").acquireAsync());
    CompletableFuture<Lease> remote = client.lock("b").acquireAsync();
    client.close();
    assertFalse(held.isValid());
    assertFalse(scene.server.owners().containsKey("a"));
    for (CompletableFuture<Lease> waiter : List.of(local, remote)) {
      assertInstanceOf(
          LockClosedException.class,
          assertThrows(CompletionException.class, waiter::join).getCause());
    }
    assertEquals(0, scene.server.waiters());
    assertThrows(LockClosedException.class, () -> client.lock("a"));
    client.close();
  }
}
