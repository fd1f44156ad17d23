/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redis;

import static io.holdfast.lock.redis.RedisHarness.DEAF;
import static io.holdfast.lock.redis.RedisHarness.LONG;
import static io.holdfast.lock.redis.RedisHarness.PATIENCE;
import static io.holdfast.lock.redis.RedisHarness.until;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHolder;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.Locks;
import io.holdfast.lock.ReleaseOutcome;
import io.holdfast.lock.Renewal;
import io.holdfast.lock.Retry;
import io.holdfast.lock.Share;
import io.holdfast.lock.health.Finding;
import io.holdfast.lock.health.ServerReport;
import io.holdfast.lock.limit.RateAnswer;
import io.holdfast.lock.limit.RateLimit;
import io.holdfast.lock.limit.RateLimiter;
import io.holdfast.lock.servers.Conditions;
import io.holdfast.lock.servers.Direction;
import io.holdfast.lock.servers.RedisServer;
import io.holdfast.lock.servers.TcpProxy;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.ReleaseAnswer;
import io.holdfast.lock.spi.Settings;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * The permissions that {@code docs/backends/redis.md} lists, each with exactly these: they are
 * enough, and all of them are used.
 */
class RedisPrivilegesTest {

  private static final String LOCKS = "locks";
  private static final String LOST_REQUESTS = "lost requests";

  /** Renewed at once, so that a test need not wait for it. */
  private static final LockOptions HELD = LONG.withRenewal(Renewal.every(Duration.ofMillis(100)));

  /** Only a message can be quick. */
  private static final LockOptions WOKEN =
      LONG.withRetry(
          Retry.defaults()
              .withJitter(0)
              .withPauses(Duration.ofSeconds(40), Duration.ofSeconds(40)));

  /** What is asked for at each connection, and done without where it is refused. */
  private static final Set<String> DISPENSABLE = Set.of("info", "client|id");

  /** Two clients have two connections each, and one of them may make one anew. */
  private static final int FEW_CONNECTIONS = 6;

  private static LockClient client(
      RedisHarness scene, Map<String, String> settings, Privileges privileges) {
    Map<String, String> all = new HashMap<>(settings);
    all.putAll(privileges.credentials());
    all.put("command-timeout", "5s");
    return scene.closing(Locks.open(all));
  }

  private static Map<String, String> direct(RedisServer server) {
    return Map.of("provider", "redis", "uri", "redis://" + server.host() + ":" + server.port());
  }

  private static void handOver(
      RedisHarness scene, Map<String, String> settings, Privileges privileges) throws Exception {
    handOver(client(scene, settings, privileges), client(scene, settings, privileges), privileges);
  }

  /** A lock that is renewed, waited for, extended, handed over by message, and forgotten. */
  private static void handOver(LockClient holder, LockClient waiter, Privileges privileges)
      throws Exception {
    Lease held = holder.lock("a", HELD).acquire();
    CompletableFuture<Lease> waiting = waiter.lock("a", WOKEN).acquireAsync();
    until("somebody waits", () -> !privileges.unused().contains("+subscribe"));
    until("a renewal", () -> !privileges.unused().contains("+pexpire"));
    held.extend(HELD.ttl().multipliedBy(2));
    until("a renewal with time in hand", () -> !privileges.unused().contains("+pexpireat"));
    assertTrue(held.isValid());
    assertEquals(ReleaseOutcome.RELEASED, held.release());
    Lease next = waiting.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    assertTrue(next.fencingToken() > held.fencingToken());
    assertEquals(ReleaseOutcome.RELEASED, next.release());
  }

  private static void assertExact(Privileges privileges, Set<String> mayBeRefused) {
    assertExactCommands(privileges, mayBeRefused);
    long made = privileges.connectionsMade();
    assertTrue(made <= FEW_CONNECTIONS, made + " connections");
  }

  private static void assertExactCommands(Privileges privileges, Set<String> mayBeRefused) {
    until("all that is granted is used", () -> privileges.unused().isEmpty());
    Set<String> refused = privileges.refused();
    refused.removeAll(mayBeRefused);
    assertEquals(Set.of(), refused, "refused, though it is used");
  }

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
          client(scene, settings, privileges).lock("a", WOKEN).acquireAsync();
      until("the subscription was looked at", () -> privileges.refused().contains("ping"));
      Conditions.stays(
          "few connections",
          Duration.ofSeconds(2),
          () -> privileges.connectionsMade() <= FEW_CONNECTIONS);
      assertEquals(ReleaseOutcome.RELEASED, held.release());
      waiting.get(PATIENCE.toSeconds(), TimeUnit.SECONDS).release();
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
      waiting.get(PATIENCE.toSeconds(), TimeUnit.SECONDS).release();
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
  void sentinelsAndReplicas() throws Exception {
    try (SentinelTrio trio = new SentinelTrio();
        RedisHarness scene = new RedisHarness()) {
      Privileges privileges =
          Privileges.of(List.of(trio.primary), LOCKS, "Sentinel", "`wait-replicas`");
      Map<String, String> settings = new HashMap<>(trio.settings());
      settings.put("wait-replicas", "1");
      handOver(scene, settings, privileges);
      assertExactCommands(privileges, DISPENSABLE);
    }
  }

  @Test
  void aCluster() throws Exception {
    try (ClusterHarness cluster = new ClusterHarness();
        RedisHarness scene = new RedisHarness()) {
      Privileges privileges = Privileges.of(cluster.primaries, LOCKS, "a Cluster");
      Map<String, String> settings = cluster.settings();
      handOver(scene, settings, privileges);
      assertExactCommands(privileges, DISPENSABLE);
    }
  }

  @Test
  void theListOfLocksOfACluster() throws Exception {
    try (ClusterHarness cluster = new ClusterHarness();
        RedisHarness scene = new RedisHarness()) {
      Privileges privileges =
          Privileges.of(cluster.primaries, LOCKS, "a Cluster", "the list of locks");
      LockClient client = client(scene, cluster.settings(), privileges);
      Set<String> names = new HashSet<>();
      for (int node = 0; node < cluster.primaries.size(); node++) {
        String name = ClusterHarness.nameAt(node);
        names.add(name);
        client.lock(name, HELD).acquire();
      }
      assertEquals(
          names,
          client.inspector().held(10).stream()
              .map(LockHolder::lockName)
              .collect(Collectors.toSet()));
      handOver(scene, cluster.settings(), privileges);
      assertExactCommands(privileges, DISPENSABLE);
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
