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
import io.holdfast.lock.LockEvent;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.LockTimeoutException;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.Renewal;
import io.holdfast.lock.Retry;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Several locks that the server decides together: they are asked for at once. */
class SeveralTogetherTest {

  private static final LockOptions FIXED = TEN_SECONDS.withRenewal(Renewal.none());
  private static final LockOptions LEAST = TEN_SECONDS.withMinHold(Duration.ofMinutes(1));

  private final MemoryHarness scene = new MemoryHarness();
  private final LockClient client = scene.togetherClient();
  private final LockClient rival = scene.client();

  @AfterEach
  void close() {
    scene.close();
  }

  private CompletableFuture<Lease> ask(String... names) {
    return client.allOf(List.of(names), TEN_SECONDS).acquireAsync();
  }

  private Lease rivals(String name) {
    return granted(rival.lock(name, TEN_SECONDS).acquireAsync());
  }

  @Test
  void whereTheServerDecidesThemTogetherTheyTakeOneAnswer() {
    scene.server.delayAnswers(Duration.ofMillis(400));
    CompletableFuture<Lease> asked = ask("c", "a", "b");
    scene.time.advance(Duration.ofMillis(1));
    assertEquals(Set.of("a", "b", "c"), scene.taken());
    scene.time.advance(Duration.ofMillis(400));
    assertTrue(granted(asked).isValid());
  }

  @Test
  void thoseBehindABusyOneAreGivenBackWhileItIsWaitedFor() {
    Lease busy = rivals("b");
    CompletableFuture<Lease> asked = ask("a", "b", "c", "d");
    assertEquals(Set.of("a", "b"), scene.taken());
    assertTrue(rivals("d").isValid());
    Lease second = rivals("c");
    busy.release();
    scene.time.advance(Duration.ofSeconds(1));
    assertFalse(asked.isDone());
    assertEquals(Set.of("a", "b", "c", "d"), scene.taken());
    second.release();
    rival.close();
    scene.time.advance(Duration.ofSeconds(1));
    assertTrue(granted(asked).isValid());
  }

  @Test
  void thoseThatAreGivenBackWhileABusyOneIsWaitedForHaveNoMinimum() {
    Lease busy = rivals("b");
    scene.server.delayAnswers(Duration.ofMillis(400));
    CompletableFuture<Lease> asked = client.allOf(List.of("a", "b", "c"), LEAST).acquireAsync();
    scene.time.advance(Duration.ofMillis(1));
    assertEquals(Set.of("a", "b", "c"), scene.taken());
    scene.time.advance(Duration.ofSeconds(1));
    scene.server.delayAnswers(Duration.ZERO);
    assertEquals(Set.of("a", "b"), scene.taken());
    busy.release();
    scene.time.advance(Duration.ofSeconds(1));
    assertTrue(granted(asked).isValid());
  }

  @Test
  void norHaveThoseOfACallerThatDoesNotWait() {
    rivals("b");
    assertEquals(
        Optional.empty(), scene.client().allOf(List.of("a", "b"), LEAST).tryAcquireAsync().join());
    assertEquals(Set.of("b"), scene.taken());
  }

  @Test
  void oneAttemptAtAllOfThemEndsWithTheFirstThatIsBusy() {
    Lease busy = rivals("b");
    assertEquals(
        Optional.empty(), client.allOf(List.of("a", "b", "c"), FIXED).tryAcquireAsync().join());
    assertEquals(Set.of("b"), scene.taken());
    busy.release();
    assertTrue(client.allOf(List.of("a", "b", "c"), FIXED).tryAcquireAsync().join().isPresent());
  }

  @Test
  void oneAttemptAtAllOfThemDuringAnOutageIsNotABusyLock() {
    scene.server.goAway();
    CompletableFuture<Optional<Lease>> tried =
        client.allOf(List.of("a", "b"), FIXED).tryAcquireAsync();
    assertInstanceOf(
        LockUnavailableException.class,
        assertThrows(CompletionException.class, tried::join).getCause());
  }

  @Test
  void noneBehindALockThatIsBusyInTheClientIsAskedFor() {
    Lease busy = granted(client.lock("b", TEN_SECONDS).acquireAsync());
    scene.server.delayAnswers(Duration.ofMillis(400));
    CompletableFuture<Optional<Lease>> tried =
        client.allOf(List.of("a", "b", "c"), FIXED).tryAcquireAsync();
    scene.time.advance(Duration.ofMillis(1));
    assertEquals(Set.of("a", "b"), scene.taken());
    scene.server.delayAnswers(Duration.ZERO);
    scene.time.advance(Duration.ofSeconds(1));
    assertEquals(Optional.empty(), tried.join());
    assertEquals(Set.of("b"), scene.taken());
    assertTrue(busy.isValid());
  }

  /** More would keep the server, and all others of the client, busy for long. */
  @Test
  void soManyAreAskedForAtOnceAndThenTheNext() {
    List<String> names =
        IntStream.range(0, 129).mapToObj(i -> String.format(Locale.ROOT, "n%03d", i)).toList();
    scene.server.delayAnswers(Duration.ofMillis(400));
    CompletableFuture<Lease> asked = client.allOf(names, TEN_SECONDS).acquireAsync();
    for (int taken : new int[] {64, 128, 129}) {
      assertFalse(asked.isDone());
      scene.time.advance(Duration.ofMillis(1));
      assertEquals(Set.copyOf(names.subList(0, taken)), scene.taken());
      scene.time.advance(Duration.ofMillis(400));
    }
    scene.server.delayAnswers(Duration.ZERO);
    assertEquals(names, granted(asked).lockNames());
  }

  @Test
  void givingUpWhileAllAreAskedForLeavesNothing() {
    // Less than the time-out of a request, which would give them back as well.
    scene.server.delayAnswers(Duration.ofMillis(400));
    CompletableFuture<Lease> asked = ask("a", "b");
    scene.time.advance(Duration.ofMillis(1));
    assertEquals(Set.of("a", "b"), scene.taken());
    asked.cancel(false);
    scene.server.delayAnswers(Duration.ZERO);
    scene.time.advance(Duration.ofSeconds(5));
    assertEquals(Set.of(), scene.taken());
  }

  @Test
  void anOutageWhileAllAreAskedForIsWaitedOut() {
    scene.server.goAway();
    CompletableFuture<Lease> asked = ask("a", "b");
    scene.time.advance(Duration.ofSeconds(5));
    assertFalse(asked.isDone());
    scene.server.comeBack();
    scene.time.advance(Duration.ofSeconds(5));
    assertTrue(granted(asked).isValid());
  }

  @Test
  void aLimitOfAttemptsCountsForEachLockAlsoWhereTheyCouldBeAskedForTogether() {
    rivals("b");
    LockOptions once = TEN_SECONDS.withRetry(Retry.defaults().withMaxAttempts(1));
    CompletableFuture<Lease> asked = client.allOf(List.of("a", "b"), once).acquireAsync();
    assertInstanceOf(
        LockTimeoutException.class,
        assertThrows(CompletionException.class, asked::join).getCause());
    long attempts =
        scene.events.stream()
            .filter(LockEvent.Attempted.class::isInstance)
            .filter(event -> event.lockName().equals("b"))
            .count();
    // One is the rival's.
    assertEquals(2, attempts);
  }
}
