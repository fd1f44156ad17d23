/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redis;

import static io.holdfast.lock.redis.RedisHarness.DEAF;
import static io.holdfast.lock.redis.RedisHarness.until;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.LockHolder;
import io.holdfast.lock.LossReason;
import io.holdfast.lock.Share;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.LockInspection;
import io.holdfast.lock.spi.ReleaseAnswer;
import io.holdfast.lock.spi.RenewalAnswer;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Names that several owners share, as the backend keeps them at one server. */
class SharesTest extends ShareClaims {

  @Test
  void readersShareAndAWriterThatWaitsIsServedThoughReadersKeepComing() {
    RedisClaim first = claim(Share.READ, LONG);
    RedisClaim second = claim(Share.READ, LONG);
    long token = granted(first);
    assertTrue(granted(second) > token);
    RedisClaim writer = claim(Share.WRITE, LONG);
    RedisClaim late = claim(Share.READ, LONG);
    contended(writer);
    contended(late);
    assertEquals(ReleaseAnswer.FREED, join(first.release()));
    contended(late);
    contended(writer);
    assertEquals(ReleaseAnswer.FREED, join(second.release()));
    contended(late);
    long written = granted(writer);
    contended(late);
    join(writer.release());
    assertTrue(granted(late) > written);
    join(late.release());
    assertNothingIsLeft();
  }

  @Test
  void aWriterBecomesAReaderAndNoWriterComesInBetween() {
    RedisClaim writer = claim(Share.WRITE, LONG);
    granted(writer);
    RedisClaim next = claim(Share.WRITE, LONG);
    contended(next);
    long before = published();
    assertEquals(ReleaseAnswer.FREED, join(writer.reduceTo(1)));
    assertEquals(before + 1, published(), "readers who wait are told");
    assertEquals(ReleaseAnswer.FREED, join(writer.reduceTo(1)));
    assertEquals(before + 1, published(), "nothing has changed");
    contended(next);
    assertEquals(ReleaseAnswer.FREED, join(writer.release()));
    assertEquals(ReleaseAnswer.NOT_OURS, join(claim(Share.WRITE, LONG).reduceTo(1)));
    granted(next);
  }

  @Test
  void permitsOfAHolderThatDiedComeBackOneByOne() {
    RedisClaim dies = claim(TWO_OF_FIVE, SHORT);
    RedisClaim lives = claim(TWO_OF_FIVE, LONG);
    granted(dies);
    granted(lives);
    RedisClaim waits = claim(Share.of(3, 5), LONG);
    RedisClaim small = claim(Share.of(1, 5), LONG);
    Attempt.Contended told = contended(waits);
    assertTrue(told.askAgainIn().orElseThrow().compareTo(SHORT) <= 0, told.toString());
    contended(small);
    until("the permits are back", () -> join(waits.attempt()) instanceof Attempt.Granted);
    contended(small);
    assertEquals(ReleaseAnswer.NOT_OURS, join(dies.release()));
    assertEquals(ReleaseAnswer.FREED, join(lives.release()));
    granted(small);
  }

  /** Neither what was released, nor what a client that died held or waited for. */
  @Test
  void namesThatNobodyUsesAnyMoreLeaveNothing() {
    granted(named("first", TWO_OF_FIVE));
    until("no key of it", () -> server.values("KEYS", "lock:*").isEmpty());
    List<String> before = server.values("KEYS", "*");
    for (int i = 0; i < 20; i++) {
      RedisClaim released = named("released-" + i, TWO_OF_FIVE);
      granted(released);
      assertEquals(ReleaseAnswer.FREED, join(released.release()));
      granted(named("died-" + i, TWO_OF_FIVE));
      contended(named("died-" + i, Share.of(5, 5)));
    }
    until("no key but before", () -> server.values("KEYS", "*").equals(before));
  }

