/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.memory;

import static io.holdfast.lock.memory.MemoryHarness.TEN_SECONDS;
import static io.holdfast.lock.memory.MemoryHarness.granted;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.DistributedLock;
import io.holdfast.lock.Lease;
import io.holdfast.lock.LockCapacityException;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockLostException;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.Locks;
import io.holdfast.lock.Reentry;
import io.holdfast.lock.Renewal;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.ClaimSignals;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A lease of several locks, and a request for one: each of the locks has its part. */
class SeveralLeaseTest {

  private static final List<String> NAMES = List.of("a", "b");
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final LockOptions STRICT = TEN_SECONDS.withReentry(Reentry.REFUSE);

  private final MemoryHarness scene = new MemoryHarness();
  private final LockClient client = scene.client();

  @AfterEach
  void close() {
    scene.close();
  }

  @Test
  void anExtensionMovesTheEndOfEach() {
    LockOptions fixed = TEN_SECONDS.withRenewal(Renewal.none());
    Lease lease = granted(client.allOf(NAMES, fixed).acquireAsync());
    lease.extend(MINUTE);
    scene.time.advance(Duration.ofSeconds(55));
    assertTrue(lease.isValid());
    assertEquals(Set.of("a", "b"), scene.taken());
    scene.time.advance(Duration.ofSeconds(5));
    assertEquals(Set.of(), scene.taken());
  }

  @Test
  void aLeaseOfOneHasItsNameAloneAsTheNames() {
    LockClient orders = client.within("orders");
    assertEquals(List.of("a"), granted(client.lock("a").acquireAsync()).lockNames());
    assertEquals(List.of("orders:7"), granted(orders.lock("7").acquireAsync()).lockNames());
  }

  @Test
  void aGrantThatIsCancelledBeforeItArrivesKeepsNone() {
    Queue<Runnable> callbacks = new ArrayDeque<>();
    try (LockClient slow =
        scene.server.open(ClientOptions.defaults().withCallbackExecutor(callbacks::add))) {
      CompletableFuture<Lease> asked =
          slow.allOf(NAMES, TEN_SECONDS.withMinHold(MINUTE)).acquireAsync();
      assertEquals(Set.of("a", "b"), scene.taken());
      asked.cancel(false);
      while (!callbacks.isEmpty()) {
        callbacks.remove().run();
      }
      assertEquals(Set.of(), scene.taken());
    }
  }

  @Test
  void itCannotBeDowngraded() {
    Lease lease = granted(client.allOf(NAMES, TEN_SECONDS).acquireAsync());
    assertThrows(IllegalStateException.class, lease::downgrade);
    assertThrows(IllegalStateException.class, lease::downgradeAsync);
    assertTrue(lease.isValid());
  }

  /** They would not end together. */
  @Test
  void itShowsNoTransactionThoughEachLockHasOne() {
    ForwardingBackend transactions =
        new ForwardingBackend(scene.server) {
          @Override
          public RenewableClaim claim(ClaimRequest request, ClaimSignals signals) {
            return new Claim(super.claim(request, signals)) {
              @Override
              public <T> Optional<T> unwrap(Class<T> type) {
                return Optional.of(type.cast("a transaction"));
              }
            };
          }
        };
    ClientOptions options = ClientOptions.defaults().withCallbackExecutor(Runnable::run);
    try (LockClient each = Locks.using(transactions, options.withTime(scene.time))) {
      Lease one = granted(each.lock("c", TEN_SECONDS).acquireAsync());
      assertTrue(one.unwrap(String.class).isPresent());
      Lease several = granted(each.allOf(NAMES, TEN_SECONDS).acquireAsync());
      assertEquals(Optional.empty(), several.unwrap(String.class));
    }
  }

  @Test
  void itSaysHowItHasEnded() {
    Lease released = granted(client.allOf(NAMES, TEN_SECONDS).acquireAsync());
    released.release();
    assertTold("it was released", released);
    Lease lost = granted(client.allOf(NAMES, TEN_SECONDS).acquireAsync());
    scene.server.revoke("b");
    scene.time.advance(MINUTE);
    assertTold("lock 'b' was lost (REVOKED)", lost);
  }

  private static void assertTold(String how, Lease lease) {
    String told = assertThrows(LockLostException.class, lease::ensureValid).toString();
    assertTrue(told.contains(how), told);
    NAMES.forEach(name -> assertTrue(told.contains("Lease[" + name + ", "), told));
  }

  /** To wait for the busy one would be in vain. */
  @Test
  void oneThatIsNoLockEndsTheWaitForABusyOne() {
    LockClient rival = scene.client();
    granted(rival.lock("a", TEN_SECONDS).acquireAsync());
    granted(rival.semaphore("b", 3, TEN_SECONDS).permit().acquireAsync());
    // Not at once, or only the first is asked for.
    scene.server.delayAnswers(Duration.ofMillis(10));
    CompletableFuture<Lease> asked =
        scene.togetherClient().allOf(NAMES, TEN_SECONDS).acquireAsync();
    scene.server.delayAnswers(Duration.ZERO);
    scene.time.advance(Duration.ofMillis(20));
    assertTrue(asked.isDone(), "it waits for the busy one");
    CompletionException failed = assertThrows(CompletionException.class, asked::join);
    assertInstanceOf(LockCapacityException.class, failed.getCause());
  }

  @Test
  @Timeout(20)
  void aThreadThatHoldsOneOfThemDoesNotWaitForItself() throws InterruptedException {
    try (Lease own = client.lock("b", STRICT).acquire()) {
      refused(client.allOf(NAMES, STRICT));
      assertTrue(own.isValid());
      assertEquals(Set.of("b"), scene.taken());
    }
  }

  @Test
  @Timeout(20)
  void norDoesOneThatHoldsAllOfThemForOneOfThem() throws InterruptedException {
    try (Lease own = client.allOf(NAMES, STRICT).acquire()) {
      refused(client.lock("b", STRICT));
      assertTrue(own.isValid());
    }
    client.lock("b", STRICT).acquire().release();
  }

  private static void refused(DistributedLock lock) {
    IllegalStateException told = assertThrows(IllegalStateException.class, lock::acquire);
    assertTrue(String.valueOf(told.getMessage()).contains("lock 'b'"), told.getMessage());
  }
}
