/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redis;

import static io.holdfast.lock.redis.RedisHarness.LONG;
import static io.holdfast.lock.redis.RedisHarness.expect;
import static io.holdfast.lock.redis.RedisHarness.messages;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.LockRejectedException;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.Locks;
import io.holdfast.lock.ReleaseOutcome;
import io.holdfast.lock.servers.RedisServer;
import io.holdfast.lock.servers.TcpProxy;
import io.holdfast.lock.testsupport.CapturedLog;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests which settings and servers are refused, and the messages about them. */
class RedisOpeningTest {

  private static final String SECRET = "s3cr3t-pass";

  @ParameterizedTest
  @ValueSource(
      strings = {
        "localhost:6379",
        "http://user:s3cr3t-pass@localhost",
        "redis://",
        "redis://user:s3cr3t-pass@",
        "redis://user:s3cr3t-pass@localhost:x",
        "redis://user:s3cr3t-pass@local host:6379",
        "redis://user:s3cr3t-pass@localhost:6379/x",
        "redis-sentinel://user:s3cr3t-pass@localhost"
      })
  void aBadUriIsRefusedWithoutItsSecret(String uri) {
    LockConfigurationException bad =
        expect(
            LockConfigurationException.class,
            () -> Locks.open("redis", Map.of("uri", uri)).close());
    assertTrue(messages(bad).contains("'uri'"), messages(bad));
    assertFalse(messages(bad).contains(SECRET), messages(bad));
  }

  @ParameterizedTest
  @ValueSource(strings = {"rediss://localhost", "rediss-sentinel://localhost"})
  void aServerThatWouldNotBeVerifiedIsRefused(String uri) {
    String text = uri + "?verifyPeer=NONE" + (uri.contains("sentinel") ? "#prime" : "");
    LockConfigurationException bad =
        expect(
            LockConfigurationException.class,
            () -> Locks.open("redis", Map.of("uri", text)).close());
    assertTrue(messages(bad).contains("verifyPeer=NONE"), messages(bad));
  }

  @Test
  void settingsThatDoNotFitAreRefused() {
    String uri = "redis://localhost";
    for (Map<String, String> bad :
        List.of(
            Map.of("uri", uri, "username", "somebody"),
            Map.of("uri", uri, "database", "-1"),
            Map.of("uri", uri, "command-timeout", "0s"),
            Map.of("uri", uri, "tls-truststore", "/no/such/file"),
            Map.of("uri", uri, "time-out", "1s"))) {
      expect(LockConfigurationException.class, () -> Locks.open("redis", bad).close());
    }
  }

  @Test
  void aWrongPasswordIsRefusedWithoutSayingIt() throws InterruptedException {
    try (RedisHarness scene = new RedisHarness("--requirepass", "right")) {
      LockRejectedException wrong =
          expect(
              LockRejectedException.class, () -> scene.client(Map.of("password", SECRET)).close());
      assertFalse(messages(wrong).contains(SECRET), messages(wrong));
      assertTrue(messages(wrong).contains("password"), messages(wrong));
      expect(LockRejectedException.class, () -> scene.client().close());
      assertEquals(
          ReleaseOutcome.RELEASED,
          scene.client(Map.of("password", "right")).lock("a", LONG).acquire().release());
    }
  }

  @Test
  void aUserWithoutScriptsIsRefusedAtOpen() {
    try (RedisHarness scene = new RedisHarness()) {
      user(scene, "&*", "-eval", "-evalsha");
      LockRejectedException refused =
          expect(LockRejectedException.class, () -> openAsUser(scene).close());
      assertTrue(String.valueOf(refused.getMessage()).contains("EVAL"), refused.getMessage());
      String told = String.valueOf(refused.getMessage()).toLowerCase(java.util.Locale.ROOT);
      assertTrue(told.contains("(noperm ") && told.contains("'eval"), told);
    }
  }

  @Test
  void aUserWithoutChannelsCanReleaseAndIsWarned() throws InterruptedException {
    try (RedisHarness scene = new RedisHarness();
        CapturedLog log = new CapturedLog()) {
      user(scene, "resetchannels");
      LockClient client = openAsUser(scene);
      log.assertWarns("io.holdfast.lock.redis", "publish");
      Lease held = client.lock("a", LONG).acquire();
      assertEquals(ReleaseOutcome.RELEASED, held.release());
      Lease again = client.lock("a", LONG).acquire();
      assertTrue(openAsUser(scene).lock("a", LONG).tryAcquire().isEmpty());
      again.releaseAsync();
      openAsUser(scene).lock("a", LONG).acquire(RedisHarness.PATIENCE).release();
    }
  }

