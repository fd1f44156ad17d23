/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redis;

import static io.holdfast.lock.redis.RedisHarness.until;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.TimeSource;
import io.holdfast.lock.limit.RateAnswer;
import io.holdfast.lock.limit.RateAnswer.Granted;
import io.holdfast.lock.limit.RateAnswer.Refused;
import io.holdfast.lock.limit.RateLimit;
import io.holdfast.lock.limit.RateLimiter;
import io.holdfast.lock.limit.RateLimiters;
import io.holdfast.lock.spi.Settings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests which requests are granted or refused, and what that leaves at the server. */
class RateLimiterTest {

  private static final Duration LONG = Duration.ofHours(1);

  private final RedisHarness scene = new RedisHarness();

  @AfterEach
  void end() {
    scene.close();
  }

  @Test
  void grantsAsManyAsTheLimitAndTellsWhatIsLeft() {
    RateLimiter limiter = scene.limiter(3, LONG);
    assertEquals(new Granted(2), limiter.tryAcquire("a"));
    assertEquals(new Granted(1), limiter.tryAcquire("a"));
    assertEquals(new Granted(0), limiter.tryAcquire("a"));
    Refused refused = refused(limiter.tryAcquire("a"));
    assertTrue(refused.retryAfter().compareTo(LONG) <= 0, refused.toString());
    assertTrue(refused.retryAfter().compareTo(LONG.minusSeconds(30)) > 0, refused.toString());
  }

  @Test
  void grantsAllOrNone() {
    RateLimiter limiter = scene.limiter(10, LONG);
    assertEquals(new Granted(3), limiter.tryAcquire("a", 7));
    refused(limiter.tryAcquire("a", 4));
    assertEquals(new Granted(0), limiter.tryAcquire("a", 3));
    assertEquals(new Granted(0), limiter.tryAcquire("b", 10));
  }

  @Test
  void aRefusalLeavesNothing() {
    RateLimiter limiter = scene.limiter(5, LONG);
    limiter.tryAcquire("a", 5);
    List<String> before = all("lock#rate:a");
    String memory = scene.server.command("MEMORY", "USAGE", "lock#rate:a");
    long dirty = scene.info("persistence", "rdb_changes_since_last_save:");
    for (int i = 0; i < 100; i++) {
      refused(limiter.tryAcquire("a"));
    }
    assertEquals(before, all("lock#rate:a"));
    assertEquals(memory, scene.server.command("MEMORY", "USAGE", "lock#rate:a"));
    assertEquals(dirty, scene.info("persistence", "rdb_changes_since_last_save:"));
  }

  @Test
  void aKeyNeedsNoMoreEntriesThanTheLimitAndNoneAfterAWindow() {
    RateLimiter limiter = scene.limiter(5, Duration.ofMillis(20));
    long end = System.nanoTime() + Duration.ofSeconds(1).toNanos();
    int granted = 0;
    while (System.nanoTime() < end || granted <= 20) {
      granted += limiter.tryAcquire("a").allowed() ? 1 : 0;
      assertTrue(all("lock#rate:a").size() <= 5);
    }
    until("nothing is left", () -> scene.server.command("DBSIZE").equals("0"));
  }

  @Test
  void keysAndNamespacesHaveNothingToDoWithEachOther() throws InterruptedException {
    RateLimiter limiter = scene.limiter(2, LONG);
    RateLimiter other =
        scene.limiter(2, LONG, RateLimit.Unanswered.REFUSE, Map.of("namespace", "other"));
    List<String> keys =
        List.of(
            "a", "A", "a ", "{a}", "}", "{", "a}b", "*", "lock", "#rate:a", "äöü", "\ud83d\ude00");
    for (String key : keys) {
      assertEquals(new Granted(1), limiter.tryAcquire(key), key);
      assertEquals(new Granted(1), other.tryAcquire(key), key);
    }
    for (String key : keys) {
      assertEquals(new Granted(0), limiter.tryAcquire(key), key);
      refused(limiter.tryAcquire(key));
      assertEquals(new Granted(0), other.tryAcquire(key), key);
    }
    try (LockClient locks = scene.client()) {
      locks.lock("a", RedisHarness.LONG).acquire().release();
    }
  }

