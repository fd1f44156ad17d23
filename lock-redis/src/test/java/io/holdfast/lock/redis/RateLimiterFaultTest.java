/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redis;

import static io.holdfast.lock.redis.RedisHarness.until;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.LockException;
import io.holdfast.lock.LockRejectedException;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.limit.RateAnswer;
import io.holdfast.lock.limit.RateAnswer.Granted;
import io.holdfast.lock.limit.RateAnswer.Refused;
import io.holdfast.lock.limit.RateAnswer.Undecided;
import io.holdfast.lock.limit.RateLimit.Unanswered;
import io.holdfast.lock.limit.RateLimiter;
import io.holdfast.lock.servers.Direction;
import io.holdfast.lock.servers.TcpProxy;
import io.holdfast.lock.testsupport.CapturedLog;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Servers that are gone, hang, restart and hold something else. */
class RateLimiterFaultTest {

  private static final Duration LONG = Duration.ofHours(1);

  /** For tests in which a command is to time out, and no other. */
  private static final Map<String, String> BOUNDED = Map.of("command-timeout", "2s");

  private final RedisHarness scene = new RedisHarness();

  @AfterEach
  void end() {
    scene.close();
  }

  @Test
  void withoutAServerItFailsAsConfiguredAndComesBack() {
    try (RedisHarness durable =
        new RedisHarness("--appendonly", "yes", "--appendfsync", "always")) {
      RateLimiter open = durable.limiter(2, LONG, Unanswered.ALLOW, Map.of());
      RateLimiter shut = durable.limiter(2, LONG, Unanswered.REFUSE, Map.of());
      assertEquals(new Granted(1), open.tryAcquire("a"));
      durable.server.kill();
      assertTrue(undecided(open.tryAcquire("a"), LockUnavailableException.class).allowed());
      assertTrue(!undecided(shut.tryAcquire("a"), LockUnavailableException.class).allowed());
      assertTrue(open.tryAcquireAsync("a", 2).join().allowed());
      durable.server.start();
      until("it answers again", () -> !(shut.tryAcquire("b") instanceof Undecided));
      until("it answers again", () -> !(open.tryAcquire("b") instanceof Undecided));
      assertEquals(new Granted(0), open.tryAcquire("a"), "what was granted before is on disk");
      assertInstanceOf(Refused.class, shut.tryAcquire("a"));
    }
  }

  @Test
  void aServerThatHangsIsWaitedForNoLongerThanConfigured() {
    RateLimiter limiter = scene.limiter(5, LONG, Unanswered.ALLOW, BOUNDED);
    assertEquals(new Granted(4), limiter.tryAcquire("a"));
    scene.server.suspend();
    long begin = System.nanoTime();
    assertTrue(undecided(limiter.tryAcquire("a"), LockUnavailableException.class).allowed());
    assertTrue(System.nanoTime() - begin < Duration.ofSeconds(12).toNanos());
    scene.server.resume();
    until("it answers again", () -> limiter.tryAcquire("b") instanceof Granted);
  }

  @Test
  void anAnswerThatIsLostMayHaveBeenCounted() {
    TcpProxy link = scene.link();
    RateLimiter limiter =
        scene.limiter(
            3, LONG, Unanswered.REFUSE, with("uri", "redis://" + link.host() + ":" + link.port()));
    assertEquals(new Granted(2), limiter.tryAcquire("a"));
    link.loseNextReply();
    assertTrue(!undecided(limiter.tryAcquire("a"), LockUnavailableException.class).allowed());
    until("it answers again", () -> limiter.tryAcquire("b") instanceof Granted);
    assertEquals(new Granted(0), limiter.tryAcquire("a"));
    link.stall(Direction.TO_SERVER);
    undecided(limiter.tryAcquire("c"), LockUnavailableException.class);
    link.heal();
    until("it answers again", () -> !(limiter.tryAcquire("b") instanceof Undecided));
  }

  @Test
  void theLogIsNotFlooded() {
    try (CapturedLog log = new CapturedLog()) {
      RateLimiter limiter = scene.limiter(5, LONG, Unanswered.ALLOW, Map.of());
      scene.server.kill();
      for (int i = 0; i < 300; i++) {
        limiter.tryAcquire("a");
      }
      List<String> told = log.warnings("io.holdfast.lock.limit.engine.EngineLimiter");
      assertEquals(1, told.size(), told.toString());
      assertTrue(told.get(0).contains("A rate limiter allowed "), told.toString());
      assertTrue(told.get(0).contains("RateLimit[permits=5"), told.toString());
    }
  }

  @Test
  void aForeignKeyIsLeftAlone() {
    RateLimiter limiter = scene.limiter(5, LONG, Unanswered.REFUSE, Map.of());
    scene.server.command("SET", "lock#rate:text", "somebody's");
    scene.server.command("RPUSH", "lock#rate:list", "somebody's");
    for (String key : List.of("text", "list")) {
      Undecided answer = undecided(limiter.tryAcquire(key), LockRejectedException.class);
      assertTrue(RedisHarness.messages(answer.cause()).contains("something else"), key);
    }
    assertEquals("somebody's", scene.server.command("GET", "lock#rate:text"));
    assertEquals("somebody's", scene.server.command("LRANGE", "lock#rate:list", "0", "-1"));
  }

  private static Map<String, String> with(String key, String value) {
    Map<String, String> settings = new HashMap<>(BOUNDED);
    settings.put(key, value);
    return settings;
  }

  private static Undecided undecided(RateAnswer answer, Class<? extends LockException> cause) {
    Undecided undecided = assertInstanceOf(Undecided.class, answer);
    assertInstanceOf(cause, undecided.cause());
    return undecided;
  }
}
