/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redis;

import static io.holdfast.lock.redis.RedisHarness.DEAF;
import static io.holdfast.lock.redis.RedisHarness.until;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.LockCapacityException;
import io.holdfast.lock.LockRejectedException;
import io.holdfast.lock.Share;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.ReleaseAnswer;
import io.holdfast.lock.spi.RenewalAnswer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

/** Shares where the key or the server is not as the backend has left it. */
class ShareAdversityTest extends ShareClaims {

  @Test
  void somethingElseAtTheKeyIsLeftAlone() {
    server.command("HSET", "lock:a", "title", "of somebody");
    CompletionException told =
        assertThrows(CompletionException.class, () -> join(claim(TWO_OF_FIVE, LONG).attempt()));
    assertInstanceOf(LockRejectedException.class, told.getCause());
    assertEquals("of somebody", server.command("HGET", "lock:a", "title"));
  }

  /** Rebased by what was left then: nobody has to wait for the length of the step. */
  @Test
  void aStepOfTheClockBackDoesNotKeepThePermitsOfTheDead() {
    long later = System.currentTimeMillis() + Duration.ofHours(1).toMillis();
    server.command("HSET", "lock:a", "capacity", "5", "places", "0");
    server.command("HSET", "lock:a", "h:dead", "5 %d %d 1".formatted(later + 500, later));
    server.command("PEXPIREAT", "lock:a", String.valueOf(later + 500));
    RedisClaim next = claim(TWO_OF_FIVE, LONG);
    Attempt.Contended told = contended(next);
    assertTrue(told.askAgainIn().orElseThrow().toMillis() <= 500, told.toString());
    until("it is free", () -> join(next.attempt()) instanceof Attempt.Granted);
  }

  @Test
  void aLockDoesNotWaitForTheLengthOfAStepOfTheClockBack() {
    long later = System.currentTimeMillis() + Duration.ofHours(1).toMillis();
    server.command("HSET", "lock:a", "capacity", "5", "places", "0");
    server.command("HSET", "lock:a", "h:dead", "5 %d %d 1".formatted(later + 500, later));
    server.command("PEXPIREAT", "lock:a", String.valueOf(later + 500));
    assertCapacities(claim(Share.LOCK, LONG), 1, 5);
    until("it is over", () -> holders().isEmpty());
    granted(claim(Share.LOCK, LONG));
  }

  @Test
  void aLockThatFindsSharesOverIsTakenNext() {
    long before = System.currentTimeMillis() - 1000;
    server.command("HSET", "lock:a", "capacity", "5", "places", "0");
    server.command("HSET", "lock:a", "h:dead", "5 %d %d 1".formatted(before, before));
    server.command("PEXPIRE", "lock:a", "100000");
    RedisClaim lock = claim(Share.LOCK, LONG);
    contended(lock);
    granted(lock);
  }

  @Test
  void aHashOfSomebodyElseIsNotChanged() {
    for (Map<String, String> foreign :
        List.of(
            Map.of("capacity", "40"),
            Map.of("capacity", "40", "places", "3", "h:x", "1 2 3 4"),
            Map.of("w:x", "1 2 3 4"))) {
      server.command("DEL", "lock:a");
      foreign.forEach((field, value) -> server.command("HSET", "lock:a", field, value));
      assertUntouched(foreign.size());
    }
    server.command(
        "HSET", "lock:a", "capacity", "40", "places", "3", "h:x", "tall", "w:x", "1 2 3 4");
    server.command("PEXPIRE", "lock:a", "100000");
    assertUntouched(4);
  }

  /** An owner id of 8 MB would be carried to each client that asks who holds the lock. */
  @Test
  void aShareTooLongForAHolderIsNotSent() {
    String owner = "x".repeat(8 * 1024 * 1024);
    String end = String.valueOf(System.currentTimeMillis() + LONG.toMillis());
    server.command("HSET", "lock:a", "capacity", "5", "places", "0");
    server.command("HSET", "lock:a", "h:" + owner, "1 %s 1 1".formatted(end));
    server.command("PEXPIRE", "lock:a", "100000");
    assertUntouched(3);
  }

