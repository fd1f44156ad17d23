/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.memory;

import static io.holdfast.lock.memory.MemoryHarness.granted;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.Capabilities;
import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockEvent;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.LockRejectedException;
import io.holdfast.lock.Locks;
import io.holdfast.lock.LossReason;
import io.holdfast.lock.Renewal;
import io.holdfast.lock.spi.RenewalAnswer;
import io.holdfast.lock.spi.RenewalRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests when renewals are asked for, how many with one request, and what their answers mean. */
class RenewalsTest {

  private final ManualTime time = MemoryHarness.at(WatchedBackend.BEGIN);
  private final MemoryServer server = new MemoryServer(time);
  private final List<LockEvent> events = new ArrayList<>();
  private WatchedBackend backend = watched(Capabilities.Lifetime.TTL);
  private LockClient client = open();

  private WatchedBackend watched(Capabilities.Lifetime lifetime) {
    return new WatchedBackend(server, lifetime, time);
  }

  private LockClient open() {
    LockClient opened =
        Locks.using(
            backend, ClientOptions.defaults().withCallbackExecutor(Runnable::run).withTime(time));
    opened.addListener(events::add);
    return opened;
  }

  @AfterEach
  void close() {
    client.close();
  }

  private Lease lease(String name, LockOptions options) {
    return granted(client.lock(name, options).acquireAsync());
  }

  @Test
  void aLeaseIsRenewedAfterEachThirdOfItsTtl() {
    lease("a", MemoryHarness.TEN_SECONDS.withTtl(Duration.ofSeconds(9)));
    time.advance(Duration.ofMillis(9_100));
    assertEquals(List.of(3_000L, 6_000L, 9_000L), backend.times());
    assertEquals(Duration.ofSeconds(9), backend.asked.get(0).requests().get(0).ttl());
    // At that time, 9 s less 92 ms less 3 s are left, of which a third is for each of three tries.
    assertEquals(Duration.ofMillis(1_969), within(0));
  }

  private Duration within(int index) {
    return Duration.ofMillis(backend.asked.get(index).requests().get(0).answerTimeout().toMillis());
  }

  @Test
  void aLeaseIsRenewedInTheIntervalOfItsUser() {
    lease("a", MemoryHarness.TEN_SECONDS.withRenewal(Renewal.every(Duration.ofSeconds(2))));
    time.advance(Duration.ofMillis(6_100));
    assertEquals(List.of(2_000L, 4_000L, 6_000L), backend.times());
  }

  @Test
  void leasesThatAreDueSoonAreRenewedTogether() {
    LockOptions everyTwo =
        MemoryHarness.TEN_SECONDS.withRenewal(Renewal.every(Duration.ofSeconds(2)));
    lease("a", everyTwo);
    time.advance(Duration.ofMillis(500));
    lease("b", everyTwo);
    time.advance(Duration.ofMillis(1));
    lease("c", everyTwo);
    time.advance(Duration.ofMillis(1_499));
    // A quarter of the interval is how early a renewal may come.
    assertEquals(List.of(2), backend.sizes());
    time.advance(Duration.ofMillis(501));
    assertEquals(List.of(2, 1), backend.sizes());
    assertEquals(List.of(2_000L, 2_501L), backend.times());
  }

  @Test
  void soManyAreRenewedWithOneRequestAndNoneIsLeftOut() {
    List<Lease> leases = new ArrayList<>();
    for (int i = 0; i < 1_001; i++) {
      leases.add(lease("lock-" + i, MemoryHarness.TEN_SECONDS));
    }
    time.advance(Duration.ofSeconds(4));
    assertEquals(List.of(500, 500, 1), backend.sizes());
    assertEquals(
        1_001,
        backend.asked.stream()
            .flatMap(one -> one.requests().stream())
            .map(RenewalRequest::claim)
            .distinct()
            .count());
    time.advance(Duration.ofMinutes(1));
    assertTrue(leases.stream().allMatch(Lease::isValid));
  }

  @Test
  void leasesInTwoPlacesAreRenewedApart() {
    List<RenewableClaim> odd = new ArrayList<>();
    backend.places =
        claim -> {
          if (odd.size() < 2) {
            odd.add(claim);
          }
          return odd.contains(claim) ? "here" : "there";
        };
    for (int i = 0; i < 5; i++) {
      lease("lock-" + i, MemoryHarness.TEN_SECONDS);
    }
    time.advance(Duration.ofSeconds(4));
    assertEquals(List.of(2, 3), backend.sizes().stream().sorted().toList());
  }

