/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.LockHolder;
import io.holdfast.lock.LockRejectedException;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.LossReason;
import io.holdfast.lock.Share;
import io.holdfast.lock.postgres.schema.AdvisoryKey;
import io.holdfast.lock.servers.Direction;
import io.holdfast.lock.servers.TcpProxy;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.ClaimSignals;
import io.holdfast.lock.spi.LockBackend;
import io.holdfast.lock.spi.LockClaim;
import io.holdfast.lock.spi.LockInspection;
import io.holdfast.lock.spi.ReleaseAnswer;
import io.holdfast.lock.spi.RenewalAnswer;
import io.holdfast.lock.spi.support.Batcher;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What others see of readers and writers of sessions, and what a failed statement leaves. */
class AdvisoryShareTroubleTest extends AdvisoryClaimsTestBase {

  /** Sessions that have been asked something a moment ago. */
  private static final String BUSY =
      "SELECT pid FROM pg_stat_activity WHERE application_name LIKE 'holdfast%'"
          + " AND (state <> 'idle' OR state_change > clock_timestamp() - interval '300 ms')";

  /** How long it is valid is counted from the question that the server has answered. */
  @Test
  void aGrantIsNotRepeatedUnlessTheServerAnswers() {
    TcpProxy link = scene.closing(TcpProxy.to(scene.server.host(), scene.server.port()));
    String url = scene.url(link);
    LockBackend<?> backend = backend("url", url, "command-timeout", "1s");
    LockClaim claim = claim(backend, "a", Share.LOCK);
    acquire(claim);
    // What the client asks after a grant, to tidy up, would fail as well.
    PostgresHarness.await("a client that asks nothing", () -> scene.server.ask(BUSY).isEmpty());
    link.stall(Direction.TO_SERVER, Direction.TO_CLIENT);
    assertThrows(CompletionException.class, () -> get(claim.attempt()));
    link.heal();
  }

  /** The time of the first is over for a caller that asks again. */
  @Test
  void ofTwoQuestionsThatGoOutTogetherTheLastIsAnswered() {
    LockClaim claim = claim(backend(), "a", Share.LOCK);
    List<CompletionStage<Attempt>> asked = new ArrayList<>();
    Batcher.together(
        () -> {
          asked.add(claim.attempt());
          asked.add(claim.attempt());
        });
    assertInstanceOf(Attempt.Granted.class, get(asked.get(1)));
    assertEquals(ReleaseAnswer.FREED, get(claim.release()));
    assertEquals(List.of(), locks());
  }

  @Test
  void inspectionTellsReadersAndWriters() {
    LockBackend<?> one = backend();
    LockBackend<?> other = backend();
    LockBackend<?> third = backend();
    LockInspection inspection = backend().inspection().orElseThrow();
    LockClaim reader = claim(one, "rw", Share.READ);
    LockClaim gone = claim(other, "rw", Share.READ);
    assertTrue(isGranted(reader) && isGranted(gone));
    LockClaim writer = claim(third, "rw", Share.WRITE);
    assertFalse(isGranted(writer));
    LockClaim alone = claim(other, "alone", Share.WRITE);
    LockClaim lock = claim(other, "lock", Share.LOCK);
    assertTrue(isGranted(alone) && isGranted(lock));
    assertEquals(List.of(Share.WRITE), shares(get(inspection.holders("alone"))));
    assertEquals(List.of(Share.LOCK), shares(get(inspection.holders("lock"))));
    List<LockHolder> holders = get(inspection.holders("rw"));
    assertEquals(List.of(Share.READ, Share.READ), shares(holders));
    assertEquals(Set.of("alone", "lock", "rw"), get(inspection.names()));
    // The session of one of them has two more locks, and the other's has none.
    int evicted = 0;
    for (LockHolder holder : holders) {
      try {
        evicted += get(inspection.evict(holder)) ? 1 : 0;
      } catch (CompletionException e) {
        if (e.getCause() instanceof LockUnavailableException) {
          // It was told to end, and has not within half a second.
          evicted++;
          continue;
        }
        String told = assertInstanceOf(LockRejectedException.class, e.getCause()).getMessage();
        assertTrue(String.valueOf(told).contains("2 other lock(s)"), told);
      }
    }
    assertEquals(1, evicted);
    // Until its client has heard of it, nothing answers there.
    PostgresHarness.await("the loss", () -> renewed(one, reader) instanceof RenewalAnswer.Lost);
    assertInstanceOf(RenewalAnswer.Extended.class, renewed(other, gone));
    get(gone.release());
    // A session that ends tells its client before it gives up its locks.
    PostgresHarness.await("the writer's turn", () -> isGranted(writer));
  }

  /** Otherwise one that waits behind others would have its turn when somebody releases. */
  @Test
  void whoIsGrantedTellsThoseBehind() {
    LockClaim writer = claim(backend(), "rw", Share.WRITE);
    LockClaim reader = claim(backend(), "rw", Share.READ);
    AtomicInteger woken = new AtomicInteger();
    LockClaim behind = claim(backend(), "rw", Share.WRITE, TTL, counting(woken));
    assertTrue(isGranted(writer));
    assertFalse(isGranted(reader));
    assertFalse(isGranted(behind));
    assertEquals(0, woken.get());
    get(writer.release());
    PostgresHarness.await("the release to be told", () -> woken.get() == 1);
    assertTrue(isGranted(reader));
    PostgresHarness.await("the grant to be told", () -> woken.get() == 2);
    assertFalse(isGranted(behind));
    assertFalse(isGranted(trying(backend(), "rw", Share.READ)), "it has the turn now");
  }

