/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.memory;

import static io.holdfast.lock.memory.MemoryHarness.granted;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.Capabilities.Retention;
import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockEvent;
import io.holdfast.lock.LockLostException;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.LockRejectedException;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.Loss;
import io.holdfast.lock.LossReason;
import io.holdfast.lock.Renewal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Leases of a fixed time that is made shorter, and what an extension does to that. */
class EarlierEndTest {

  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final LockOptions FIXED = MemoryHarness.TEN_SECONDS.withRenewal(Renewal.none());

  private final MemoryHarness scene = new MemoryHarness();

  @AfterEach
  void close() {
    scene.close();
  }

  @ParameterizedTest
  @EnumSource(names = {"SERVER", "CLIENT"})
  void aFixedTimeEndsEarlierIfItIsToldTo(Retention retention) {
    Lease lease = granted(scene.keeping(retention).lock("a", FIXED).acquireAsync());
    scene.time.advance(SECOND);
    lease.expireIn(Duration.ofSeconds(2));
    assertTrue(lease.remaining().compareTo(Duration.ofSeconds(2)) <= 0);
    scene.time.advance(Duration.ofSeconds(1));
    assertTrue(lease.isValid());
    scene.time.advance(Duration.ofSeconds(1));
    assertFalse(lease.isValid());
    assertEquals(LossReason.EXPIRED, lease.loss().join().reason());
    assertFalse(scene.server.owners().containsKey("a"));
  }

  /** The server counts from when the request arrives, on a clock of its own. */
  @ParameterizedTest
  @EnumSource(names = {"SERVER", "CLIENT"})
  void anEarlierEndHasTheMarginOfEveryValidity(Retention retention) {
    Lease lease = granted(scene.keeping(retention).lock("a", FIXED).acquireAsync());
    lease.expireIn(Duration.ofSeconds(2));
    assertEquals(Duration.ofMillis(2_000 - 20 - 2), lease.remaining());
  }

  @ParameterizedTest
  @EnumSource(names = {"SERVER", "CLIENT"})
  void anEarlierEndIsToldAndFreesTheLockThoughNobodyLooks(Retention retention) {
    Lease lease = granted(scene.keeping(retention).lock("a", FIXED).acquireAsync());
    List<Loss> told = new ArrayList<>();
    lease.onLoss(told::add);
    lease.expireIn(Duration.ofSeconds(2));
    scene.time.advance(Duration.ofMillis(1_900));
    assertEquals(List.of(), told);
    scene.time.advance(Duration.ofMillis(100));
    assertEquals(List.of(new Loss("a", lease.ownerId(), LossReason.EXPIRED)), told);
    assertFalse(scene.server.owners().containsKey("a"));
  }

  @Test
  void anEarlierEndOfALockThatWasTakenAwayIsALoss() {
    Lease lease = granted(scene.client().lock("a", FIXED).acquireAsync());
    scene.server.revoke("a");
    assertThrows(LockLostException.class, () -> lease.expireIn(Duration.ofSeconds(2)));
    assertEquals(LossReason.REVOKED, lease.loss().join().reason());
    assertFalse(lease.isValid());
  }

  @Test
  void anEarlierEndThatIsAnsweredIsTheEndOfAnOutage() {
    LockClient client = scene.client();
    Lease lease = granted(client.lock("a", FIXED).acquireAsync());
    for (int outages = 1; outages <= 2; outages++) {
      scene.server.goAway();
      assertThrows(LockUnavailableException.class, () -> lease.expireIn(Duration.ofSeconds(5)));
      assertEquals(outages, client.status().outages());
      scene.server.comeBack();
      lease.expireIn(Duration.ofSeconds(4));
    }
  }

  @Test
  void theServerEndsItEarlierByItself() {
    Lease lease = granted(scene.client().lock("a", FIXED).acquireAsync());
    lease.expireIn(Duration.ofSeconds(2));
    scene.time.pause(Duration.ofSeconds(2));
    assertFalse(scene.server.owners().containsKey("a"));
    assertFalse(lease.isValid());
  }

  @Test
  void aLaterEndIsAnExtensionAndAnEarlierOneCanBeExtended() {
    Lease lease = granted(scene.client().lock("a", FIXED).acquireAsync());
    lease.expireIn(Duration.ofMinutes(2));
    scene.time.advance(MINUTE);
    assertTrue(lease.isValid());
    lease.expireIn(SECOND);
    lease.extend(MINUTE);
    scene.time.advance(Duration.ofSeconds(50));
    assertTrue(lease.isValid());
    assertTrue(scene.server.owners().containsKey("a"));
  }