  @Test
  void theClockOfTheClientPlaysNoPart() {
    RateLimiter plain = scene.limiter(4, LONG);
    String uri = "redis://" + scene.server.host() + ":" + scene.server.port();
    JumpingTime time = new JumpingTime();
    scene.closing(time::close);
    RateLimiter odd =
        scene.closing(
            RateLimiters.open(
                new RedisLockProvider(),
                new Settings("redis", Map.of("uri", uri, "command-timeout", "5s")),
                plain.limit(),
                ClientOptions.defaults().withTime(time)));
    assertEquals(new Granted(3), plain.tryAcquire("a"));
    assertEquals(new Granted(2), odd.tryAcquire("a"));
    assertEquals(new Granted(1), plain.tryAcquire("a"));
    assertEquals(new Granted(0), odd.tryAcquire("a"));
    refused(odd.tryAcquire("a"));
    long[] ends = all("lock#rate:a").stream().mapToLong(one -> number(one, 0)).sorted().toArray();
    assertTrue(ends[3] - ends[0] < Duration.ofMinutes(1).toNanos() / 1000, "the server's times");
  }

  @Test
  void survivesThatTheServerForgetsItsScripts() {
    RateLimiter limiter = scene.limiter(3, LONG);
    assertEquals(new Granted(2), limiter.tryAcquire("a"));
    scene.server.command("SCRIPT", "FLUSH");
    assertEquals(new Granted(1), limiter.tryAcquire("a"));
    assertEquals(new Granted(0), limiter.tryAcquire("a"));
  }

  /** The grants are moved into the future, as if the clock had been there and gone back. */
  @Test
  void aClockThatWentBackByMuchHoldsPermitsForAWindow() {
    Duration window = Duration.ofSeconds(2);
    RateLimiter limiter = scene.limiter(3, window);
    shift(limiter, Duration.ofDays(1));
    Duration wait = refused(limiter.tryAcquire("a")).retryAfter();
    assertTrue(
        wait.compareTo(window) <= 0 && wait.compareTo(window.minusSeconds(1)) > 0, "" + wait);
    assertEquals(1, all("lock#rate:a").size());
    until("they are free", () -> limiter.tryAcquire("a", 3).equals(new Granted(0)));
  }

  @Test
  void aClockThatWentBackByLittleHoldsPermitsForAsLong() {
    RateLimiter limiter = scene.limiter(3, LONG);
    shift(limiter, Duration.ofMinutes(1));
    Duration wait = refused(limiter.tryAcquire("a")).retryAfter();
    assertTrue(wait.compareTo(LONG.plusMinutes(1)) <= 0, "" + wait);
    assertTrue(wait.compareTo(LONG.plusSeconds(30)) > 0, "" + wait);
    assertEquals(3, all("lock#rate:a").size());
  }

  private void shift(RateLimiter limiter, Duration later) {
    for (int i = 0; i < 3; i++) {
      assertTrue(limiter.tryAcquire("a").allowed());
    }
    List<String> grants = all("lock#rate:a");
    for (int i = 0; i < grants.size(); i++) {
      long at = number(grants.get(i), 0) + later.toNanos() / 1000;
      scene.server.command(
          "LSET", "lock#rate:a", "" + i, at + grants.get(i).substring(grants.get(i).indexOf(' ')));
    }
    scene.server.command("PEXPIRE", "lock#rate:a", "" + later.plus(LONG).toMillis());
  }

  private List<String> all(String key) {
    return new ArrayList<>(scene.server.values("LRANGE", key, "0", "-1"));
  }

  private static long number(String entry, int place) {
    return Long.parseLong(entry.split(" ", -1)[place]);
  }

  private static Refused refused(RateAnswer answer) {
    return assertInstanceOf(Refused.class, answer);
  }

  /** A clock that runs an hour ahead at each look. */
  private static final class JumpingTime implements TimeSource {
    private final TimeSource host = TimeSource.host();
    private final AtomicLong jumps = new AtomicLong();

    @Override
    public long nanos() {
      return host.nanos() + jumps.addAndGet(Duration.ofHours(1).toNanos());
    }

    @Override
    public Timer schedule(Duration delay, Runnable task) {
      return host.schedule(delay, task);
    }

    @Override
    public void close() {
      host.close();
    }
  }
}
