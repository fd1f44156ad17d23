/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redis;

import static io.holdfast.lock.redis.RedisHarness.expect;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.Lease;
import io.holdfast.lock.LockRejectedException;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.StaleTokenException;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.cluster.RedisClusterClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Fenced writes to hashes of a real Redis. */
class RedisGuardTest {

  private static final Duration TIMEOUT = Duration.ofSeconds(20);

  private final RedisHarness scene = new RedisHarness();
  private final RedisClient client =
      RedisClient.create(RedisURI.create(scene.server.host(), scene.server.port()));
  private final RedisGuard guard = new RedisGuard(client.connect().async(), TIMEOUT);

  @AfterEach
  void end() {
    client.shutdown();
    scene.close();
  }

  private String field(String name) {
    return scene.server.command("HGET", "report", name);
  }

  @Test
  void lowerTokensAreRefusedAndNothingIsWritten() {
    scene.server.command("HSET", "report", "kept", "as it was");
    guard.put("report", 5, Map.of("text", "first"));
    guard.put("report", 5, Map.of("text", "again"));
    guard.put("report", 9, Map.of("text", "next"));
    StaleTokenException told =
        expect(StaleTokenException.class, () -> guard.put("report", 8, Map.of("text", "late")));
    assertTrue(String.valueOf(told.getMessage()).contains("Token 8 is stale at 'report': 9"));
    assertEquals("next", field("text"));
    assertEquals("9", field(RedisGuard.TOKEN_FIELD));
    assertEquals("as it was", field("kept"));
    guard.put("report", 10, Map.of());
    assertEquals("10", field(RedisGuard.TOKEN_FIELD));
  }

  /** Neighbours that are one number to a floating-point unit. */
  @Test
  void tokensAreComparedInAllTheirDigits() {
    long[] ascending = {
      9,
      10,
      99,
      100,
      1L << 53,
      (1L << 53) + 1,
      1838348206361054208L,
      1838348206361054209L,
      Long.MAX_VALUE - 1,
      Long.MAX_VALUE
    };
    for (int i = 0; i < ascending.length; i++) {
      guard.put("report", ascending[i], Map.of("text", "" + i));
      for (int lower = 0; lower < i; lower++) {
        long stale = ascending[lower];
        expect(StaleTokenException.class, () -> guard.put("report", stale, Map.of("text", "-")));
      }
      assertEquals("" + i, field("text"));
      assertEquals("" + ascending[i], field(RedisGuard.TOKEN_FIELD));
    }
  }

  @Test
  void theTokensOfRealLeasesAreGood() throws InterruptedException {
    try (var locks = scene.client()) {
      long old;
      try (Lease lease = locks.lock("report").acquire()) {
        old = lease.fencingToken();
      }
      try (Lease lease = locks.lock("report").acquire()) {
        guard.put("report", lease.fencingToken(), Map.of("text", "next"));
      }
      expect(StaleTokenException.class, () -> guard.put("report", old, Map.of("text", "late")));
    }
  }

  @Test
  void writtenTokensNeverGoBack() {
    List<CompletableFuture<Void>> writes = new ArrayList<>();
    for (int i = 0; i < 2_000; i++) {
      long token = 1 + (i * 7919L) % 2_000;
      writes.add(guard.putAsync("report", token, Map.of("token " + token, "")));
    }
    long refused = writes.stream().filter(RedisGuardTest::isRefused).count();
    assertEquals("2000", field(RedisGuard.TOKEN_FIELD));
    assertEquals(2_000 - refused + 1, Long.parseLong(scene.server.command("HLEN", "report")));
    assertTrue(refused > 0);
  }

  private static boolean isRefused(CompletableFuture<Void> write) {
    return write
        .handle(
            (done, failure) -> failure != null && failure.getCause() instanceof StaleTokenException)
        .join();
  }

  @Test
  void badInputAndForeignKeysAreRefused() {
    assertThrows(IllegalArgumentException.class, () -> guard.put("report", 0, Map.of()));
    assertThrows(
        IllegalArgumentException.class,
        () -> guard.put("report", 1, Map.of(RedisGuard.TOKEN_FIELD, "9")));
    scene.server.command("SET", "text", "somebody's");
    expect(LockRejectedException.class, () -> guard.put("text", 1, Map.of("a", "b")));
    assertEquals("somebody's", scene.server.command("GET", "text"));
    scene.server.command("HSET", "far too long", RedisGuard.TOKEN_FIELD, "9".repeat(1 << 20));
    LockRejectedException told =
        expect(LockRejectedException.class, () -> guard.put("far too long", 1, Map.of("a", "b")));
    assertTrue(String.valueOf(told.getMessage()).length() < 1000, "the value is told");
    scene.server.command("SCRIPT", "FLUSH");
    guard.put("report", 1, Map.of("text", "first"));
  }

  @Test
  void aServerThatHangsIsWaitedForNoLongerThanSaid() {
    RedisGuard impatient = new RedisGuard(client.connect().async(), Duration.ofMillis(300));
    scene.server.suspend();
    long begin = System.nanoTime();
    expect(LockUnavailableException.class, () -> impatient.put("report", 1, Map.of("a", "b")));
    assertTrue(System.nanoTime() - begin < Duration.ofSeconds(8).toNanos());
    scene.server.resume();
  }

  @Test
  void worksOnACluster() {
    try (ClusterHarness cluster = new ClusterHarness()) {
      RedisURI seed =
          RedisURI.create(cluster.primaries.get(0).host(), cluster.primaries.get(0).port());
      RedisClusterClient owned = RedisClusterClient.create(seed);
      try {
        RedisGuard there = new RedisGuard(owned.connect().async(), TIMEOUT);
        for (String key : List.of("a", "b", "c", "{d", "e}")) {
          there.put(key, 2, Map.of("text", "next"));
          CompletableFuture<Void> late = there.putAsync(key, 1, Map.of("text", "late"));
          assertInstanceOf(
              StaleTokenException.class,
              assertThrows(CompletionException.class, late::join).getCause());
        }
      } finally {
        owned.shutdown();
      }
    }
  }
}
