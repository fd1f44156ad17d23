/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.LockHolder;
import io.holdfast.lock.Share;
import io.holdfast.lock.spi.LockBackend;
import io.holdfast.lock.spi.LockClaim;
import io.holdfast.lock.spi.LockInspection;
import io.holdfast.lock.spi.ReleaseAnswer;
import io.holdfast.lock.spi.RenewalAnswer;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** When the use of a name ends that several share, and who is told. */
class TableShareEndsTest extends TableClaimsTestBase {

  private static final Duration LONG = Duration.ofHours(1);

  /** The name is in use until the last end of its shares, to the microsecond. */
  private void assertEndsWithTheLast() {
    assertEquals(
        scene.server.ask("SELECT max(expires_at) FROM holdfast.table_share WHERE name = 's'"),
        scene.server.ask("SELECT expires_at FROM holdfast.table_lock WHERE name = 's'"));
  }

  @Test
  void aNameIsNotInUseForTheMarkOfAWaiterThatWasServed() {
    LockBackend<?> backend = backend();
    LockClaim holder = claim(backend, "s", Share.of(5, 5));
    LockClaim waiter = claim(backend, "s", Share.of(1, 5), Duration.ofMillis(500));
    assertTrue(isGranted(holder));
    assertFalse(isGranted(waiter));
    get(holder.release());
    assertTrue(isGranted(waiter));
    assertEndsWithTheLast();
  }

  @Test
  void aNameIsNotInUseForARowThatAnAdministratorHasDeleted() {
    LockBackend<?> backend = backend();
    LockClaim deleted = claim(backend, "s", Share.of(1, 5), LONG);
    LockClaim other = claim(backend, "s", Share.of(1, 5));
    assertTrue(isGranted(deleted));
    assertTrue(isGranted(other));
    deleteLongOnes();
    assertTrue(isGranted(claim(backend, "s", Share.of(1, 5))));
    assertEndsWithTheLast();
  }

  /** It is told with the next renewal, and releases what was lost. */
  @Test
  void aNameIsFreeOnceTheHolderOfADeletedRowKnows() {
    LockBackend<?> backend = backend();
    LockClaim deleted = claim(backend, "s", Share.of(1, 5), LONG);
    assertTrue(isGranted(deleted));
    deleteLongOnes();
    assertInstanceOf(RenewalAnswer.Lost.class, renewed(backend, deleted));
    assertEquals(ReleaseAnswer.NOT_OURS, get(deleted.release()));
    assertTrue(isGranted(claim(backend, "s", Share.LOCK)));
  }

  private void deleteLongOnes() {
    scene.server.ask(
        "DELETE FROM holdfast.table_share WHERE expires_at > now() + interval '30 min'");
  }

  /** An administrator clears a name; the next share counts those that are there. */
  @Test
  void aNameThatIsUsedAgainEndsWithTheLastThatIsCounted() {
    LockBackend<?> backend = backend();
    LockClaim before = claim(backend, "s", Share.of(1, 5), LONG);
    assertTrue(isGranted(before));
    scene.server.ask("UPDATE holdfast.table_lock SET owner = NULL WHERE name = 's'");
    assertTrue(isGranted(claim(backend, "s", Share.of(4, 5))));
    assertFalse(isGranted(claim(backend, "s", Share.of(1, 5))));
    assertEndsWithTheLast();
  }

  @Test
  void aShareThatIsOverIsNotRenewed() {
    isNotRenewedWhenItIsOver(Share.of(1, 5), "table_share");
  }

  @Test
  void norIsALock() {
    isNotRenewedWhenItIsOver(Share.LOCK, "table_lock");
  }

  /** Though its row is still there. */
  private void isNotRenewedWhenItIsOver(Share share, String table) {
    LockBackend<?> backend = backend();
    LockClaim claim = claim(backend, "s", share, Duration.ofMillis(200));
    assertTrue(isGranted(claim));
    String over = "SELECT owner FROM holdfast." + table + " WHERE expires_at <= now()";
    PostgresHarness.await("its end", () -> scene.server.ask(over).size() == 1);
    assertInstanceOf(RenewalAnswer.Lost.class, renewed(backend, claim));
    assertEquals(1, scene.server.ask(over).size());
  }

  /** As for a minimum hold that is longer than its TTL. */
  @Test
  void aRenewalDoesNotTakeBackALaterEndThatWasSet() {
    LockBackend<?> backend = backend();
    for (Share share : List.of(Share.LOCK, Share.READ)) {
      LockClaim claim = claim(backend, "end of " + share, share);
      assertTrue(isGranted(claim));
      assertInstanceOf(RenewalAnswer.Extended.class, get(claim.expireIn(LONG)));
      assertInstanceOf(RenewalAnswer.Extended.class, renewed(backend, claim));
      // What the first has set in motion is done before the second.
      assertInstanceOf(RenewalAnswer.Extended.class, renewed(backend, claim));
    }
    assertLong(2);
  }

