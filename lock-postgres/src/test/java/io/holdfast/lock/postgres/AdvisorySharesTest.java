/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.LockCapacityException;
import io.holdfast.lock.Share;
import io.holdfast.lock.postgres.schema.AdvisoryKey;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.LockBackend;
import io.holdfast.lock.spi.LockClaim;
import io.holdfast.lock.spi.ReleaseAnswer;
import io.holdfast.lock.spi.RenewalAnswer;
import java.sql.Connection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** Readers and writers of sessions, step by step, without the engine's waiting. */
class AdvisorySharesTest extends AdvisoryClaimsTestBase {

  private static LockCapacityException refused(LockClaim claim) {
    CompletionException failure =
        assertThrows(CompletionException.class, () -> get(claim.attempt()));
    return assertInstanceOf(LockCapacityException.class, failure.getCause());
  }

  @Test
  void readersOfAnySessionReadTogetherAndWritersWriteAlone() {
    for (LockBackend<?> other : List.of(backend(), backend())) {
      LockBackend<?> one = backend();
      for (LockBackend<?> beside : List.of(one, other)) {
        LockClaim reader = claim(one, "rw", Share.READ);
        LockClaim next = claim(beside, "rw", Share.READ);
        long first = token(reader);
        long second = token(next);
        assertFalse(isGranted(trying(beside, "rw", Share.WRITE)));
        assertEquals(ReleaseAnswer.FREED, get(reader.release()));
        assertFalse(isGranted(trying(one, "rw", Share.WRITE)), "next to the reader that is left");
        assertFalse(isGranted(trying(beside, "rw", Share.WRITE)));
        assertEquals(ReleaseAnswer.FREED, get(next.release()));
        LockClaim writer = claim(beside, "rw", Share.WRITE);
        long written = token(writer);
        assertTrue(written > Math.max(first, second));
        assertEquals(written, token(writer), "asked again, it is the same grant");
        assertFalse(isGranted(trying(one, "rw", Share.READ)));
        assertFalse(isGranted(trying(beside, "rw", Share.READ)));
        assertFalse(isGranted(trying(one, "rw", Share.WRITE)));
        assertEquals(ReleaseAnswer.FREED, get(writer.release()));
        LockClaim last = claim(one, "rw", Share.READ);
        assertTrue(token(last) > written);
        get(last.release());
        assertEquals(List.of(), locks());
      }
    }
  }

  @Test
  void aWriterThatWaitsIsNotOvertaken() {
    LockBackend<?> first = backend();
    LockBackend<?> second = backend();
    LockBackend<?> third = backend();
    LockClaim reader = claim(first, "rw", Share.READ);
    LockClaim writer = claim(second, "rw", Share.WRITE);
    LockClaim late = claim(third, "rw", Share.READ);
    assertTrue(isGranted(reader));
    assertFalse(isGranted(writer));
    for (LockBackend<?> each : List.of(first, second, third)) {
      assertFalse(isGranted(trying(each, "rw", Share.READ)));
    }
    assertFalse(isGranted(late));
    get(reader.release());
    assertFalse(isGranted(late));
    assertTrue(isGranted(writer));
    assertFalse(isGranted(late));
    get(writer.release());
    assertTrue(isGranted(late));
    get(late.release());
    assertEquals(List.of(), locks());
  }

  @Test
  void readersThatWaitAreBeforeTheNextWriter() {
    LockBackend<?> first = backend();
    LockBackend<?> second = backend();
    LockClaim writer = claim(first, "rw", Share.WRITE);
    LockClaim reader = claim(second, "rw", Share.READ);
    LockClaim next = claim(backend(), "rw", Share.WRITE);
    assertTrue(isGranted(writer));
    assertFalse(isGranted(reader));
    assertFalse(isGranted(next));
    get(writer.release());
    assertFalse(isGranted(next));
    assertTrue(isGranted(reader));
    assertFalse(isGranted(next));
    assertFalse(isGranted(trying(first, "rw", Share.READ)));
    get(reader.release());
    assertTrue(isGranted(next));
  }

