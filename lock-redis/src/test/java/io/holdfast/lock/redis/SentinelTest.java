/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redis;

import static io.holdfast.lock.redis.RedisHarness.DEAF;
import static io.holdfast.lock.redis.RedisHarness.LONG;
import static io.holdfast.lock.redis.RedisHarness.PATIENCE;
import static io.holdfast.lock.redis.RedisHarness.expect;
import static io.holdfast.lock.redis.RedisHarness.until;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.Loss;
import io.holdfast.lock.LossReason;
import io.holdfast.lock.ReleaseOutcome;
import io.holdfast.lock.Renewal;
import io.holdfast.lock.servers.RedisSentinel;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.RenewalAnswer;
import io.holdfast.lock.spi.RenewalRequest;
import io.holdfast.lock.spi.Settings;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A primary that dies while locks are held, and its replica in its place. */
class SentinelTest {

  /** Outlasts a fail-over that takes several elections, and is renewed so often that it is seen. */
  private static final LockOptions HELD = LONG.withRenewal(Renewal.every(Duration.ofMillis(300)));

  /** The rest of it just after a renewal; a fail-over takes longer than that. */
  private static final long RENEWED_MILLIS = HELD.ttl().minusSeconds(1).toMillis();

  private final SentinelTrio trio = new SentinelTrio();

  @AfterEach
  void end() {
    trio.close();
  }

  @Test
  void aLockThatWasReplicatedOutlastsAFailOver() throws InterruptedException {
    LockClient client = trio.client(Map.of());
    Lease lease = client.lock("a", HELD).acquire();
    until("the replica has the lock", () -> trio.replica.command("EXISTS", "lock:a").equals("1"));
    trio.failOver();
    LockClient other = trio.client(Map.of());
    assertTrue(other.lock("a", HELD).tryAcquire().isEmpty());
    until(
        "a renewal reaches the new primary",
        () -> Long.parseLong(trio.replica.command("PTTL", "lock:a")) > RENEWED_MILLIS);
    assertTrue(lease.isValid());
    assertEquals(ReleaseOutcome.RELEASED, lease.release());
    try (Lease next = other.lock("a", HELD).acquire(PATIENCE)) {
      assertTrue(next.fencingToken() > lease.fencingToken());
    }
  }

  @Test
  void aFailOverThatLosesTheNewestWritesIsALossAndTokensGrow() throws Exception {
    LockClient client = trio.client(Map.of());
    long before;
    try (Lease earlier = client.lock("a", HELD).acquire()) {
      before = earlier.fencingToken();
    }
    until("the counter is replicated", () -> !trio.replica.command("GET", "lock#token").isEmpty());
    trio.holdReplicationBack();
    Lease lost = client.lock("a", HELD).acquire();
    assertTrue(lost.fencingToken() > before);
    trio.failOver();
    assertEquals(
        "0", trio.replica.command("EXISTS", "lock:a"), "the lock was replicated after all");
    try (Lease next = trio.client(Map.of()).lock("a", HELD).acquire(PATIENCE)) {
      assertTrue(next.fencingToken() > lost.fencingToken(), "the token fell");
      Loss loss = RedisHarness.get(lost.loss());
      assertEquals(LossReason.REVOKED, loss.reason());
      assertTrue(next.isValid());
    }
  }

  @Test
  void withWaitALockCountsOnlyIfAReplicaHasIt() throws InterruptedException {
    LockClient client = trio.client(Map.of("wait-replicas", "1"));
    try (Lease lease = client.lock("a", HELD).acquire(PATIENCE)) {
      assertEquals(lease.ownerId(), trio.replica.command("GET", "lock:a"));
    }
    trio.holdReplicationBack();
    LockUnavailableException told =
        expect(LockUnavailableException.class, () -> client.lock("b", HELD).tryAcquire());
    assertTrue(String.valueOf(told.getMessage()).contains("wait-replicas"), told.getMessage());
    until("nothing is left", () -> trio.primary.command("EXISTS", "lock:b").equals("0"));
  }