  @Test
  void aWaiterThatDiedKeepsOthersOutForItsPlaceOnly() {
    RedisClaim reader = claim(Share.READ, LONG);
    granted(reader);
    contended(claim(Share.WRITE, SHORT));
    RedisClaim next = claim(Share.READ, LONG);
    contended(next);
    until("its place is over", () -> join(next.attempt()) instanceof Attempt.Granted);
  }

  @Test
  void aWaiterThatGivesUpLetsOthersInAndTellsThem() {
    RedisClaim reader = claim(Share.READ, LONG);
    granted(reader);
    RedisClaim writer = claim(Share.WRITE, LONG);
    contended(writer);
    RedisClaim next = claim(Share.READ, LONG);
    contended(next);
    long before = published();
    assertEquals(ReleaseAnswer.NOT_OURS, join(writer.release()));
    assertEquals(before + 1, published());
    granted(next);
  }

  @Test
  void aClaimThatDoesNotWaitKeepsNobodyOut() {
    RedisClaim reader = claim(Share.READ, LONG);
    granted(reader);
    RedisClaim tries = trying(Share.WRITE);
    contended(tries);
    RedisClaim next = claim(Share.READ, LONG);
    granted(next);
    long before = published();
    assertEquals(ReleaseAnswer.NOT_OURS, join(tries.release()));
    assertEquals(before, published());
    join(reader.release());
    join(next.release());
    RedisClaim free = trying(Share.WRITE);
    granted(free);
    assertEquals(ReleaseAnswer.FREED, join(free.release()));
    assertNothingIsLeft();
  }

  @Test
  void aClaimThatDoesNotWaitOvertakesNoWaiter() {
    RedisClaim reader = claim(Share.READ, LONG);
    granted(reader);
    RedisClaim writer = claim(Share.WRITE, LONG);
    contended(writer);
    contended(trying(Share.READ));
    join(reader.release());
    contended(trying(Share.READ));
    granted(writer);
  }

  @Test
  void aCapacityBelongsToTheName() {
    RedisClaim two = claim(TWO_OF_FIVE, LONG);
    granted(two);
    assertCapacities(claim(Share.of(2, 6), LONG), 6, 5);
    assertCapacities(claim(Share.READ, LONG), Share.READ_WRITE_CAPACITY, 5);
    assertCapacities(claim(Share.LOCK, LONG), 1, 5);
    join(two.release());
    RedisClaim lock = claim(Share.LOCK, LONG);
    granted(lock);
    assertCapacities(claim(TWO_OF_FIVE, LONG), 5, 1);
    join(lock.release());
    granted(claim(Share.of(2, 6), LONG));
  }

  @Test
  void aCapacityIsChangedOnPurpose() {
    LockInspection inspection = backend.inspection().orElseThrow();
    assertFalse(join(inspection.changeCapacity("a", 5, 6)));
    RedisClaim two = claim(TWO_OF_FIVE, LONG);
    granted(two);
    long before = published();
    assertFalse(join(inspection.changeCapacity("a", 6, 7)));
    assertEquals(before, published());
    assertTrue(join(inspection.changeCapacity("a", 5, 2)));
    assertEquals(before + 1, published(), "who waits is told");
    assertCapacities(claim(TWO_OF_FIVE, LONG), 5, 2);
    RedisClaim one = claim(Share.of(1, 2), LONG);
    contended(one);
    join(two.release());
    granted(one);
  }

  @Test
  void sharesAndLocksAreRenewedTogetherAndNoneComesBack() {
    RedisClaim shared = claim(TWO_OF_FIVE, SHORT);
    RedisClaim over = claim(TWO_OF_FIVE, SHORT);
    RedisClaim lock = backend.claim(new ClaimRequest("lock", owner(), SHORT, Share.LOCK), DEAF);
    granted(shared);
    granted(lock);
    assertEquals(
        List.of(
            new RenewalAnswer.Extended(LONG),
            new RenewalAnswer.Lost(LossReason.REVOKED),
            new RenewalAnswer.Extended(LONG)),
        renew(shared, over, lock));
    until("the key outlives the first TTL", () -> millisLeft("lock:a") > SHORT.toMillis());
    granted(over);
    until("it is over", () -> holders().size() == 1);
    assertEquals(List.of(new RenewalAnswer.Lost(LossReason.REVOKED)), renew(over));
  }

