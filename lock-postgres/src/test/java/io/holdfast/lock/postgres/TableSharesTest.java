/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.LockCapacityException;
import io.holdfast.lock.LockHolder;
import io.holdfast.lock.Share;
import io.holdfast.lock.spi.LockBackend;
import io.holdfast.lock.spi.LockClaim;
import io.holdfast.lock.spi.LockInspection;
import io.holdfast.lock.spi.ReleaseAnswer;
import io.holdfast.lock.spi.RenewalAnswer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Shares of a name in tables, step by step, without the engine's waiting. */
class TableSharesTest extends TableClaimsTestBase {

  private static final int GRANTS = 300;

  private static LockCapacityException refused(LockClaim claim) {
    CompletionException failure =
        assertThrows(CompletionException.class, () -> get(claim.attempt()));
    return assertInstanceOf(LockCapacityException.class, failure.getCause());
  }

  @Test
  void noMoreIsGrantedThanThereIs() {
    LockBackend<?> backend = backend();
    LockClaim three = claim(backend, "s", Share.of(3, 5));
    LockClaim two = claim(backend, "s", Share.of(2, 5));
    LockClaim one = claim(backend, "s", Share.of(1, 5));
    long first = token(three);
    long second = token(two);
    assertTrue(first < second);
    assertFalse(isGranted(one));
    assertEquals(ReleaseAnswer.FREED, get(three.release()));
    assertTrue(second < token(one));
    // Asked again, it is the same grant.
    assertEquals(second, token(two));
    assertEquals(ReleaseAnswer.FREED, get(two.release()));
    assertEquals(ReleaseAnswer.FREED, get(one.release()));
    assertEquals(ReleaseAnswer.NOT_OURS, get(claim(backend, "s", Share.of(1, 5)).release()));
    assertEquals(List.of(), scene.server.ask("SELECT owner FROM holdfast.table_share"));
    // Free again, for whatever capacity.
    assertTrue(isGranted(claim(backend, "s", Share.LOCK)));
  }

  @Test
  void whoWaitsLongerIsNotOvertaken() {
    LockBackend<?> backend = backend();
    LockClaim reader = claim(backend, "rw", Share.READ);
    LockClaim writer = claim(backend, "rw", Share.WRITE);
    LockClaim late = claim(backend, "rw", Share.READ);
    assertTrue(isGranted(reader));
    assertFalse(isGranted(writer));
    assertFalse(isGranted(late));
    get(reader.release());
    assertFalse(isGranted(late));
    assertTrue(isGranted(writer));
    LockClaim writer2 = claim(backend, "rw", Share.WRITE);
    assertFalse(isGranted(writer2));
    get(writer.release());
    assertTrue(isGranted(late));
    // It gives up: nobody waits for it any more.
    assertEquals(ReleaseAnswer.NOT_OURS, get(writer2.release()));
    assertTrue(isGranted(claim(backend, "rw", Share.READ)));
  }

  @Test
  void whoDoesNotWaitKeepsNobodyOut() {
    LockBackend<?> backend = backend();
    LockClaim reader = claim(backend, "rw", Share.READ);
    LockClaim tries = trying(backend, "rw", Share.WRITE);
    LockClaim next = claim(backend, "rw", Share.READ);
    assertTrue(isGranted(reader));
    String uses = "SELECT name || owner || expires_at FROM holdfast.table_lock";
    List<String> before = scene.server.ask(uses);
    assertFalse(isGranted(tries));
    assertEquals(1, scene.server.ask("SELECT owner FROM holdfast.table_share").size());
    assertEquals(before, scene.server.ask(uses));
    assertTrue(isGranted(next));
    assertEquals(ReleaseAnswer.NOT_OURS, get(tries.release()));
    get(reader.release());
    get(next.release());
    LockClaim free = trying(backend, "rw", Share.WRITE);
    assertTrue(isGranted(free));
    assertEquals(ReleaseAnswer.FREED, get(free.release()));
    assertEquals(List.of(), scene.server.ask("SELECT owner FROM holdfast.table_share"));
  }