  @Test
  void anUnansweredRenewalIsRepeatedAfterAThirdOfTheTimeThatIsLeft() {
    Lease lease = lease("a", MemoryHarness.TEN_SECONDS.withTtl(Duration.ofSeconds(9)));
    backend.answers = given -> new CompletableFuture<>();
    // Of 8.908 s: 3, and a third of the 5.908 s that are left, and a third of what is left then.
    time.advance(Duration.ofMillis(6_300));
    assertEquals(List.of(3_000L, 4_969L, 6_282L), backend.times());
    backend.answers = given -> given;
    time.advance(Duration.ofSeconds(5));
    assertTrue(lease.isValid());
  }

  @Test
  void aBackendThatThrowsHasNotAnswered() {
    unknown(
        given -> {
          throw new IllegalStateException("on purpose");
        });
  }

  @Test
  void tooFewAnswersAreNone() {
    unknown(given -> CompletableFuture.completedFuture(List.of()));
  }

  @Test
  void aFailureIsNoAnswer() {
    unknown(given -> CompletableFuture.failedFuture(new IllegalStateException("on purpose")));
  }

  private void unknown(
      Function<CompletionStage<List<RenewalAnswer>>, CompletionStage<List<RenewalAnswer>>> given) {
    Lease lease = lease("a", MemoryHarness.TEN_SECONDS);
    backend.answers = given;
    time.advance(Duration.ofSeconds(9));
    assertTrue(lease.isValid());
    // At a third, and then after a second, which is less than a quarter of what is left.
    assertEquals(List.of(3_333L, 4_333L, 5_333L, 6_333L), backend.times().subList(0, 4));
    time.advance(Duration.ofSeconds(1));
    assertTrue(
        backend.times().get(backend.asked.size() - 1) < 9_898,
        "asked for what was over: " + backend.times());
    assertFalse(lease.isValid());
    assertEquals(LossReason.UNREACHABLE, lease.loss().join().reason());
  }

  @Test
  void anAnswerThatIsOvertakenTakesNothingBack() {
    CompletableFuture<List<RenewalAnswer>> late = new CompletableFuture<>();
    Lease lease = lease("a", MemoryHarness.TEN_SECONDS.withTtl(Duration.ofSeconds(9)));
    backend.answers = given -> late;
    time.advance(Duration.ofSeconds(3));
    backend.answers = given -> given;
    time.advance(Duration.ofSeconds(2));
    Duration left = lease.remaining();
    late.complete(List.of(new RenewalAnswer.Extended(Duration.ofSeconds(9))));
    assertEquals(left, lease.remaining());
    // Nor does it bring the next renewal forward: that is due a third after the newest one.
    int before = backend.asked.size();
    time.advance(Duration.ofMillis(2_900));
    assertEquals(before, backend.asked.size());
    time.advance(Duration.ofMillis(100));
    assertEquals(before + 1, backend.asked.size());
  }

  @Test
  void aFailureThatIsOvertakenIsNoReasonToAskSoon() {
    CompletableFuture<List<RenewalAnswer>> late = new CompletableFuture<>();
    lease("a", MemoryHarness.TEN_SECONDS.withTtl(Duration.ofSeconds(9)));
    backend.answers = given -> late;
    time.advance(Duration.ofSeconds(3));
    backend.answers = given -> given;
    time.advance(Duration.ofSeconds(2));
    int before = backend.asked.size();
    late.completeExceptionally(new IllegalStateException("on purpose"));
    time.advance(Duration.ofMillis(2_900));
    assertEquals(before, backend.asked.size());
  }

  @Test
  void theLessTimeIsLeftTheSoonerItIsAskedAgain() {
    lease("a", MemoryHarness.TEN_SECONDS.withTtl(Duration.ofSeconds(2)));
    backend.answers =
        given -> CompletableFuture.failedFuture(new IllegalStateException("on purpose"));
    time.advance(Duration.ofMillis(1_300));
    // Of 1.978 s: a third of 2 s, and a quarter of the 1.311 s and of the 0.983 s that are left.
    assertEquals(List.of(666L, 994L, 1_240L), backend.times());
  }

  @Test
  void theFailureThatIsToldIsTheBackends() {
    lease("a", MemoryHarness.TEN_SECONDS);
    LockRejectedException refused = new LockRejectedException("on purpose");
    backend.answers = given -> CompletableFuture.failedFuture(new CompletionException(refused));
    time.advance(Duration.ofSeconds(4));
    assertEquals(
        List.of(refused),
        events.stream()
            .filter(LockEvent.RenewalFailed.class::isInstance)
            .map(event -> ((LockEvent.RenewalFailed) event).cause())
            .toList());
  }