  private static void user(RedisHarness scene, String... rules) {
    String[] start = {"ACL", "SETUSER", "app", "on", ">" + SECRET, "~*", "+@all"};
    String[] all = java.util.Arrays.copyOf(start, start.length + rules.length);
    System.arraycopy(rules, 0, all, start.length, rules.length);
    scene.server.command(all);
  }

  private static LockClient openAsUser(RedisHarness scene) {
    return scene.client(Map.of("username", "app", "password", SECRET));
  }

  @Test
  void aReplicaIsRefused() {
    try (RedisHarness scene = new RedisHarness();
        RedisServer replica =
            RedisServer.launch(
                "--replicaof", scene.server.host(), String.valueOf(scene.server.port()))) {
      LockRejectedException refused =
          expect(
              LockRejectedException.class,
              () -> {
                String uri = "redis://" + replica.host() + ":" + replica.port();
                Locks.open("redis", Map.of("uri", uri, "command-timeout", "5s")).close();
              });
      assertTrue(String.valueOf(refused.getMessage()).contains("read-only replica"));
    }
  }

  @Test
  void aServerThatBecomesAReplicaIsUnavailableUntilItIsNoneAnyMore() throws InterruptedException {
    try (RedisHarness scene = new RedisHarness();
        RedisServer other = RedisServer.launch()) {
      LockClient client = scene.client();
      scene.server.command("REPLICAOF", other.host(), String.valueOf(other.port()));
      LockUnavailableException failure =
          expect(LockUnavailableException.class, () -> client.lock("a", LONG).tryAcquire());
      assertTrue(String.valueOf(failure.getMessage()).contains("read-only replica"));
      scene.server.command("REPLICAOF", "NO", "ONE");
      client.lock("a", LONG).acquire(RedisHarness.PATIENCE).release();
    }
  }

  @Test
  void aNodeOfAClusterIsRefused() {
    try (RedisHarness scene = new RedisHarness("--cluster-enabled", "yes")) {
      LockRejectedException refused =
          expect(LockRejectedException.class, () -> scene.client().close());
      assertTrue(messages(refused).contains("Cluster"), messages(refused));
    }
  }

  @Test
  void aServerThatEvictsIsWarnedOf() {
    try (RedisHarness scene = new RedisHarness("--maxmemory-policy", "allkeys-lru");
        CapturedLog log = new CapturedLog()) {
      scene.client();
      log.assertWarns("io.holdfast.lock.redis", "allkeys-lru");
    }
  }

  @Test
  void aServerWithoutAConnectionForUsIsUnavailableAndLosesNothing() throws InterruptedException {
    try (RedisHarness scene = new RedisHarness()) {
      LockClient early = scene.client();
      Lease held = early.lock("a", LONG).acquire();
      scene.server.command("CONFIG", "SET", "maxclients", "1");
      // The end of the connection may come before the reason.
      RedisHarness.until(
          "the reason",
          () ->
              messages(expect(LockUnavailableException.class, () -> scene.client().close()))
                  .contains("max number of clients"));
      assertTrue(held.isValid());
      assertEquals(ReleaseOutcome.RELEASED, held.release());
    }
  }

  @Test
  void whyItCannotBeReachedIsSaid() {
    assertUnreached("refused: /127.0.0.1:1)", "redis://127.0.0.1:1");
    assertUnreached("unknown host: ", "redis://no-such-host.invalid");
  }

  private static void assertUnreached(String reason, String uri) {
    LockUnavailableException told =
        expect(
            LockUnavailableException.class, () -> Locks.open("redis", Map.of("uri", uri)).close());
    assertTrue(String.valueOf(told.getMessage()).contains(reason), told.getMessage());
  }

  @Test
  void nobodyThereIsUnavailableInTime() {
    try (RedisHarness scene = new RedisHarness()) {
      TcpProxy link = scene.link();
      link.refuse();
      expect(LockUnavailableException.class, () -> scene.client(link, Map.of()).close());
      link.heal();
      scene.server.suspend();
      long begin = System.nanoTime();
      expect(
          LockUnavailableException.class,
          () -> scene.client(link, Map.of("connect-timeout", "500ms")).close());
      assertTrue(System.nanoTime() - begin < Duration.ofSeconds(5).toNanos());
      scene.server.resume();
    }
  }

  /** Whether it is opened is not promised. */
  @Test
  void anInterruptStaysSet() {
    try (RedisHarness scene = new RedisHarness()) {
      TcpProxy link = scene.link();
      Thread.currentThread().interrupt();
      try {
        scene.client(link, Map.of()).close();
      } catch (LockUnavailableException e) {
        assertTrue(String.valueOf(e.getMessage()).contains("interrupted"), e.getMessage());
      }
      assertTrue(Thread.interrupted(), "the interrupt is lost");
    }
  }
}
