/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redis;

import static io.holdfast.lock.redis.RedisHarness.until;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.limit.RateAnswer;
import io.holdfast.lock.limit.RateAnswer.Granted;
import io.holdfast.lock.limit.RateAnswer.Refused;
import io.holdfast.lock.limit.RateAnswer.Undecided;
import io.holdfast.lock.limit.RateLimiter;
import io.holdfast.lock.limit.RateLimiters;
import io.holdfast.lock.servers.RedisServer;
import io.lettuce.core.cluster.SlotHash;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Permits that are counted by a cluster, or behind sentinels. */
class RateLimiterClusterTest {

  private static RateLimiter open(Map<String, String> where, String... more) {
    Map<String, String> settings = new HashMap<>(where);
    settings.putAll(Map.of("permits", "2", "window", "1h", "when-unavailable", "refuse"));
    settings.put("command-timeout", "5s");
    for (int i = 0; i < more.length; i += 2) {
      settings.put(more[i], more[i + 1]);
    }
    return RateLimiters.open(settings);
  }

  @Test
  void eachKeyIsCountedWhereItsSlotIsAndGoesWithIt() {
    try (ClusterHarness scene = new ClusterHarness();
        RateLimiter limiter = open(scene.settings());
        RateLimiter other = open(scene.settings())) {
      List<String> keys =
          List.of("{", "}", "{a}b", "{}", "plain", "a b", keyAt(0), keyAt(1), keyAt(2));
      for (String key : keys) {
        assertEquals(new Granted(1), limiter.tryAcquire(key), key);
        int node = ClusterHarness.nodeOf("lock#rate:" + key);
        assertEquals("1", scene.primaries.get(node).command("EXISTS", "lock#rate:" + key), key);
      }
      String moved = keyAt(1);
      scene.move(
          SlotHash.getSlot("lock#rate:" + moved), scene.primaries.get(1), scene.primaries.get(2));
      for (String key : keys) {
        assertEquals(new Granted(0), other.tryAcquire(key), key);
        assertInstanceOf(Refused.class, limiter.tryAcquire(key), key);
      }
      long written = offset(scene.primaries.get(0));
      until("the replica has the grants", () -> offset(scene.replica) >= written);
      scene.failOver();
      until("the new primary answers", () -> !(ask(limiter) instanceof Undecided));
      assertInstanceOf(Refused.class, limiter.tryAcquire(keyAt(0)), "nothing was forgotten");
    }
  }

  private static long offset(RedisServer server) {
    return server
        .command("INFO", "replication")
        .lines()
        .filter(line -> line.startsWith("master_repl_offset:"))
        .mapToLong(line -> Long.parseLong(line.substring("master_repl_offset:".length()).trim()))
        .sum();
  }

  private static RateAnswer ask(RateLimiter limiter) {
    return limiter.tryAcquire(keyAt(0));
  }

  private static String keyAt(int node) {
    int i = 0;
    while (ClusterHarness.nodeOf("lock#rate:k" + i) != node) {
      i++;
    }
    return "k" + i;
  }

  @Test
  void behindSentinelsItFollowsTheFailOver() {
    try (SentinelTrio trio = new SentinelTrio();
        RateLimiter limiter = open(trio.settings(), "wait-replicas", "1")) {
      assertEquals(new Granted(1), limiter.tryAcquire("a"));
      assertEquals("1", trio.replica.command("EXISTS", "lock#rate:a"), "confirmed is replicated");
      trio.holdReplicationBack();
      Undecided answer = assertInstanceOf(Undecided.class, limiter.tryAcquire("b"));
      assertTrue(String.valueOf(answer.cause().getMessage()).contains("wait-replicas"));
      trio.failOver();
      try (RateLimiter after = open(trio.settings())) {
        assertEquals(new Granted(0), after.tryAcquire("a"));
        assertInstanceOf(Refused.class, after.tryAcquire("a"));
      }
    }
  }
}
