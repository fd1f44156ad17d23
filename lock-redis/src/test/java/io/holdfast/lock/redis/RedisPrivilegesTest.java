/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redis;

import static io.holdfast.lock.redis.RedisHarness.BY_MESSAGE;
import static io.holdfast.lock.redis.RedisHarness.DEAF;
import static io.holdfast.lock.redis.RedisHarness.until;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHolder;
import io.holdfast.lock.ReleaseOutcome;
import io.holdfast.lock.Share;
import io.holdfast.lock.health.Finding;
import io.holdfast.lock.health.ServerReport;
import io.holdfast.lock.limit.RateAnswer;
import io.holdfast.lock.limit.RateLimit;
import io.holdfast.lock.limit.RateLimiter;
import io.holdfast.lock.servers.Conditions;
import io.holdfast.lock.servers.Direction;
import io.holdfast.lock.servers.TcpProxy;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.ReleaseAnswer;
import io.holdfast.lock.spi.Settings;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/**
 * The permissions that {@code docs/backends/redis.md} lists, each with exactly these: they are
 * enough, and all of them are used.
 */
class RedisPrivilegesTest extends PrivilegedUse {

  private static final String LOST_REQUESTS = "lost requests";

  @Test
  void locks() throws Exception {
    try (RedisHarness scene = new RedisHarness()) {
      Privileges privileges = Privileges.of(List.of(scene.server), LOCKS);
      Map<String, String> settings = direct(scene.server);
      handOver(scene, settings, privileges);
      assertExact(privileges, DISPENSABLE);
    }
  }

  @Test
  void theCommandToCopyGrantsWhatLocksNeed() {
    Set<String> copied = new LinkedHashSet<>(Privileges.rulesToCopy());
    assertTrue(copied.removeAll(Set.of("resetkeys", "resetchannels", "-@all")), copied::toString);
    assertEquals(Privileges.rulesFor(LOCKS), copied);
  }

  @Test
  void shares() throws Exception {
    try (RedisHarness scene = new RedisHarness()) {
      Privileges privileges =
          Privileges.of(List.of(scene.server), LOCKS, "read-write locks and semaphores");
      Map<String, String> settings = new HashMap<>(direct(scene.server));
      settings.remove("provider");
      settings.putAll(privileges.credentials());
      settings.put("command-timeout", "5s");
      try (RedisBackend backend =
          (RedisBackend) new RedisLockProvider().open(new Settings("redis", settings))) {
        RedisClaim writer = backend.claim(share("writer", Share.WRITE), DEAF);
        RedisClaim reader = backend.claim(share("reader", Share.READ), DEAF);
        assertInstanceOf(Attempt.Granted.class, writer.attempt().toCompletableFuture().join());
        assertInstanceOf(Attempt.Contended.class, reader.attempt().toCompletableFuture().join());
        writer.reduceTo(1).toCompletableFuture().join();
        assertInstanceOf(Attempt.Granted.class, reader.attempt().toCompletableFuture().join());
        writer.release(Duration.ofSeconds(1)).toCompletableFuture().join();
        reader.release().toCompletableFuture().join();
      }
      handOver(scene, direct(scene.server), privileges);
      assertExact(privileges, DISPENSABLE);
    }
  }

  private static ClaimRequest share(String owner, Share share) {
    return new ClaimRequest("shared", owner, Duration.ofMinutes(1), share);
  }

  /** Waiters are woken all the same, and the server is left in peace. */
  @Test
  void aRefusedPingIsNoBrokenConnection() throws Exception {
    try (RedisHarness scene = new RedisHarness()) {
      Privileges privileges = Privileges.of(List.of(scene.server), LOCKS).without("+ping");
      Map<String, String> settings = direct(scene.server);
      Lease held = client(scene, settings, privileges).lock("a", HELD).acquire();
      CompletableFuture<Lease> waiting =
          client(scene, settings, privileges).lock("a", BY_MESSAGE).acquireAsync();
      until("the subscription was looked at", () -> privileges.refused().contains("ping"));
      Conditions.stays(
          "few connections",
          Duration.ofSeconds(2),
          () -> privileges.connectionsMade() <= FEW_CONNECTIONS);
      assertEquals(ReleaseOutcome.RELEASED, held.release());
      RedisHarness.get(waiting).release();
    }
  }

  @Test
  void whereNobodyCanBeNamedAllAreWoken() throws Exception {
    try (RedisHarness scene = new RedisHarness()) {
      Privileges privileges =
          Privileges.of(List.of(scene.server), LOCKS)
              .without("~lock#waiting:*")
              .without("+zadd")
              .without("+zpopmin")
              .without("+zrem");
      Map<String, String> settings = direct(scene.server);
      Lease held = client(scene, settings, privileges).lock("a", HELD).acquire();
      CompletableFuture<Lease> waiting =
          client(scene, settings, privileges).lock("a", BY_MESSAGE).acquireAsync();
      until("its place is refused", () -> privileges.refused().contains("zadd"));
      assertEquals(ReleaseOutcome.RELEASED, held.release());
      RedisHarness.get(waiting).release();
    }
  }