  @Test
  void whoDoesNotWaitOvertakesNobodyWhoDoes() {
    LockBackend<?> backend = backend();
    LockClaim reader = claim(backend, "rw", Share.READ);
    LockClaim writer = claim(backend, "rw", Share.WRITE);
    assertTrue(isGranted(reader));
    assertFalse(isGranted(writer));
    assertFalse(isGranted(trying(backend, "rw", Share.READ)));
    get(reader.release());
    assertFalse(isGranted(trying(backend, "rw", Share.READ)));
    assertTrue(isGranted(writer));
  }

  @Test
  void aWriterBecomesAReader() {
    LockBackend<?> backend = backend();
    LockClaim writer = claim(backend, "rw", Share.WRITE);
    LockClaim reader = claim(backend, "rw", Share.READ);
    assertTrue(isGranted(writer));
    assertFalse(isGranted(reader));
    assertEquals(ReleaseAnswer.FREED, get(writer.reduceTo(1)));
    assertEquals(ReleaseAnswer.FREED, get(writer.reduceTo(1)));
    assertTrue(isGranted(reader));
    LockClaim writer2 = claim(backend, "rw", Share.WRITE);
    assertFalse(isGranted(writer2));
    get(writer.release());
    assertFalse(isGranted(writer2));
    get(reader.release());
    assertTrue(isGranted(writer2));
  }

  @Test
  void anotherCapacityIsRefusedWhileTheNameIsInUse() {
    LockBackend<?> backend = backend();
    LockClaim held = claim(backend, "s", Share.of(1, 5));
    assertTrue(isGranted(held));
    assertEquals(5, refused(claim(backend, "s", Share.of(1, 4))).inUse());
    assertEquals(5, refused(claim(backend, "s", Share.LOCK)).inUse());
    assertEquals(5, refused(claim(backend, "s", Share.READ)).inUse());
    LockClaim lock = claim(backend, "m", Share.LOCK);
    assertTrue(isGranted(lock));
    LockCapacityException refusal = refused(claim(backend, "m", Share.of(1, 5)));
    assertEquals(1, refusal.inUse());
    assertEquals(5, refusal.askedFor());
  }

  @Test
  void theReleaseOfAShareThatWasRefusedFreesNoLock() {
    LockBackend<?> backend = backend();
    LockClaim lock = claim(backend, "m", Share.LOCK);
    assertTrue(isGranted(lock));
    LockClaim share = claim(backend, "m", Share.of(1, 5));
    refused(share);
    assertEquals(ReleaseAnswer.NOT_OURS, get(share.release()));
    assertInstanceOf(RenewalAnswer.Extended.class, renewed(backend, lock));
    assertFalse(isGranted(claim(backend, "m", Share.LOCK)));
  }

  @Test
  void aCapacityIsChangedOnPurpose() {
    LockBackend<?> backend = backend();
    LockInspection inspection = backend.inspection().orElseThrow();
    LockClaim held = claim(backend, "s", Share.of(3, 5));
    assertTrue(isGranted(held));
    assertFalse(get(inspection.changeCapacity("s", 4, 3)));
    assertTrue(get(inspection.changeCapacity("s", 5, 3)));
    assertEquals(3, refused(claim(backend, "s", Share.of(1, 5))).inUse());
    LockClaim next = claim(backend, "s", Share.of(1, 3));
    assertFalse(isGranted(next));
    get(held.release());
    assertTrue(isGranted(next));
  }

  @Test
  void whoHoldsAShareIsToldAndCanLoseIt() {
    LockBackend<?> backend = backend();
    LockInspection inspection = backend.inspection().orElseThrow();
    LockClaim two = claim(backend, "s", Share.of(2, 5));
    LockClaim three = claim(backend, "s", Share.of(3, 5));
    assertTrue(isGranted(two));
    assertTrue(isGranted(three));
    assertFalse(isGranted(claim(backend, "s", Share.of(1, 5))));
    List<LockHolder> holders = get(inspection.holders("s"));
    assertEquals(
        List.of(Share.of(2, 5), Share.of(3, 5)), holders.stream().map(LockHolder::share).toList());
    assertTrue(get(inspection.names()).contains("s"));
    assertTrue(get(inspection.evict(holders.get(0))));
    assertFalse(get(inspection.evict(holders.get(0))));
    assertEquals(1, get(inspection.holders("s")).size());
    assertInstanceOf(RenewalAnswer.Lost.class, renewed(backend, two));
    assertInstanceOf(RenewalAnswer.Extended.class, renewed(backend, three));
  }