  @Test
  void aWriterThatAsksForTheFirstTimeIsBehindReadersThatWait() {
    LockClaim writer = claim(backend(), "rw", Share.WRITE);
    LockClaim reader = claim(backend(), "rw", Share.READ);
    assertTrue(isGranted(writer));
    assertFalse(isGranted(reader));
    get(writer.release());
    LockBackend<?> other = backend();
    assertFalse(isGranted(trying(other, "rw", Share.WRITE)));
    LockClaim next = claim(other, "rw", Share.WRITE);
    assertFalse(isGranted(next));
    assertTrue(isGranted(reader));
    get(reader.release());
    assertTrue(isGranted(next));
    get(next.release());
    assertEquals(List.of(), locks());
  }

  @Test
  void whoGivesUpKeepsNobodyOut() {
    LockBackend<?> first = backend();
    LockBackend<?> second = backend();
    LockClaim reader = claim(first, "rw", Share.READ);
    assertTrue(isGranted(reader));
    LockClaim writer = claim(second, "rw", Share.WRITE);
    assertFalse(isGranted(writer));
    assertEquals(ReleaseAnswer.NOT_OURS, get(writer.release()));
    assertEquals(ONE_READER, locks());
    LockClaim tries = trying(second, "rw", Share.WRITE);
    assertFalse(isGranted(tries));
    assertEquals(ONE_READER, locks(), "of one that does not wait");
    LockClaim next = trying(second, "rw", Share.READ);
    assertTrue(isGranted(next));
    get(reader.release());
    assertFalse(isGranted(tries));
    assertEquals(ONE_READER, locks());
    get(next.release());
    assertEquals(List.of(), locks());
  }

  /** A lock of the name that finds it taken looks whether readers or writers have it. */
  @Test
  void aLookAtWhoUsesTheNameLeavesAWaiterItsTurn() throws Exception {
    LockClaim reader = claim(backend(), "rw", Share.READ);
    LockClaim writer = claim(backend(), "rw", Share.WRITE);
    assertTrue(isGranted(reader));
    assertFalse(isGranted(writer));
    get(reader.release());
    AdvisoryKey key = AdvisoryKey.of("advisory", "lock", "rw");
    String inUse = "(%d, %d)".formatted(~key.high(), ~key.low());
    try (Connection looking = scene.connect()) {
      PostgresHarness.ask(looking, "SELECT pg_advisory_lock" + inUse);
      assertFalse(isGranted(writer));
      PostgresHarness.ask(looking, "SELECT pg_advisory_unlock" + inUse);
    }
    assertTrue(isGranted(writer));
    get(writer.release());
    assertEquals(List.of(), locks());
  }

  @Test
  void aReleaseLeavesWhatAnotherReaderOfItsSessionHas() throws Exception {
    LockBackend<?> one = backend("command-timeout", "20s");
    LockBackend<?> other = backend();
    LockClaim first = claim(one, "rw", Share.READ);
    LockClaim second = claim(one, "rw", Share.READ);
    // Of a name that the server was not told yet.
    for (CompletionStage<Attempt> asked :
        together(one, List.of(first, second), LockClaim::attempt)) {
      assertInstanceOf(Attempt.Granted.class, get(asked));
    }
    get(first.release());
    assertEquals(ReleaseAnswer.FREED, get(first.release()), "released twice");
    assertFalse(isGranted(trying(other, "rw", Share.WRITE)));
    assertInstanceOf(RenewalAnswer.Extended.class, renewed(one, second));
    assertEquals(ONE_READER, locks());
    assertEquals(ReleaseAnswer.FREED, get(second.release()));
    assertEquals(List.of(), locks());
  }

