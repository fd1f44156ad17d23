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
import io.holdfast.lock.LockRejectedException;
import io.holdfast.lock.LossReason;
import io.holdfast.lock.Share;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.ClaimSignals;
import io.holdfast.lock.spi.LockBackend;
import io.holdfast.lock.spi.LockClaim;
import io.holdfast.lock.spi.LockInspection;
import io.holdfast.lock.spi.ReleaseAnswer;
import io.holdfast.lock.spi.RenewalAnswer;
import io.holdfast.lock.spi.RenewalRequest;
import io.holdfast.lock.spi.Settings;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Shares of a name in tables, step by step, without the engine's waiting. */
class TableSharesTest {

  private static final Duration TTL = Duration.ofSeconds(20);
  private static final ClaimSignals DEAF =
      new ClaimSignals() {
        @Override
        public void wake() {
          // These tests ask again by themselves.
        }

        @Override
        public void lost(LossReason reason) {
          // A table tells no loss by itself.
        }
      };

  private final PostgresHarness scene = new PostgresHarness();
  private final AtomicInteger owners = new AtomicInteger();

  @AfterEach
  void close() {
    scene.close();
  }

  private LockBackend<?> backend(String... more) {
    return scene.closing(
        new TableLockProvider().open(new Settings("postgres-table", scene.settings(more))));
  }

  private LockClaim claim(LockBackend<?> backend, String name, Share share) {
    return claim(backend, name, share, TTL);
  }

  private LockClaim claim(LockBackend<?> backend, String name, Share share, Duration ttl) {
    return backend.claim(
        new ClaimRequest(name, "owner-" + owners.incrementAndGet(), ttl, share), DEAF);
  }

  private static <T> T get(CompletionStage<T> stage) {
    return stage.toCompletableFuture().join();
  }

  private static boolean isGranted(LockClaim claim) {
    return get(claim.attempt()) instanceof Attempt.Granted;
  }

  private static long token(LockClaim claim) {
    return assertInstanceOf(Attempt.Granted.class, get(claim.attempt())).token();
  }

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

  @Test
  void aNameThatAnAdministratorClearsIsLostToAllThatShareIt() {
    LockBackend<?> backend = backend();
    LockClaim share = claim(backend, "s", Share.of(1, 5));
    assertTrue(isGranted(share));
    scene.server.ask("UPDATE holdfast.table_lock SET owner = NULL WHERE name = 's'");
    assertTrue(isGranted(claim(backend, "s", Share.LOCK)));
    assertInstanceOf(RenewalAnswer.Lost.class, renewed(backend, share));
  }

  private static RenewalAnswer renewed(LockBackend<?> backend, LockClaim claim) {
    return renewed(backend, List.of(claim)).get(0);
  }