  @Test
  void anEarlierEndWithoutAnAnswerCountsHereAndExtensionsAreRefused() {
    LockClient client = scene.client();
    Lease lease = granted(client.lock("a", FIXED).acquireAsync());
    scene.server.delayRequests(Duration.ofMillis(1_500));
    CompletableFuture<Void> shortened = lease.expireInAsync(Duration.ofSeconds(2));
    // The time-out of a request.
    scene.time.advance(SECOND);
    assertTrue(shortened.isCompletedExceptionally());
    assertEquals(1, client.status().outages());
    scene.server.delayRequests(Duration.ZERO);
    assertThrows(LockUnavailableException.class, () -> lease.extend(MINUTE));
    scene.time.advance(SECOND);
    assertFalse(lease.isValid());
    scene.time.advance(SECOND);
    assertFalse(scene.server.owners().containsKey("a"));
  }

  @Test
  void anEarlierEndThatWasNeverSentIsNotInTheWayOfAnExtension() {
    Lease lease = granted(scene.client().lock("a", FIXED).acquireAsync());
    scene.server.goAway();
    assertThrows(LockUnavailableException.class, () -> lease.expireIn(Duration.ofSeconds(2)));
    scene.server.comeBack();
    assertTrue(lease.remaining().compareTo(Duration.ofSeconds(2)) <= 0);
    assertExtends(lease);
  }

  @Test
  void anOutageIsCountedThoughTheEarlierEndWasNotSent() {
    LockClient client = scene.client();
    Lease lease = granted(client.lock("a", FIXED).acquireAsync());
    scene.server.delayAnswers(MINUTE);
    CompletableFuture<Void> extended = lease.extendAsync(MINUTE);
    scene.time.advance(Duration.ofMillis(1));
    scene.server.goAway();
    assertThrows(LockUnavailableException.class, () -> lease.expireIn(Duration.ofSeconds(5)));
    scene.time.advance(Duration.ofSeconds(2));
    assertTrue(extended.isCompletedExceptionally());
    assertEquals(1, client.status().outages());
  }

  @Test
  void norIsOneOfAPermit() {
    Lease lease = granted(scene.client().semaphore("s", 2, FIXED).permit().acquireAsync());
    scene.server.goAway();
    assertThrows(LockUnavailableException.class, () -> lease.expireIn(Duration.ofSeconds(2)));
    scene.server.comeBack();
    lease.extend(MINUTE);
    scene.time.advance(Duration.ofSeconds(50));
    assertTrue(lease.isValid());
  }

  @Test
  void anEarlierEndThatTheServerRefusesIsNotInTheWayOfAnExtension() {
    Lease lease = granted(scene.refusingClient().lock("a", FIXED).acquireAsync());
    assertThrows(LockRejectedException.class, () -> lease.expireIn(Duration.ofSeconds(2)));
    assertTrue(lease.remaining().compareTo(Duration.ofSeconds(2)) <= 0);
    assertExtends(lease);
  }

  @Test
  void norIsOneThatIsFoundLateNotToHaveBeenSent() {
    Lease lease = granted(scene.neverSendingClient().lock("a", FIXED).acquireAsync());
    assertThrows(LockUnavailableException.class, () -> lease.expireIn(Duration.ofSeconds(2)));
    assertTrue(lease.remaining().compareTo(Duration.ofSeconds(2)) <= 0);
    assertExtends(lease);
  }

  private void assertExtends(Lease lease) {
    lease.extend(MINUTE);
    scene.time.advance(Duration.ofSeconds(50));
    assertTrue(lease.isValid());
    assertTrue(scene.server.owners().containsKey("a"));
  }

  @Test
  void anExtensionThatIsAnsweredAfterAnEarlierEndProvesNothing() {
    Lease lease = granted(scene.client().lock("a", FIXED).acquireAsync());
    scene.server.delayAnswers(Duration.ofMillis(500));
    CompletableFuture<Void> extended = lease.extendAsync(MINUTE);
    scene.server.delayAnswers(Duration.ZERO);
    scene.time.advance(Duration.ofMillis(1));
    CompletableFuture<Void> shortened = lease.expireInAsync(Duration.ofSeconds(2));
    scene.time.advance(SECOND);
    assertTrue(shortened.isDone());
    assertUnavailable(extended);
    assertTrue(lease.remaining().compareTo(SECOND) <= 0, "" + lease.remaining());
  }