  /** The session has the key once, and one of them gives it back. */
  @Test
  void readersOfASessionThatAreReleasedTogetherHaveBothRead() throws Exception {
    LockBackend<?> one = backend("command-timeout", "20s");
    LockClaim first = claim(one, "rw", Share.READ);
    LockClaim second = claim(one, "rw", Share.READ);
    LockClaim other = claim(one, "rw2", Share.READ);
    assertTrue(isGranted(first) && isGranted(second) && isGranted(other));
    for (CompletionStage<ReleaseAnswer> asked :
        together(one, List.of(first, second, other), LockClaim::release)) {
      assertEquals(ReleaseAnswer.FREED, get(asked));
    }
    assertEquals(List.of(), locks());
  }

  @Test
  void aLockAndAReadWriteLockOfOneNameRefuseEachOther() {
    LockBackend<?> one = backend();
    LockBackend<?> other = backend();
    for (Share share : List.of(Share.READ, Share.WRITE)) {
      LockClaim shared = claim(one, "rw", share);
      assertTrue(isGranted(shared));
      for (LockBackend<?> each : List.of(one, other)) {
        LockClaim lock = claim(each, "rw", Share.LOCK);
        assertEquals(Share.READ_WRITE_CAPACITY, refused(lock).inUse());
        get(lock.release());
      }
      get(shared.release());
      LockClaim lock = claim(one, "rw", Share.LOCK);
      assertTrue(isGranted(lock));
      for (LockBackend<?> each : List.of(one, other)) {
        LockClaim refused = claim(each, "rw", share);
        assertEquals(1, refused(refused).inUse());
        get(refused.release());
      }
      get(lock.release());
    }
    assertEquals(List.of(), locks());
  }

  @Test
  void aLockOfATransactionAndReadersKeepEachOtherOut() throws Exception {
    LockBackend<?> one = backend();
    try (Connection transaction = scene.connect()) {
      transaction.setAutoCommit(false);
      TransactionLocks.create().lock(transaction, "rw");
      assertEquals(1, refused(claim(one, "rw", Share.READ)).inUse());
      transaction.rollback();
      LockClaim reader = claim(one, "rw", Share.READ);
      assertTrue(isGranted(reader));
      assertTrue(TransactionLocks.create().tryLock(transaction, "rw").isEmpty());
      transaction.rollback();
    }
  }

  @Test
  void aWriterBecomesAReader() throws Exception {
    LockBackend<?> one = backend();
    LockBackend<?> other = backend();
    LockClaim writer = claim(one, "rw", Share.WRITE);
    LockClaim reader = claim(other, "rw", Share.READ);
    LockClaim next = claim(backend(), "rw", Share.WRITE);
    assertTrue(isGranted(writer));
    assertFalse(isGranted(reader));
    assertFalse(isGranted(next));
    assertEquals(ReleaseAnswer.FREED, get(writer.reduceTo(1)));
    assertEquals(ReleaseAnswer.FREED, get(writer.reduceTo(1)));
    assertFalse(isGranted(next));
    assertTrue(isGranted(reader));
    assertInstanceOf(RenewalAnswer.Extended.class, renewed(one, writer));
    assertEquals(ReleaseAnswer.FREED, get(writer.release()));
    assertFalse(isGranted(next));
    assertEquals(ReleaseAnswer.FREED, get(reader.release()));
    assertTrue(isGranted(next));
    assertEquals(ReleaseAnswer.NOT_OURS, get(reader.reduceTo(1)));
  }

  /** The server then refuses whoever does not wait, and would refuse what its holder has. */
  @Test
  void aWriterBecomesAReaderThoughATransactionWaitsForTheLock() throws Exception {
    LockBackend<?> one = backend();
    LockClaim writer = claim(one, "rw", Share.WRITE);
    assertTrue(isGranted(writer));
    try (Connection transaction = scene.connect()) {
      transaction.setAutoCommit(false);
      CompletableFuture<Long> waiting =
          CompletableFuture.supplyAsync(() -> TransactionLocks.create().lock(transaction, "rw"));
      scene.awaitWaiter();
      assertEquals(ReleaseAnswer.FREED, get(writer.reduceTo(1)));
      assertFalse(waiting.isDone());
      get(writer.release());
      assertTrue(waiting.join() > 0);
      transaction.rollback();
    }
  }
}