  /** An attempt may be made again when the answer to the first was lost. */
  @Test
  void anAttemptTakesBackNothingOfAnExtension() {
    LockBackend<?> backend = backend();
    for (Share share : List.of(Share.LOCK, Share.READ)) {
      LockClaim claim = claim(backend, "again " + share, share);
      assertTrue(isGranted(claim));
      assertInstanceOf(RenewalAnswer.Extended.class, renewed(backend, claim, LONG));
      assertTrue(isGranted(claim));
    }
    assertLong(2);
  }

  private void assertLong(int names) {
    String later = "expires_at > now() + interval '30 min'";
    assertEquals(
        names, scene.server.ask("SELECT name FROM holdfast.table_lock WHERE " + later).size());
  }

  @Test
  void whoWaitsIsToldOfARelease() {
    LockBackend<?> backend = backend();
    LockClaim holder = claim(backend, "s", Share.of(5, 5));
    assertTrue(isGranted(holder));
    waiting(backend).isToldOf("a release", () -> get(holder.release()));
  }

  @Test
  void whoWaitsIsToldOfAWaiterThatLeaves() {
    LockBackend<?> backend = backend();
    assertTrue(isGranted(claim(backend, "s", Share.of(3, 5))));
    LockClaim ahead = claim(backend, "s", Share.of(5, 5));
    assertFalse(isGranted(ahead));
    waiting(backend).isToldOf("a waiter that leaves", () -> get(ahead.release()));
  }

  @Test
  void whoWaitsIsToldOfAnEviction() {
    LockBackend<?> backend = backend();
    assertTrue(isGranted(claim(backend, "s", Share.of(5, 5))));
    LockInspection inspection = backend.inspection().orElseThrow();
    LockHolder holder = get(inspection.holder("s")).orElseThrow();
    waiting(backend).isToldOf("an eviction", () -> assertTrue(get(inspection.evict(holder))));
  }

  @Test
  void whoWaitsIsToldOfPermitsThatCameBack() {
    LockBackend<?> backend = backend();
    LockClaim holder = claim(backend, "s", Share.of(5, 5));
    assertTrue(isGranted(holder));
    waiting(backend).isToldOf("fewer permits", () -> get(holder.reduceTo(1)));
  }

  /** As after a fail-over to a standby that had not heard of it. */
  @Test
  void aReaderThatTheServerTakesForAWriterAgainIsOneUntilItsNextRenewalOnly() {
    LockBackend<?> backend = backend();
    LockClaim downgraded = claim(backend, "rw", Share.WRITE);
    assertTrue(isGranted(downgraded));
    assertEquals(ReleaseAnswer.FREED, get(downgraded.reduceTo(1)));
    scene.server.ask("UPDATE holdfast.table_share SET permits = " + Share.READ_WRITE_CAPACITY);
    Waiter waiter = new Waiter();
    LockClaim reader = claim(backend(), "rw", Share.READ, TTL, waiter);
    assertFalse(isGranted(reader));
    waiter.isToldOf("the renewal", () -> renewed(backend, downgraded));
    assertTrue(isGranted(reader));
  }

  /** It may have been sent before a part was given back, and arrive after. */
  @Test
  void aRenewalRaisesNoPermits() {
    LockBackend<?> backend = backend();
    LockClaim claim = claim(backend, "s", Share.of(2, 5));
    assertTrue(isGranted(claim));
    scene.server.ask("UPDATE holdfast.table_share SET permits = 1");
    assertInstanceOf(RenewalAnswer.Extended.class, renewed(backend, claim));
    assertEquals(List.of("1"), scene.server.ask("SELECT permits FROM holdfast.table_share"));
  }

  /** It asks again when that end has come. */
  @Test
  void whoWaitsIsToldOfAnEarlierEnd() {
    LockBackend<?> backend = backend();
    LockClaim holder = claim(backend, "s", Share.of(5, 5), LONG);
    assertTrue(isGranted(holder));
    waiting(backend).isToldOf("an earlier end", () -> get(holder.expireIn(TTL)));
  }

  @Test
  void whoWaitsIsToldOfAGreaterCapacity() {
    LockBackend<?> backend = backend();
    assertTrue(isGranted(claim(backend, "s", Share.of(5, 5))));
    LockInspection inspection = backend.inspection().orElseThrow();
    waiting(backend)
        .isToldOf(
            "a greater capacity", () -> assertTrue(get(inspection.changeCapacity("s", 5, 6))));
  }

  /** One permit is asked for, of five, and there is none. */
  private Waiter waiting(LockBackend<?> backend) {
    Waiter waiter = new Waiter();
    assertFalse(isGranted(claim(backend, "s", Share.of(1, 5), TTL, waiter)));
    return waiter;
  }
}