  /** The server does not keep a session out for what it has itself, and so tells it nothing. */
  @Test
  void aWriterThatBecomesAReaderTellsThoseOfItsOwnSession() {
    LockBackend<?> one = backend();
    AtomicInteger woken = new AtomicInteger();
    LockClaim writer = claim(one, "rw", Share.WRITE);
    LockClaim reader = claim(one, "rw", Share.READ, TTL, counting(woken));
    assertTrue(isGranted(writer));
    assertFalse(isGranted(reader));
    assertEquals(0, woken.get());
    assertEquals(ReleaseAnswer.FREED, get(writer.reduceTo(1)));
    PostgresHarness.await("the downgrade to be told", () -> woken.get() == 1);
    assertTrue(isGranted(reader));
  }

  /** It keeps out all who come later for as long as it waits. */
  @Test
  void whoGivesUpItsTurnTellsThoseBehind() {
    LockClaim reader = claim(backend(), "rw", Share.READ);
    LockClaim writer = claim(backend(), "rw", Share.WRITE);
    AtomicInteger woken = new AtomicInteger();
    LockClaim behind = claim(backend(), "rw", Share.READ, TTL, counting(woken));
    assertTrue(isGranted(reader));
    assertFalse(isGranted(writer));
    assertFalse(isGranted(behind));
    assertEquals(0, woken.get());
    assertEquals(ReleaseAnswer.NOT_OURS, get(writer.release()));
    PostgresHarness.await("the end of the turn to be told", () -> woken.get() == 1);
    assertTrue(isGranted(behind));
  }

  /** One that releases looks for marks, and keeps others from leaving one for that moment. */
  @Test
  void whoCannotLeaveItsMarkIsToldToAskAgain() throws Exception {
    for (Share share : List.of(Share.LOCK, Share.WRITE)) {
      String name = "marked as " + share;
      LockClaim holder = claim(backend(), name, share);
      AtomicInteger woken = new AtomicInteger();
      LockClaim waiter = claim(backend(), name, share, TTL, counting(woken));
      assertTrue(isGranted(holder));
      AdvisoryKey key = AdvisoryKey.of("advisory", "lock", name);
      String mark = "(%d, %d)".formatted(key.high(), key.low());
      try (Connection looking = scene.connect()) {
        PostgresHarness.ask(looking, "SELECT pg_advisory_lock" + mark);
        assertFalse(isGranted(waiter));
        assertEquals(1, woken.get(), name);
        PostgresHarness.ask(looking, "SELECT pg_advisory_unlock" + mark);
      }
      assertFalse(isGranted(waiter), "now it is marked");
      assertEquals(1, woken.get(), name);
      assertEquals(ReleaseAnswer.FREED, get(holder.release()));
      PostgresHarness.await("the release to be told", () -> woken.get() == 2);
      assertTrue(isGranted(waiter));
    }
  }

  private static ClaimSignals counting(AtomicInteger woken) {
    return new ClaimSignals() {
      @Override
      public void wake() {
        woken.incrementAndGet();
      }

      @Override
      public void lost(LossReason reason) {
        // No session ends here.
      }
    };
  }

  private static List<Share> shares(List<LockHolder> holders) {
    return holders.stream().map(LockHolder::share).toList();
  }

  /** The statement takes the lock, and then waits for its token until it is ended. */
  @Test
  void aStatementThatFailsLeavesNothing() throws Exception {
    LockBackend<?> one = backend();
    LockClaim held = claim(one, "held", Share.READ);
    assertTrue(isGranted(held));
    try (Connection administrator = withoutTokens()) {
      for (Share share : List.of(Share.READ, Share.WRITE)) {
        failsWithoutAToken(claim(one, "stuck", share));
        PostgresHarness.await("only the other", () -> locks().equals(ONE_READER));
      }
      administrator.rollback();
    }
    assertInstanceOf(RenewalAnswer.Extended.class, renewed(one, held));
    assertTrue(isGranted(trying(backend(), "stuck", Share.WRITE)));
  }

  private void failsWithoutAToken(LockClaim stuck) {
    CompletionStage<Attempt> attempt = stuck.attempt();
    scene.cancelWaiters();
    assertThrows(CompletionException.class, () -> get(attempt));
  }

  @Test
  void aStatementThatFailsBesideAReaderOfItsNameLeavesThatReader() throws Exception {
    LockBackend<?> one = backend();
    LockClaim held = claim(one, "rw", Share.READ);
    assertTrue(isGranted(held));
    try (Connection administrator = withoutTokens()) {
      failsWithoutAToken(claim(one, "rw", Share.READ));
      PostgresHarness.await("only the other", () -> locks().equals(ONE_READER));
      administrator.rollback();
    }
    assertInstanceOf(RenewalAnswer.Extended.class, renewed(one, held));
    LockClaim writer = claim(backend(), "rw", Share.WRITE);
    assertFalse(isGranted(writer));
    assertEquals(ReleaseAnswer.FREED, get(held.release()));
    assertTrue(isGranted(writer));
    get(writer.release());
    assertEquals(List.of(), locks());
  }
}