  @Test
  void withWaitAHolderWhosePrimaryIsCutOffStops() throws Exception {
    LockOptions shortLived = HELD.withTtl(Duration.ofSeconds(3));
    LockClient client = trio.client(Map.of("wait-replicas", "1"));
    Lease lease = client.lock("a", shortLived).acquire(PATIENCE);
    trio.holdReplicationBack();
    Loss loss = RedisHarness.get(lease.loss());
    assertEquals(LossReason.UNREACHABLE, loss.reason());
  }

  @Test
  void withWaitALockThatIsGoneIsLostAtOnce() throws Exception {
    LockClient client = trio.client(Map.of("wait-replicas", "1"));
    Lease lease = client.lock("a", HELD).acquire(PATIENCE);
    trio.holdReplicationBack();
    trio.primary.command("DEL", "lock:a");
    Loss loss = RedisHarness.get(lease.loss());
    assertEquals(LossReason.REVOKED, loss.reason());
  }

  /** They are renewed with one request. */
  @Test
  void withWaitALockThatIsGoneConfirmsNoOther() {
    Map<String, String> settings = new HashMap<>(trio.settings());
    settings.remove("provider");
    settings.putAll(Map.of("command-timeout", "5s", "wait-replicas", "1"));
    try (RedisBackend backend =
        (RedisBackend) new RedisLockProvider().open(new Settings("redis", settings))) {
      RedisClaim gone = granted(backend, "a");
      RedisClaim held = granted(backend, "b");
      trio.holdReplicationBack();
      trio.primary.command("DEL", "lock:a");
      List<RenewalAnswer> answers =
          backend.renew(List.of(renewal(gone), renewal(held))).toCompletableFuture().join();
      assertEquals(new RenewalAnswer.Lost(LossReason.REVOKED), answers.get(0));
      assertInstanceOf(RenewalAnswer.Unknown.class, answers.get(1));
    }
  }

  private static RedisClaim granted(RedisBackend backend, String name) {
    RedisClaim claim = backend.claim(new ClaimRequest(name, "owner-1", HELD.ttl()), DEAF);
    assertInstanceOf(Attempt.Granted.class, claim.attempt().toCompletableFuture().join());
    return claim;
  }

  private static RenewalRequest<RedisClaim> renewal(RedisClaim claim) {
    return new RenewalRequest<>(claim, HELD.ttl(), HELD.ttl());
  }

  @Test
  void aSentinelThatHangsDelaysNobodyMuch() throws InterruptedException {
    LockClient client = trio.client(Map.of());
    client.lock("a", HELD).acquire().release();
    RedisSentinel first = trio.sentinels.get(0);
    first.suspend();
    try {
      trio.failOver(trio.sentinels.subList(1, 3));
      client.lock("a", HELD).acquire(PATIENCE).release();
      trio.client(Map.of()).lock("a", HELD).acquire(PATIENCE).release();
    } finally {
      first.resume();
    }
  }

  @Test
  void aSentinelThatNamesAReplicaIsNotBelieved() throws InterruptedException {
    LockClient client = trio.client(Map.of());
    trio.misinform(trio.sentinels.get(0));
    trio.holdReplicationBack();
    Lease lease = client.lock("a", HELD).acquire();
    trio.primary.command("CLIENT", "KILL", "TYPE", "normal");
    client.lock("b", HELD).acquire(PATIENCE).release();
    assertTrue(lease.isValid());
    assertEquals(ReleaseOutcome.RELEASED, lease.release());
    assertEquals("0", trio.primary.command("EXISTS", "lock:a"));
  }

  @Test
  void aReadyClientFindsThePrimaryToo() throws InterruptedException {
    RedisURI uri = RedisURI.create(trio.settings().get("uri"));
    RedisClient ready = RedisClient.create();
    try (LockClient client = RedisLocks.using(ready, uri)) {
      Lease lease = client.lock("a", HELD).acquire(PATIENCE);
      assertEquals(lease.ownerId(), trio.primary.command("GET", "lock:a"));
    } finally {
      ready.shutdown();
    }
  }
}