  /** The server would carry it out after the earlier end. */
  @Test
  void anExtensionIsNotSentWhileAnEarlierEndIs() {
    CompletableFuture<Lease> granted = new CompletableFuture<>();
    CompletableFuture<CompletableFuture<Void>> extended = new CompletableFuture<>();
    LockClient client =
        scene.clientThatSendsAnEndAndThen(
            () -> extended.complete(granted.join().extendAsync(MINUTE)));
    Lease lease = granted(client.lock("a", FIXED).acquireAsync());
    granted.complete(lease);
    scene.server.delayAnswers(Duration.ofMillis(100));
    CompletableFuture<Void> shortened = lease.expireInAsync(Duration.ofSeconds(2));
    scene.time.advance(Duration.ofMillis(200));
    shortened.join();
    assertUnavailable(extended.join());
    // The client does nothing meanwhile.
    scene.time.pause(Duration.ofSeconds(2));
    assertFalse(scene.server.owners().containsKey("a"));
  }

  @Test
  void anEarlierEndIsNotToldAfterTheLoss() {
    CompletableFuture<Lease> granted = new CompletableFuture<>();
    CompletableFuture<CompletableFuture<Void>> again = new CompletableFuture<>();
    LockClient client =
        scene.clientThatSendsAnEndAndThen(
            () -> {
              // Carried out when this is over, and so after the maximum hold.
              again.complete(granted.join().expireInAsync(SECOND));
              scene.time.pause(Duration.ofSeconds(5));
            });
    LockOptions most = FIXED.withMaxHold(Duration.ofSeconds(5));
    granted.complete(granted(client.lock("a", most).acquireAsync()));
    granted.join().expireInAsync(Duration.ofSeconds(8));
    assertTrue(again.isDone());
    assertEquals(LossReason.MAX_HOLD_REACHED, granted.join().loss().join().reason());
    assertEquals(1, scene.count(LockEvent.EndsEarlier.class));
  }

  private static void assertUnavailable(CompletableFuture<Void> extended) {
    assertTrue(extended.isDone());
    CompletionException failed = assertThrows(CompletionException.class, extended::join);
    assertInstanceOf(LockUnavailableException.class, failed.getCause());
  }

  @Test
  void aRenewedLeaseHasNoEndToSet() {
    Lease lease = granted(scene.client().lock("a", MemoryHarness.TEN_SECONDS).acquireAsync());
    assertThrows(IllegalStateException.class, () -> lease.expireIn(SECOND));
    assertThrows(IllegalArgumentException.class, () -> lease.expireIn(Duration.ZERO));
    Lease fixed = granted(scene.client().lock("b", FIXED).acquireAsync());
    fixed.release();
    assertThrows(LockLostException.class, () -> fixed.expireIn(SECOND));
    CompletableFuture<Void> late = fixed.expireInAsync(SECOND);
    assertThrows(CompletionException.class, late::join);
  }

  @Test
  void anEarlierEndKeepsTheMinimumHold() {
    LockOptions least = FIXED.withMinHold(Duration.ofSeconds(8));
    Lease lease = granted(scene.client().lock("a", least).acquireAsync());
    lease.expireIn(SECOND);
    scene.time.advance(Duration.ofSeconds(7));
    assertFalse(lease.isValid());
    assertTrue(scene.server.owners().containsKey("a"));
    scene.time.advance(SECOND);
    assertFalse(scene.server.owners().containsKey("a"));
  }

  @Test
  void theServerKeepsAMinimumHoldThoughTheEndWasSetEarlier() {
    LockOptions least = FIXED.withMinHold(Duration.ofSeconds(8));
    Lease lease = granted(scene.client().lock("a", least).acquireAsync());
    lease.expireIn(SECOND);
    // The client does nothing meanwhile.
    scene.time.pause(Duration.ofSeconds(7));
    assertTrue(scene.server.owners().containsKey("a"));
    scene.time.pause(SECOND);
    assertFalse(scene.server.owners().containsKey("a"));
  }
}
