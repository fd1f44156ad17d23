/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redis;

import static io.holdfast.lock.redis.RedisHarness.until;
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
import io.holdfast.lock.servers.RedisServer;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.ClaimSignals;
import io.holdfast.lock.spi.LockInspection;
import io.holdfast.lock.spi.ReleaseAnswer;
import io.holdfast.lock.spi.RenewalAnswer;
import io.holdfast.lock.spi.RenewalRequest;
import io.holdfast.lock.spi.Settings;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Names that several owners share, as the backend keeps them at one server. */
class SharesTest {

  private static final Duration LONG = Duration.ofMinutes(2);
  private static final Duration SHORT = Duration.ofMillis(700);
  private static final Share TWO_OF_FIVE = Share.of(2, 5);

  private final AtomicInteger owners = new AtomicInteger();
  private final AtomicInteger wakes = new AtomicInteger();
  private final RedisServer server = RedisServer.launch();
  private final RedisBackend backend = open(server);

  private final ClaimSignals signals =
      new ClaimSignals() {
        @Override
        public void wake() {
          wakes.incrementAndGet();
        }

        @Override
        public void lost(LossReason reason) {}
      };

  private static RedisBackend open(RedisServer server) {
    Map<String, String> settings =
        new HashMap<>(RedisFixture.settings(server.host(), server.port()));
    settings.remove("provider");
    settings.put("command-timeout", "5s");
    return (RedisBackend) new RedisLockProvider().open(new Settings("redis", settings));
  }

  @AfterEach
  void end() {
    backend.close();
    server.close();
  }

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
    assertEquals(ReleaseAnswer.FREED, join(writer.reduceTo(1)));
    assertEquals(ReleaseAnswer.FREED, join(writer.reduceTo(1)));
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
  void aWaiterThatDiedKeepsOthersOutForItsMarkOnly() {
    RedisClaim reader = claim(Share.READ, LONG);
    granted(reader);
    contended(claim(Share.WRITE, SHORT));
    RedisClaim next = claim(Share.READ, LONG);
    contended(next);
    until("the mark is over", () -> join(next.attempt()) instanceof Attempt.Granted);
  }

  @Test
  void aWaiterThatGivesUpLetsOthersInAndTellsThem() {
    RedisClaim reader = claim(Share.READ, LONG);
    granted(reader);
    RedisClaim writer = claim(Share.WRITE, LONG);
    contended(writer);
    RedisClaim next = claim(Share.READ, LONG);
    contended(next);
    until("the subscription", () -> wakes.get() > 0);
    int before = wakes.get();
    assertEquals(ReleaseAnswer.NOT_OURS, join(writer.release()));
    until("the waiter is told", () -> wakes.get() > before);
    granted(next);
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
    assertFalse(join(inspection.changeCapacity("a", 6, 7)));
    assertTrue(join(inspection.changeCapacity("a", 5, 2)));
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
    RedisClaim lock = backend.claim(new ClaimRequest("lock", owner(), SHORT, Share.LOCK), signals);
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
    assertEquals(ReleaseAnswer.FREED, join(two.release(Duration.ofSeconds(1))));
    RedisClaim all = claim(Share.of(5, 5), LONG);
    contended(all);
    until("the time is over", () -> join(all.attempt()) instanceof Attempt.Granted);
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
    assertEquals(holders.get(0).ownerId(), join(inspection.holder("a")).orElseThrow().ownerId());
    assertTrue(join(inspection.names()).contains("a"));
    assertTrue(join(inspection.evict(holders.get(0))));
    assertFalse(join(inspection.evict(holders.get(0))));
    assertEquals(List.of(new RenewalAnswer.Lost(LossReason.REVOKED)), renew(two));
    assertEquals(List.of(new RenewalAnswer.Extended(LONG)), renew(one));
  }

  @Test
  void somethingElseAtTheKeyIsLeftAlone() {
    server.command("HSET", "lock:a", "title", "of somebody");
    CompletionException told =
        assertThrows(CompletionException.class, () -> join(claim(TWO_OF_FIVE, LONG).attempt()));
    assertInstanceOf(LockRejectedException.class, told.getCause());
    assertEquals("of somebody", server.command("HGET", "lock:a", "title"));
  }

  @Test
  void aGrantWhoseAnswerWasLostIsGrantedAgain() {
    RedisClaim two = claim(TWO_OF_FIVE, LONG);
    long token = granted(two);
    assertEquals(token, granted(two));
    assertEquals(1, holders().size());
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

  /** The key outlives what is renewed, so its end need not be set. */
  @Test
  void withoutMemoryAShareIsRenewedAndReduced() {
    RedisClaim lock = backend.claim(new ClaimRequest("lock", owner(), LONG, Share.LOCK), signals);
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
    RedisClaim lock = backend.claim(new ClaimRequest("lock", owner(), LONG, Share.LOCK), signals);
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

  private List<LockHolder> holders() {
    return join(backend.inspection().orElseThrow().holders("a"));
  }

  private List<RenewalAnswer> renew(RedisClaim... claims) {
    return join(
        backend.renew(
            List.of(claims).stream()
                .map(claim -> new RenewalRequest<>(claim, LONG, Duration.ofSeconds(10)))
                .toList()));
  }

  private void assertNothingIsLeft() {
    assertEquals("0", server.command("EXISTS", "lock:a"));
  }

  private long millisLeft(String key) {
    return Long.parseLong(server.command("PTTL", key));
  }

  private static void assertCapacities(RedisClaim claim, int asked, int inUse) {
    CompletionException told = assertThrows(CompletionException.class, () -> join(claim.attempt()));
    LockCapacityException why = assertInstanceOf(LockCapacityException.class, told.getCause());
    assertEquals(asked, why.askedFor());
    assertEquals(inUse, why.inUse());
    assertEquals(ReleaseAnswer.NOT_OURS, join(claim.release()));
  }

  private String owner() {
    return "owner-" + owners.incrementAndGet();
  }

  private RedisClaim claim(Share share, Duration ttl) {
    return backend.claim(new ClaimRequest("a", owner(), ttl, share), signals);
  }

  private RedisClaim named(String name, Share share) {
    return backend.claim(new ClaimRequest(name, owner(), SHORT, share), signals);
  }

  private static long granted(RedisClaim claim) {
    return assertInstanceOf(Attempt.Granted.class, join(claim.attempt())).token();
  }

  private static Attempt.Contended contended(RedisClaim claim) {
    return assertInstanceOf(Attempt.Contended.class, join(claim.attempt()));
  }

  private static <T> T join(CompletionStage<T> stage) {
    return stage.toCompletableFuture().join();
  }
}
