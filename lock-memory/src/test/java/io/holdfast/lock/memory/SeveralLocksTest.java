/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.memory;

import static io.holdfast.lock.memory.MemoryHarness.TEN_SECONDS;
import static io.holdfast.lock.memory.MemoryHarness.granted;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockClosedException;
import io.holdfast.lock.LockEvent;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.LockTimeoutException;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.Loss;
import io.holdfast.lock.LossReason;
import io.holdfast.lock.ReleaseOutcome;
import io.holdfast.lock.Renewal;
import io.holdfast.lock.Retry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Several locks that are held together, on a clock driven by hand. */
class SeveralLocksTest {

  private static final LockOptions FIXED = TEN_SECONDS.withRenewal(Renewal.none());

  private final MemoryHarness scene = new MemoryHarness();
  private final LockClient client = scene.client();
  private final LockClient rival = scene.client();

  @AfterEach
  void close() {
    scene.close();
  }

  private CompletableFuture<Lease> ask(LockOptions options, String... names) {
    return client.allOf(List.of(names), options).acquireAsync();
  }

  private Lease rivals(String name) {
    return granted(rival.lock(name, TEN_SECONDS).acquireAsync());
  }

  @Test
  void heldLocksAreRenewedWhileTheRestIsWaitedFor() {
    Lease busy = rivals("b");
    CompletableFuture<Lease> asked = ask(TEN_SECONDS, "b", "a", "c");
    assertEquals(Set.of("a", "b"), scene.taken());
    scene.time.advance(Duration.ofMinutes(5));
    assertEquals(Set.of("a", "b"), scene.taken());
    busy.release();
    assertTrue(granted(asked).isValid());
    assertEquals(Set.of("a", "b", "c"), scene.taken());
  }

  @Test
  void oneOfFixedTimeThatIsOverIsTakenAgainWithoutGivingTheRestBack() {
    Lease busy = rivals("b");
    CompletableFuture<Lease> asked = ask(FIXED, "a", "b");
    scene.time.advance(Duration.ofSeconds(11));
    scene.events.clear();
    busy.release();
    scene.time.advance(Duration.ofMillis(1));
    Lease lease = granted(asked);
    assertTrue(lease.isValid());
    assertEquals(
        List.of("b", "a"),
        scene.events.stream()
            .filter(LockEvent.Granted.class::isInstance)
            .map(LockEvent::lockName)
            .toList());
  }

  @Test
  void itDoesNotWaitForALockWhileItHoldsOneWithAGreaterName() {
    Lease busy = rivals("b");
    CompletableFuture<Lease> asked = ask(FIXED, "a", "b", "c");
    scene.time.advance(Duration.ofSeconds(11));
    Lease other = rivals("a");
    busy.release();
    scene.time.advance(Duration.ofMillis(1));
    assertFalse(asked.isDone());
    assertEquals(Set.of("a"), scene.taken());
    other.release();
    scene.time.advance(Duration.ofSeconds(1));
    assertTrue(granted(asked).isValid());
  }

  @Test
  void anOutageWhileALostOneIsAskedForAgainIsWaitedOut() {
    Lease busy = rivals("b");
    CompletableFuture<Lease> asked = ask(FIXED, "a", "b");
    scene.time.advance(Duration.ofSeconds(11));
    LockClient.Subscription next =
        client.addListener(
            event -> {
              if (event instanceof LockEvent.Granted) {
                scene.server.goAway();
              }
            });
    busy.release();
    scene.time.advance(Duration.ofSeconds(5));
    assertFalse(asked.isDone());
    next.close();
    scene.server.comeBack();
    scene.time.advance(Duration.ofSeconds(5));
    assertTrue(granted(asked).isValid());
  }

  @Test
  void theTimeOfEachRunsFromItsOwnGrant() {
    Lease busy = rivals("b");
    CompletableFuture<Lease> asked = ask(FIXED, "a", "b");
    scene.time.advance(Duration.ofSeconds(4));
    busy.release();
    scene.time.advance(Duration.ofMillis(1));
    Lease lease = granted(asked);
    Duration remaining = lease.remaining();
    assertTrue(remaining.compareTo(Duration.ofSeconds(6)) <= 0, remaining.toString());
    scene.time.advance(remaining);
    assertFalse(lease.isValid());
    assertEquals("a", lease.loss().join().lockName());
    assertEquals(LossReason.EXPIRED, lease.loss().join().reason());
    assertEquals(Set.of(), scene.taken());
  }