  @Test
  void aShareIsKeptForATimeAfterItsRelease() {
    RedisClaim two = claim(TWO_OF_FIVE, LONG);
    granted(two);
    Duration kept = Duration.ofSeconds(1);
    long released = System.nanoTime();
    assertEquals(ReleaseAnswer.FREED, join(two.release(kept)));
    RedisClaim all = claim(Share.of(5, 5), LONG);
    until("the time is over", () -> join(all.attempt()) instanceof Attempt.Granted);
    Duration after = Duration.ofNanos(System.nanoTime() - released);
    // The server counts milliseconds.
    assertTrue(after.compareTo(kept.minusMillis(10)) > 0, "granted after " + after);
    assertEquals(
        new RenewalAnswer.Extended(Duration.ofSeconds(1)),
        join(all.expireIn(Duration.ofSeconds(1))));
    RedisClaim next = claim(TWO_OF_FIVE, LONG);
    until("the earlier end", () -> join(next.attempt()) instanceof Attempt.Granted);
  }

  @Test
  void holdersAreToldInTheOrderOfTheirGrantsAndCanBeEvicted() {
    LockInspection inspection = backend.inspection().orElseThrow();
    RedisClaim two = claim(TWO_OF_FIVE, LONG);
    RedisClaim one = claim(Share.of(1, 5), LONG);
    granted(two);
    granted(one);
    contended(claim(Share.of(4, 5), LONG));
    List<LockHolder> holders = holders();
    assertEquals(
        List.of(TWO_OF_FIVE, Share.of(1, 5)), holders.stream().map(LockHolder::share).toList());
    for (LockHolder holder : holders) {
      Duration left = holder.expiresIn().orElseThrow();
      assertTrue(left.compareTo(LONG) <= 0 && left.compareTo(SHORT) > 0, holder::toString);
    }
    assertEquals(holders.get(0).ownerId(), join(inspection.holder("a")).orElseThrow().ownerId());
    assertTrue(join(inspection.names()).contains("a"));
    assertTrue(join(inspection.evict(holders.get(0))));
    assertFalse(join(inspection.evict(holders.get(0))));
    assertEquals(List.of(new RenewalAnswer.Lost(LossReason.REVOKED)), renew(two));
    assertEquals(List.of(new RenewalAnswer.Extended(LONG)), renew(one));
  }

  @Test
  void aGrantWhoseAnswerWasLostIsGrantedAgain() {
    RedisClaim two = claim(TWO_OF_FIVE, LONG);
    long token = granted(two);
    assertEquals(token, granted(two));
    assertEquals(1, holders().size());
  }

  @Test
  void aWaiterAsksAgainBeforeItsPlaceIsOver() {
    granted(claim(Share.WRITE, LONG));
    Attempt.Contended told = contended(claim(Share.WRITE, LONG));
    assertEquals(Duration.ofSeconds(5), told.askAgainIn().orElseThrow());
  }

  @Test
  void aWaiterLeavesTheQueueAlsoWhenTheCapacityWasChanged() {
    granted(claim(TWO_OF_FIVE, LONG));
    RedisClaim waits = claim(Share.of(4, 5), LONG);
    contended(waits);
    assertEquals("4", server.command("HLEN", "lock:a"));
    assertTrue(join(backend.inspection().orElseThrow().changeCapacity("a", 5, 6)));
    assertCapacities(waits, 5, 6);
    assertEquals("3", server.command("HLEN", "lock:a"));
  }

  private void assertNothingIsLeft() {
    assertEquals("0", server.command("EXISTS", "lock:a"));
  }

  private long millisLeft(String key) {
    return Long.parseLong(server.command("PTTL", key));
  }
}