  /** And not for how long the name is in use. */
  @Test
  void eachHolderIsToldForHowLongItHasItsOwnShare() {
    LockBackend<?> backend = backend();
    assertTrue(isGranted(claim(backend, "s", Share.of(2, 5))));
    assertTrue(isGranted(claim(backend, "s", Share.of(3, 5), TTL.multipliedBy(9))));
    List<Duration> left =
        get(backend.inspection().orElseThrow().holders("s")).stream()
            .map(holder -> holder.expiresIn().orElseThrow())
            .toList();
    assertTrue(left.get(0).compareTo(TTL) <= 0, left::toString);
    assertTrue(left.get(1).compareTo(TTL) > 0, left::toString);
  }

  @Test
  void aNameThatAnAdministratorClearsIsLostToAllThatShareIt() {
    LockBackend<?> backend = backend();
    LockClaim share = claim(backend, "s", Share.of(1, 5));
    assertTrue(isGranted(share));
    scene.server.ask("UPDATE holdfast.table_lock SET owner = NULL WHERE name = 's'");
    assertTrue(isGranted(claim(backend, "s", Share.LOCK)));
    assertInstanceOf(RenewalAnswer.Lost.class, renewed(backend, share));
  }

  @Test
  void permitsOfADeadHolderComeBack() {
    LockBackend<?> backend = backend();
    LockClaim dead = claim(backend, "s", Share.of(5, 5), Duration.ofMillis(300));
    assertTrue(isGranted(dead));
    LockClaim next = claim(backend, "s", Share.of(1, 5));
    PostgresHarness.await("the dead one's permits", () -> isGranted(next));
    assertInstanceOf(RenewalAnswer.Lost.class, renewed(backend, dead));
    // Also those of a waiter that asks no more.
    LockClaim forgotten = claim(backend, "s", Share.of(5, 5));
    assertFalse(isGranted(forgotten));
    LockClaim last = claim(backend, "s", Share.of(1, 5));
    assertFalse(isGranted(last));
    PostgresHarness.await("the turn of the last", () -> isGranted(last));
  }

  @Test
  void manyAtATimeNeverHoldMoreThanThereIs() throws Exception {
    int capacity = 5;
    AtomicInteger held = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    AtomicLong grants = new AtomicLong();
    long end = System.nanoTime() + Duration.ofMinutes(1).toNanos();
    List<Callable<Void>> clients = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      // A row's lock goes to whoever is there first, so on a busy machine one may wait for long.
      LockBackend<?> backend = backend("command-timeout", "1m");
      clients.add(
          () -> {
            while (grants.get() < GRANTS && System.nanoTime() < end) {
              int permits = ThreadLocalRandom.current().nextInt(1, capacity + 1);
              LockClaim claim = claim(backend, "s", Share.of(permits, capacity));
              if (isGranted(claim)) {
                most.accumulateAndGet(held.addAndGet(permits), Math::max);
                grants.incrementAndGet();
                // For as long as a request takes.
                get(claim.attempt());
                held.addAndGet(-permits);
              }
              get(claim.release());
            }
            return null;
          });
    }
    ExecutorService threads = Executors.newFixedThreadPool(clients.size());
    try {
      for (Future<Void> done : threads.invokeAll(clients)) {
        done.get();
      }
    } finally {
      threads.shutdown();
    }
    assertTrue(most.get() <= capacity, most.toString());
    assertTrue(grants.get() >= GRANTS, grants.toString());
    assertEquals(List.of(), scene.server.ask("SELECT owner FROM holdfast.table_share"));
  }
}