  @Test
  void aLeaseThatIsDueBeforeAllOthersIsRenewedInTime() {
    lease("a", MemoryHarness.TEN_SECONDS.withTtl(Duration.ofSeconds(30)));
    lease("b", MemoryHarness.TEN_SECONDS.withTtl(Duration.ofMillis(900)));
    time.advance(Duration.ofMillis(650));
    assertEquals(List.of(300L, 600L), backend.times());
  }

  @Test
  void noRequestIsEmpty() {
    for (int i = 0; i < 500; i++) {
      lease("lock-" + i, MemoryHarness.TEN_SECONDS);
    }
    time.advance(Duration.ofSeconds(4));
    assertEquals(List.of(500), backend.sizes());
  }

  @Test
  void anExtensionAtTheInstantOfTheGrantCounts() {
    Lease lease = lease("a", MemoryHarness.TEN_SECONDS);
    lease.extend(Duration.ofSeconds(90));
    backend.asked.clear();
    time.advance(Duration.ofSeconds(29));
    assertEquals(List.of(), backend.times());
    time.advance(Duration.ofSeconds(1));
    assertEquals(List.of(30_000L), backend.times());
  }

  @Test
  void anExtensionThatFailsAtTheInstantOfTheGrantIsFollowedByARenewalSoon() {
    Lease lease = lease("a", MemoryHarness.TEN_SECONDS);
    backend.answers =
        given -> CompletableFuture.failedFuture(new IllegalStateException("on purpose"));
    assertTrue(lease.extendAsync(Duration.ofSeconds(90)).isCompletedExceptionally());
    backend.answers = given -> given;
    backend.asked.clear();
    time.advance(Duration.ofMillis(1_100));
    assertEquals(List.of(1_000L), backend.times());
  }

  @Test
  void onASessionALeaseOfFixedTimeIsRenewedAndEndsAllTheSame() {
    client.close();
    backend = watched(Capabilities.Lifetime.SESSION);
    client = open();
    Lease lease = lease("a", MemoryHarness.TEN_SECONDS.withRenewal(Renewal.none()));
    time.advance(Duration.ofSeconds(5));
    assertEquals(List.of(3_333L), backend.times());
    lease.extend(Duration.ofSeconds(20));
    time.advance(Duration.ofMillis(19_999));
    assertTrue(lease.isValid());
    time.advance(Duration.ofMillis(1));
    assertFalse(lease.isValid());
    assertEquals(LossReason.EXPIRED, lease.loss().join().reason());
    Lease other = lease("b", MemoryHarness.TEN_SECONDS.withRenewal(Renewal.none()));
    time.advance(Duration.ofMillis(9_999));
    assertTrue(other.isValid());
    time.advance(Duration.ofMillis(1));
    assertFalse(other.isValid());
  }

  @Test
  void aReleaseIsAGoodEndAndACloseIsNot() {
    lease("a", MemoryHarness.TEN_SECONDS).release();
    lease("a", MemoryHarness.TEN_SECONDS).close();
    assertEquals(List.of("release", "discard"), backend.ends);
  }

  /** A lock that one thread has taken can be freed by another. */
  @Test
  void eachStepMayBeTakenByAnotherThread() throws Exception {
    Lease lease = elsewhere(() -> lease("a", MemoryHarness.TEN_SECONDS));
    Lease other = elsewhere(() -> lease("b", MemoryHarness.TEN_SECONDS));
    elsewhere(() -> lease.extendAsync(Duration.ofSeconds(20)));
    elsewhere(
        () -> {
          time.advance(Duration.ofSeconds(5));
          return true;
        });
    elsewhere(lease::release);
    elsewhere(
        () -> {
          client.close();
          return true;
        });
    assertFalse(elsewhere(other::isValid));
  }

  private static <T> T elsewhere(Callable<T> step) throws Exception {
    FutureTask<T> task = new FutureTask<>(step);
    Thread thread = new Thread(task);
    thread.setDaemon(true);
    thread.start();
    return task.get(30, TimeUnit.SECONDS);
  }

  @Test
  void nothingIsRenewedThatIsOverOrReleased() {
    Lease lease = lease("a", MemoryHarness.TEN_SECONDS);
    Lease fixed = lease("b", MemoryHarness.TEN_SECONDS.withRenewal(Renewal.none()));
    lease.release();
    time.advance(Duration.ofSeconds(30));
    assertEquals(List.of(), backend.asked);
    assertFalse(fixed.isValid());
  }
}
