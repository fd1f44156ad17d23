/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.LockHolder;
import io.holdfast.lock.LossReason;
import io.holdfast.lock.Share;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.LockBackend;
import io.holdfast.lock.spi.LockClaim;
import io.holdfast.lock.spi.LockInspection;
import io.holdfast.lock.spi.ReleaseAnswer;
import io.holdfast.lock.spi.RenewalAnswer;
import io.holdfast.lock.spi.RenewalRequest;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** Requests that gather while another is under way go out in an order of their own. */
class TableEarlierEndTest extends TableClaimsTestBase {

  private static final Duration BRIEF = Duration.ofMillis(200);
  private static final Duration SOON = Duration.ofSeconds(1);
  private static final Duration HOUR = Duration.ofHours(1);

  @Test
  void aRenewalThatWasAskedForBeforeDoesNotUndoIt() throws Exception {
    endsEarlier(Share.LOCK);
  }

  @Test
  void norDoesOneOfAShare() throws Exception {
    endsEarlier(Share.READ);
  }

  @SuppressWarnings("unchecked")
  private void endsEarlier(Share share) throws Exception {
    LockBackend<LockClaim> backend = (LockBackend<LockClaim>) backend("command-timeout", "20s");
    LockClaim claim = claim(backend, "a", share);
    assertInstanceOf(Attempt.Granted.class, get(claim.attempt()));
    CompletionStage<List<RenewalAnswer>> renewal;
    CompletionStage<RenewalAnswer> end;
    try (Connection administrator = scene.connect()) {
      administrator.setAutoCommit(false);
      PostgresHarness.ask(administrator, "LOCK TABLE holdfast.table_lock");
      CompletionStage<Attempt> before = claim(backend, "b", Share.LOCK).attempt();
      scene.awaitWaiter();
      renewal = backend.renew(List.of(new RenewalRequest<>(claim, HOUR, SOON)));
      end = claim.expireIn(SOON);
      administrator.commit();
      assertInstanceOf(Attempt.Granted.class, get(before));
    }
    assertEquals(List.of(new RenewalAnswer.Extended(HOUR)), get(renewal));
    assertEquals(new RenewalAnswer.Extended(SOON), get(end));
    LockClaim next = claim(backend, "a", Share.LOCK);
    PostgresHarness.await("the name is free", () -> isFree(next));
  }

  /** As by a process that stood still: the name is free by then. */
  @Test
  void oneThatComesTooLateTakesNothing() {
    LockBackend<?> backend = backend();
    LockClaim ended = claim(backend, "ended", Share.LOCK, BRIEF);
    LockClaim released = claim(backend, "released", Share.LOCK, BRIEF);
    assertTrue(isGranted(ended));
    assertTrue(isGranted(released));
    String over = "SELECT name FROM holdfast.table_lock WHERE expires_at <= now()";
    PostgresHarness.await("their ends", () -> scene.server.ask(over).size() == 2);
    assertEquals(new RenewalAnswer.Lost(LossReason.REVOKED), get(ended.expireIn(HOUR)));
    assertEquals(ReleaseAnswer.NOT_OURS, get(released.release(HOUR)));
    assertTrue(isGranted(claim(backend, "ended", Share.LOCK)));
    assertTrue(isGranted(claim(backend, "released", Share.LOCK)));
  }

  /** An operator who takes it away is told that this was not needed any more. */
  @Test
  void aLockThatHasEndedIsTakenFromNobody() {
    LockBackend<?> backend = backend();
    LockInspection inspection = backend.inspection().orElseThrow();
    assertTrue(isGranted(claim(backend, "a", Share.LOCK)));
    LockHolder holder = get(inspection.holder("a")).orElseThrow();
    scene.server.ask("UPDATE holdfast.table_lock SET expires_at = now()");
    assertFalse(get(inspection.evict(holder)));
  }

  private static boolean isFree(LockClaim next) {
    return next.attempt()
        .handle((answer, inUse) -> answer instanceof Attempt.Granted)
        .toCompletableFuture()
        .join();
  }
}