  /** The claims are ones that the backend has made. */
  @SuppressWarnings("unchecked")
  private static List<RenewalAnswer> renewed(LockBackend<?> backend, List<LockClaim> claims) {
    LockBackend<LockClaim> known = (LockBackend<LockClaim>) backend;
    return get(
        known.renew(claims.stream().map(claim -> new RenewalRequest<>(claim, TTL, TTL)).toList()));
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
  void aSchemaWithoutSharesGoesOnForLocks() {
    backend().close();
    scene.server.ask("DROP TABLE holdfast.table_share");
    LockBackend<?> backend = backend("create-schema", "false");
    LockClaim lock = claim(backend, "m", Share.LOCK);
    assertTrue(isGranted(lock));
    assertInstanceOf(RenewalAnswer.Extended.class, renewed(backend, lock));
    assertEquals(ReleaseAnswer.FREED, get(lock.release()));
    LockClaim shared = claim(backend, "s", Share.READ);
    CompletionException failure =
        assertThrows(CompletionException.class, () -> get(shared.attempt()));
    LockRejectedException refusal =
        assertInstanceOf(LockRejectedException.class, failure.getCause());
    assertTrue(String.valueOf(refusal.getMessage()).contains("holdfast.sql"));
    // It was taken back as a whole.
    assertEquals(
        List.of(), scene.server.ask("SELECT name FROM holdfast.table_lock WHERE name = 's'"));
    // Nothing is left to be released.
    assertEquals(ReleaseAnswer.NOT_OURS, get(shared.release()));
  }

  @Test
  void whatIsRefusedOfSharesFailsNoLock() throws Exception {
    LockBackend<?> backend = backend();
    LockClaim lock = claim(backend, "m", Share.LOCK);
    LockClaim shared = claim(backend, "s", Share.READ);
    assertTrue(isGranted(lock));
    assertTrue(isGranted(shared));
    scene.server.ask("ALTER TABLE holdfast.table_share RENAME TO elsewhere");
    List<RenewalAnswer> answers = renewed(backend, List.of(shared, lock));
    assertInstanceOf(RenewalAnswer.Unknown.class, answers.get(0));
    assertInstanceOf(RenewalAnswer.Extended.class, answers.get(1));
    CompletionStage<ReleaseAnswer> ofLock;
    CompletionStage<ReleaseAnswer> ofShared;
    try (Connection administrator = scene.connect()) {
      administrator.setAutoCommit(false);
      PostgresHarness.ask(administrator, "LOCK TABLE holdfast.table_lock");
      // While it is under way, the releases gather.
      CompletionStage<Attempt> before = claim(backend, "m2", Share.LOCK).attempt();
      PostgresHarness.await(
          "the request before",
          () -> !scene.server.ask("SELECT pid FROM pg_locks WHERE NOT granted").isEmpty());
      ofLock = lock.release();
      ofShared = shared.release();
      administrator.commit();
      assertInstanceOf(Attempt.Granted.class, get(before));
    }
    assertEquals(ReleaseAnswer.FREED, get(ofLock));
    CompletionException failure = assertThrows(CompletionException.class, () -> get(ofShared));
    assertInstanceOf(LockRejectedException.class, failure.getCause());
    scene.server.ask("ALTER TABLE holdfast.elsewhere RENAME TO table_share");
    assertEquals(ReleaseAnswer.FREED, get(shared.release()));
  }

  @Test
  void afterAStepBackANameIsInUseNoLongerThanItsShares() {
    LockBackend<?> backend = backend();
    LockClaim one = claim(backend, "s", Share.of(1, 5));
    LockClaim other = claim(backend, "s", Share.of(1, 5));
    assertTrue(isGranted(one));
    assertTrue(isGranted(other));
    // As if the clock had been an hour ahead when they were granted.
    for (String table : List.of("table_share", "table_lock")) {
      scene.server.ask(
          "UPDATE holdfast." + table + " SET expires_at = expires_at + interval '1 hour'");
    }
    assertInstanceOf(RenewalAnswer.Extended.class, renewed(backend, one));
    PostgresHarness.await("the end of one", () -> ahead("table_share") == 1);
    assertEquals(1, ahead("table_lock"));
    assertInstanceOf(RenewalAnswer.Extended.class, renewed(backend, other));
    PostgresHarness.await("the end of the other", () -> ahead("table_share") == 0);
    assertEquals(0, ahead("table_lock"));
    assertEquals(ReleaseAnswer.FREED, get(one.release()));
    assertEquals(ReleaseAnswer.FREED, get(other.release()));
  }

  /** How many rows end later than a time to live from now. */
  private int ahead(String table) {
    String later = "expires_at > now() + interval '" + TTL.plusSeconds(1).toSeconds() + " s'";
    return scene.server.ask("SELECT name FROM holdfast." + table + " WHERE " + later).size();
  }

  @Test
  void manyAtATimeNeverHoldMoreThanThereIs() throws Exception {
    int capacity = 5;
    AtomicInteger held = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    AtomicLong grants = new AtomicLong();
    long end = System.nanoTime() + Duration.ofSeconds(6).toNanos();
    List<Callable<Void>> clients = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      LockBackend<?> backend = backend();
      clients.add(
          () -> {
            while (System.nanoTime() < end) {
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
    assertTrue(grants.get() > 50, grants.toString());
    assertEquals(List.of(), scene.server.ask("SELECT owner FROM holdfast.table_share"));
  }
}