  private void assertUntouched(int fields) {
    for (Share share : List.of(Share.LOCK, TWO_OF_FIVE)) {
      RedisClaim claim = claim(share, LONG);
      CompletionException told =
          assertThrows(CompletionException.class, () -> join(claim.attempt()));
      LockRejectedException why = assertInstanceOf(LockRejectedException.class, told.getCause());
      assertFalse(why instanceof LockCapacityException, why.toString());
      assertEquals(ReleaseAnswer.NOT_OURS, join(claim.release()));
    }
    assertEquals(List.of(), holders());
    assertEquals(String.valueOf(fields), server.command("HLEN", "lock:a"));
  }

  /** As after a fail-over to a replica that had not heard of it. */
  @Test
  void aReaderThatTheServerTakesForAWriterAgainIsOneUntilItsNextRenewalOnly() {
    RedisClaim downgraded = claim(Share.WRITE, LONG);
    granted(downgraded);
    String writer = server.command("HGET", "lock:a", "h:owner-1");
    assertEquals(ReleaseAnswer.FREED, join(downgraded.reduceTo(1)));
    server.command("HSET", "lock:a", "h:owner-1", writer);
    RedisClaim reader = claim(Share.READ, LONG);
    contended(reader);
    long before = published();
    assertEquals(List.of(new RenewalAnswer.Extended(LONG)), renew(downgraded));
    assertEquals(before + 1, published());
    granted(reader);
    assertEquals(List.of(new RenewalAnswer.Extended(LONG)), renew(downgraded));
    assertEquals(before + 1, published());
  }

  /** As after a step of the clock back, or for shares that one call grants. */
  @Test
  void numbersGrowWhereTheCounterIsAheadOfTheClock() {
    server.command("SET", "lock#token", "4503599627370496");
    long first = granted(claim(TWO_OF_FIVE, LONG));
    assertTrue(first > 4503599627370496L, "first: " + first);
    assertTrue(granted(claim(TWO_OF_FIVE, LONG)) > first);
  }

  /** It may have been sent before a part was given back, and arrive after. */
  @Test
  void aRenewalRaisesNoPermits() {
    RedisClaim shared = claim(TWO_OF_FIVE, LONG);
    granted(shared);
    String two = server.command("HGET", "lock:a", "h:owner-1");
    server.command("HSET", "lock:a", "h:owner-1", two.replaceFirst("^2 ", "1 "));
    assertEquals(List.of(new RenewalAnswer.Extended(LONG)), renew(shared));
    assertEquals(Share.of(1, 5), holders().get(0).share());
  }

  /** The key outlives what is renewed, so its end need not be set. */
  @Test
  void withoutMemoryAShareIsRenewedAndReduced() {
    RedisClaim lock = backend.claim(new ClaimRequest("lock", owner(), LONG, Share.LOCK), DEAF);
    RedisClaim shared = claim(TWO_OF_FIVE, LONG);
    granted(claim(TWO_OF_FIVE, LONG.multipliedBy(3)));
    granted(shared);
    granted(lock);
    server.command("CONFIG", "SET", "maxmemory", "1");
    RenewalAnswer extended = new RenewalAnswer.Extended(LONG);
    assertEquals(List.of(extended, extended), renew(shared, lock));
    assertEquals(ReleaseAnswer.FREED, join(shared.reduceTo(1)));
    assertEquals(ReleaseAnswer.FREED, join(shared.release(SHORT)));
    server.command("CONFIG", "SET", "maxmemory", "0");
  }

  @Test
  void aShareThatCannotBeRenewedDoesNotConcernLocks() {
    RedisClaim lock = backend.claim(new ClaimRequest("lock", owner(), LONG, Share.LOCK), DEAF);
    RedisClaim shared = claim(TWO_OF_FIVE, LONG);
    granted(shared);
    granted(lock);
    server.command("ACL", "SETUSER", "default", "-hset");
    List<RenewalAnswer> answers = renew(shared, lock, shared);
    server.command("ACL", "SETUSER", "default", "+hset");
    assertInstanceOf(RenewalAnswer.Unknown.class, answers.get(0));
    assertEquals(new RenewalAnswer.Extended(LONG), answers.get(1));
    assertInstanceOf(RenewalAnswer.Unknown.class, answers.get(2));
  }
}
