/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redis;

import static io.holdfast.lock.redis.RedisHarness.LONG;
import static io.holdfast.lock.redis.RedisHarness.PATIENCE;
import static io.holdfast.lock.redis.RedisHarness.expect;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.LockRejectedException;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.ReleaseOutcome;
import io.holdfast.lock.limit.RateAnswer;
import io.holdfast.lock.limit.RateLimit;
import io.holdfast.lock.limit.RateLimiter;
import io.holdfast.lock.servers.RedisSentinel;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.cluster.ClusterTopologyRefreshOptions;
import io.lettuce.core.cluster.RedisClusterClient;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Locks and limits on clients that somebody else has made, and goes on using. */
class RedisSourceTest {

  private static final RateLimit ONE =
      new RateLimit(1, Duration.ofMinutes(1), RateLimit.Unanswered.REFUSE);

  @Test
  void aClusterClientIsNeitherChangedNorClosed() throws InterruptedException {
    try (ClusterHarness cluster = new ClusterHarness()) {
      List<RedisURI> seeds =
          cluster.primaries.stream().map(one -> RedisURI.create(one.host(), one.port())).toList();
      RedisClusterClient given = RedisClusterClient.create(seeds);
      try {
        given.setOptions(
            ClusterClientOptions.builder()
                .topologyRefreshOptions(
                    ClusterTopologyRefreshOptions.builder()
                        .enablePeriodicRefresh(Duration.ofMinutes(1))
                        .build())
                .build());
        io.lettuce.core.ClientOptions before = given.getOptions();
        RedisSource source = RedisSource.of(given, seeds);
        try (LockClient client = RedisLocks.using(source, "mine", ClientOptions.defaults());
            LockClient other = RedisLocks.using(source, "mine", ClientOptions.defaults())) {
          for (int node = 0; node < cluster.primaries.size(); node++) {
            String name = ClusterHarness.nameAt(node);
            Lease held = client.lock(name, LONG).acquire();
            assertTrue(other.lock(name, LONG).tryAcquire().isEmpty());
            assertEquals(ReleaseOutcome.RELEASED, held.release());
          }
        }
        try (RateLimiter limiter =
            RedisLocks.limiter(source, "mine", ONE, ClientOptions.defaults())) {
          assertEquals(new RateAnswer.Granted(0), limiter.tryAcquire("a"));
        }
        assertSame(before, given.getOptions());
        assertTrue(before.isAutoReconnect());
        assertEquals("PONG", given.connect().sync().ping());
      } finally {
        given.shutdown();
      }
    }
  }

  @Test
  void replicasBehindSentinelsConfirm() throws InterruptedException {
    try (SentinelTrio trio = new SentinelTrio()) {
      RedisURI uri = new RedisURI();
      uri.setSentinelMasterId("prime");
      for (RedisSentinel sentinel : trio.sentinels) {
        uri.getSentinels().add(RedisURI.create("127.0.0.1", sentinel.port()));
      }
      RedisClient given = RedisClient.create();
      try {
        RedisSource source = RedisSource.of(given, uri).withWaitReplicas(1);
        try (LockClient client = RedisLocks.using(source, "lock", ClientOptions.defaults())) {
          try (Lease lease = client.lock("a", LONG).acquire(PATIENCE)) {
            assertEquals(lease.ownerId(), trio.replica.command("GET", "lock:a"));
          }
          trio.holdReplicationBack();
          // The default time-outs leave a busy machine half a second for the answer.
          RedisHarness.until(
              "what is lacking is told",
              () ->
                  RedisHarness.messages(
                          expect(
                              LockUnavailableException.class,
                              () -> client.lock("b", LONG).tryAcquire()))
                      .contains("wait-replicas"));
        }
        assertEquals("PONG", given.connect(uri).sync().ping());
      } finally {
        given.shutdown();
      }
    }
  }

  /** Or the first use would tell it. */
  @Test
  void aUserWithoutScriptsIsRefusedAtOpen() {
    try (RedisHarness scene = new RedisHarness()) {
      scene.server.command(
          "ACL", "SETUSER", "app", "on", ">pw", "~*", "&*", "+@all", "-eval", "-evalsha");
      RedisURI uri = RedisURI.create(scene.server.host(), scene.server.port());
      uri.setAuthentication("app", "pw".toCharArray());
      RedisClient given = RedisClient.create();
      try {
        expect(LockRejectedException.class, () -> RedisLocks.using(given, uri).close());
        expect(LockRejectedException.class, () -> RedisLocks.limiter(given, uri, ONE).close());
      } finally {
        given.shutdown();
      }
    }
  }

  @Test
  void senselessSettingsAreRefused() {
    RedisClusterClient given = RedisClusterClient.create("redis://localhost:1");
    try {
      assertThrows(IllegalArgumentException.class, () -> RedisSource.of(given, List.of()));
      RedisSource source = RedisSource.of(given, List.of(RedisURI.create("localhost", 1)));
      assertThrows(IllegalArgumentException.class, () -> source.withWaitReplicas(-1));
      assertThrows(IllegalArgumentException.class, () -> source.withWaitReplicas(101));
    } finally {
      given.shutdown();
    }
  }

  /** Its characters keep keys of locks, and patterns for them, apart from all others. */
  @Test
  void aNamespaceIsCheckedAsInSettings() {
    RedisClient given = RedisClient.create();
    try {
      RedisSource source = RedisSource.of(given, RedisURI.create("localhost", 1));
      for (String namespace : List.of("", "a*", "a#token", "a b", "-a")) {
        assertThrows(
            LockConfigurationException.class,
            () -> RedisLocks.using(source, namespace, ClientOptions.defaults()),
            namespace);
      }
    } finally {
      given.shutdown();
    }
  }
}