  @Test
  void lostRequests() throws Exception {
    try (RedisHarness scene = new RedisHarness()) {
      Privileges privileges = Privileges.of(List.of(scene.server), LOCKS, LOST_REQUESTS);
      TcpProxy link = scene.link();
      LockClient client =
          client(
              scene,
              Map.of("provider", "redis", "uri", "redis://" + link.host() + ":" + link.port()),
              privileges);
      link.loseNextReply();
      CompletableFuture<Lease> waiting = client.lock("b", HELD).acquireAsync();
      until("the old connection is killed", () -> !privileges.unused().contains("+client|kill"));
      RedisHarness.get(waiting).release();
      handOver(client, client(scene, direct(scene.server), privileges), privileges);
      assertExact(privileges, Set.of());
    }
  }

  /** The server does not stop what was sent before, so no release is final while it may come. */
  @Test
  void lostRequestsThatMayNotBeStopped() {
    try (RedisHarness scene = new RedisHarness()) {
      Privileges privileges = Privileges.of(List.of(scene.server), LOCKS);
      TcpProxy link = scene.link();
      // The first answers of a process that has just started take longer than a command may here.
      client(scene, direct(scene.server), privileges).close();
      Map<String, String> settings = new HashMap<>(privileges.credentials());
      settings.put("uri", "redis://" + link.host() + ":" + link.port());
      settings.put("command-timeout", "1s");
      try (RedisBackend backend =
          (RedisBackend) new RedisLockProvider().open(new Settings("redis", settings))) {
        RedisClaim before = backend.claim(share("before", Share.LOCK), DEAF);
        assertInstanceOf(Attempt.Granted.class, before.attempt().toCompletableFuture().join());
        assertEquals(ReleaseAnswer.FREED, before.release().toCompletableFuture().join());
        RedisClaim claim = backend.claim(share("late", Share.LOCK), DEAF);
        link.stallExisting(Direction.TO_SERVER);
        failure(claim.attempt());
        notFinal(claim);
        link.heal();
        until("the lost request takes the lock", () -> scene.lockKeys().size() == 1);
        notFinal(claim);
        assertEquals(List.of(), scene.lockKeys());
      }
    }
  }

  /** Releases, if need be when there is a connection again. */
  private static void notFinal(RedisClaim claim) {
    until("a release", () -> failure(claim.release()).contains("is not final yet"));
  }

  private static String failure(CompletionStage<?> answer) {
    CompletableFuture<?> waited = answer.toCompletableFuture();
    return RedisHarness.messages(assertThrows(CompletionException.class, waited::join));
  }

  @Test
  void aDatabase() throws Exception {
    try (RedisHarness scene = new RedisHarness()) {
      Privileges privileges =
          Privileges.of(List.of(scene.server), LOCKS, "a `database` other than 0");
      Map<String, String> settings = new HashMap<>(direct(scene.server));
      settings.put("database", "3");
      handOver(scene, settings, privileges);
      assertExact(privileges, DISPENSABLE);
    }
  }

  @Test
  void inspection() throws Exception {
    try (RedisHarness scene = new RedisHarness()) {
      Privileges privileges =
          Privileges.of(List.of(scene.server), LOCKS, "who holds", "the list of locks");
      LockClient client = client(scene, direct(scene.server), privileges);
      LockClient asking = client(scene, direct(scene.server), privileges);
      Lease held = client.lock("c", HELD).acquire();
      LockHolder holder = asking.inspector().holder("c").orElseThrow();
      assertEquals(held.ownerId(), holder.ownerId().orElseThrow());
      assertEquals(1, asking.inspector().held(10).size());
      assertTrue(asking.inspector().evict(holder));
      handOver(client, asking, privileges);
      assertExact(privileges, DISPENSABLE);
    }
  }

  @Test
  void doctor() throws Exception {
    try (RedisHarness scene = new RedisHarness()) {
      Privileges privileges = Privileges.of(List.of(scene.server), LOCKS, "`holdfast doctor`");
      LockClient client = client(scene, direct(scene.server), privileges);
      List<ServerReport> reports = client.examine(Duration.ofSeconds(10));
      assertTrue(reports.get(0).clock().isPresent());
      assertTrue(
          reports.get(0).findings().stream()
              .map(Finding::text)
              .noneMatch(text -> text.contains("may not use")),
          reports.toString());
      handOver(client, client(scene, direct(scene.server), privileges), privileges);
      assertExact(privileges, Set.of());
    }
  }

  @Test
  void aRateLimiter() {
    try (RedisHarness scene = new RedisHarness()) {
      Privileges privileges = Privileges.of(List.of(scene.server), "a rate limiter");
      Duration window = Duration.ofSeconds(1);
      RateLimiter limiter =
          scene.limiter(3, window, RateLimit.Unanswered.REFUSE, privileges.credentials());
      until(
          "permits are granted again",
          () -> {
            limiter.tryAcquire("a");
            return privileges.unused().isEmpty();
          });
      assertInstanceOf(RateAnswer.Granted.class, limiter.tryAcquire("b"));
      assertExact(privileges, DISPENSABLE);
    }
  }

  @Test
  void aGuard() {
    try (RedisHarness scene = new RedisHarness()) {
      Privileges privileges = Privileges.of(List.of(scene.server), "`RedisGuard`");
      RedisURI uri = RedisURI.create(scene.server.host(), scene.server.port());
      uri.setAuthentication(Privileges.USER, Privileges.PASSWORD.toCharArray());
      RedisClient owned = RedisClient.create(uri);
      try {
        RedisGuard guard = new RedisGuard(owned.connect().async(), Duration.ofSeconds(5));
        guard.put("report:1", 1, Map.of("text", "first"));
        assertExact(privileges, Set.of("client|setinfo"));
      } finally {
        owned.shutdown();
      }
    }
  }
}