  @Test
  void aLimitEndsTheWaitAndGivesBackWhatIsHeld() {
    rivals("c");
    CompletableFuture<Optional<Lease>> asked =
        client.allOf(List.of("a", "b", "c"), TEN_SECONDS).tryAcquireAsync(Duration.ofSeconds(3));
    scene.time.advance(Duration.ofSeconds(3).minusMillis(1));
    assertFalse(asked.isDone());
    scene.time.advance(Duration.ofMillis(1));
    assertEquals(Optional.empty(), asked.join());
    assertEquals(Set.of("c"), scene.taken());
  }

  @Test
  void attemptsAreLimitedForEachLock() {
    rivals("b");
    LockOptions twice = TEN_SECONDS.withRetry(Retry.defaults().withJitter(0).withMaxAttempts(2));
    CompletableFuture<Lease> asked = ask(twice, "a", "b");
    scene.time.advance(Duration.ofMinutes(1));
    CompletionException thrown = assertThrows(CompletionException.class, asked::join);
    LockTimeoutException told = assertInstanceOf(LockTimeoutException.class, thrown.getCause());
    String message = String.valueOf(told.getMessage());
    assertTrue(message.contains("'a, b'"), message);
    assertEquals(Set.of("b"), scene.taken());
  }

  @Test
  void oneAttemptWithoutAnAnswerInTimeIsUnavailable() {
    scene.server.delayAnswers(Duration.ofSeconds(6));
    CompletableFuture<Optional<Lease>> asked =
        client.allOf(List.of("a", "b"), FIXED).tryAcquireAsync();
    scene.time.advance(Duration.ofSeconds(30));
    CompletionException thrown = assertThrows(CompletionException.class, asked::join);
    assertInstanceOf(LockUnavailableException.class, thrown.getCause());
    scene.server.delayAnswers(Duration.ZERO);
    scene.time.advance(Duration.ofSeconds(30));
    assertEquals(Set.of(), scene.taken());
  }

  @Test
  void aLossIsToldOnceThoughAllAreLost() {
    Lease lease = granted(ask(TEN_SECONDS, "a", "b", "c"));
    List<Loss> told = new ArrayList<>();
    lease.onLoss(told::add);
    scene.server.goAway();
    scene.time.advance(Duration.ofSeconds(30));
    assertEquals(List.of(LossReason.UNREACHABLE), told.stream().map(Loss::reason).toList());
    assertEquals(ReleaseOutcome.ALREADY_LOST, lease.release());
  }

  @Test
  void aReleaseThatFindsOneLostSaysSo() {
    Lease lease = granted(ask(TEN_SECONDS, "a", "b"));
    scene.server.revoke("b");
    assertEquals(ReleaseOutcome.ALREADY_LOST, lease.release());
    assertTrue(lease.loss().isDone());
    assertEquals("b", lease.loss().join().lockName());
    assertEquals(Set.of(), scene.taken());
  }

  @ParameterizedTest
  @ValueSource(strings = {"a", "b"})
  void aReleaseOfWhichOneIsNotAnsweredSaysSo(String unanswered) {
    LockClient cutOff = scene.unansweredClient(unanswered);
    Lease lease = granted(cutOff.allOf(List.of("a", "b"), TEN_SECONDS).acquireAsync());
    assertEquals(ReleaseOutcome.UNKNOWN, lease.release());
    assertEquals(Set.of(unanswered), scene.taken());
    scene.time.advance(Duration.ofSeconds(1));
    assertEquals(Set.of(), scene.taken());
  }

  @Test
  void aCloseTellsTheHolderOnceAndEndsTheWaiter() {
    Lease lease = granted(ask(TEN_SECONDS, "a", "b"));
    rivals("d");
    CompletableFuture<Lease> asked = ask(TEN_SECONDS, "c", "d");
    List<Loss> told = new ArrayList<>();
    lease.onLoss(told::add);
    client.close();
    assertEquals(List.of(LossReason.CLIENT_CLOSED), told.stream().map(Loss::reason).toList());
    CompletionException thrown = assertThrows(CompletionException.class, asked::join);
    assertInstanceOf(LockClosedException.class, thrown.getCause());
    assertEquals(Set.of("d"), scene.taken());
  }

  @Test
  void aThousandLocksNeedNoDeepStack() throws Exception {
    List<String> names = IntStream.range(0, 1000).mapToObj(i -> "n" + i).toList();
    // So many steps go on, on a thread of their strand.
    Lease lease = client.allOf(names, TEN_SECONDS).acquireAsync().get(1, TimeUnit.MINUTES);
    assertEquals(1000, scene.taken().size());
    lease.release();
    assertEquals(Set.of(), scene.taken());
  }
}
