/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redis;

import static io.holdfast.lock.redis.RedisHarness.expect;
import static io.holdfast.lock.redis.RedisHarness.until;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.LockRejectedException;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.limit.RateAnswer.Granted;
import io.holdfast.lock.limit.RateLimit;
import io.holdfast.lock.limit.RateLimit.Unanswered;
import io.holdfast.lock.limit.RateLimiter;
import io.holdfast.lock.limit.RateLimiters;
import io.holdfast.lock.redis.recipes.RecipeProvider;
import io.holdfast.lock.spi.Settings;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** Tests how limiters are opened, and what is refused. */
class RateLimiterOpeningTest {

  private static final RateLimit LIMIT = new RateLimit(3, Duration.ofHours(1), Unanswered.REFUSE);

  private final RedisHarness scene = new RedisHarness();

  @AfterEach
  void end() {
    scene.close();
  }

  private RedisURI uri() {
    return RedisURI.create(scene.server.host(), scene.server.port());
  }

  private Map<String, String> settings(String... changes) {
    Map<String, String> settings = new HashMap<>();
    settings.put("provider", "redis");
    settings.put("uri", "redis://" + scene.server.host() + ":" + scene.server.port());
    settings.put("permits", "3");
    settings.put("window", "1h");
    settings.put("when-unavailable", "refuse");
    settings.put("command-timeout", "5s");
    for (int i = 0; i < changes.length; i += 2) {
      if (changes[i + 1].isEmpty()) {
        settings.remove(changes[i]);
      } else {
        settings.put(changes[i], changes[i + 1]);
      }
    }
    return settings;
  }

  @Test
  void settingsAndAReadyClientOpenTheSame() {
    RateLimiter limiter = scene.closing(RateLimiters.open(settings("client-name", "any")));
    assertEquals(LIMIT, limiter.limit());
    RedisClient client = RedisClient.create(uri());
    try {
      try (RateLimiter other = RedisLocks.limiter(client, uri(), LIMIT);
          RateLimiter apart =
              RedisLocks.limiter(client, uri(), "apart", LIMIT, ClientOptions.defaults())) {
        assertEquals(new Granted(2), limiter.tryAcquire("a"));
        assertEquals(new Granted(1), other.tryAcquire("a"));
        assertEquals(new Granted(2), apart.tryAcquire("a"));
        assertEquals(3, scene.connections().size(), "a limiter needs one connection");
      }
      until("its connections are gone", () -> scene.connections().size() == 1);
      assertEquals("PONG", client.connect().sync().ping(), "the ready client is left alone");
    } finally {
      client.shutdown();
    }
  }

  @Test
  void settingsAreNamedIfTheyAreMissingOrWrong() {
    refuses("permits", settings("permits", ""));
    refuses("window", settings("window", ""));
    refuses("when-unavailable", settings("when-unavailable", ""));
    refuses("1 to 1000000", settings("permits", "0"));
    refuses("a positive duration", settings("window", "soon"));
    refuses("allow or refuse", settings("when-unavailable", "perhaps"));
    refuses("did you mean 'window'", settings("windw", "1s"));
    refuses("provider", settings("provider", ""));
    refuses("No lock provider 'rediss'", settings("provider", "rediss"));
    Settings none = new Settings("redis-recipe", Map.of());
    String message =
        expect(
                LockConfigurationException.class,
                () ->
                    RateLimiters.open(new RecipeProvider(), none, LIMIT, ClientOptions.defaults()))
            .getMessage();
    assertTrue(String.valueOf(message).contains("has no rate limiter"), message);
  }

  private static void refuses(String said, Map<String, String> settings) {
    String message =
        expect(LockConfigurationException.class, () -> RateLimiters.open(settings)).getMessage();
    assertTrue(String.valueOf(message).contains(said), message);
  }

  @Test
  void badArgumentsAreRefusedBeforeAnythingIsSent() {
    RateLimiter limiter = scene.limiter(3, Duration.ofHours(1));
    long calls = scene.info("commandstats", "cmdstat_evalsha:calls=");
    bad("key must not be empty", () -> limiter.tryAcquire(""));
    bad("512 bytes", () -> limiter.tryAcquire("k".repeat(513)));
    bad("surrogate", () -> limiter.tryAcquire("\ud800"));
    bad("permits must be from 1 to 3", () -> limiter.tryAcquire("a", 0));
    bad("but is 4", () -> limiter.tryAcquire("a", 4));
    bad("but is -1", () -> limiter.tryAcquireAsync("a", -1));
    bad("maxWait", () -> limiter.tryAcquire("a", 1, Duration.ofSeconds(-1)));
    bad("permits", () -> new RateLimit(0, Duration.ofSeconds(1), Unanswered.ALLOW));
    bad("permits", () -> new RateLimit(1_000_001, Duration.ofSeconds(1), Unanswered.ALLOW));
    bad("window", () -> new RateLimit(1, Duration.ofNanos(999_999), Unanswered.ALLOW));
    bad("window", () -> new RateLimit(1, Duration.ofDays(366), Unanswered.ALLOW));
    assertEquals(calls, scene.info("commandstats", "cmdstat_evalsha:calls="));
    assertEquals(new Granted(2), limiter.tryAcquire("k".repeat(512)));
  }

  private static void bad(String said, Executable call) {
    String message = assertThrows(IllegalArgumentException.class, call).getMessage();
    assertTrue(String.valueOf(message).contains(said), message);
  }

  @Test
  void needsNoMoreRightsThanItSays() {
    scene.server.command(
        "ACL",
        "SETUSER",
        "app",
        "on",
        ">pw",
        "~lock#rate:*",
        "resetchannels",
        "-@all",
        "+llen",
        "+lindex",
        "+rpush",
        "+ltrim",
        "+pexpireat",
        "+time",
        "+eval",
        "+evalsha");
    Map<String, String> app = settings("username", "app", "password", "pw");
    try (RateLimiter limiter = RateLimiters.open(app)) {
      assertEquals(new Granted(2), limiter.tryAcquire("a"));
    }
    scene.server.command("ACL", "SETUSER", "app", "-rpush");
    String message = expect(LockRejectedException.class, () -> RateLimiters.open(app)).getMessage();
    assertTrue(String.valueOf(message).contains("RPUSH, LTRIM"), message);
    until("nothing is left open", () -> scene.connections().isEmpty());
  }

  @Test
  void openingFailsInTimeIfNobodyAnswers() {
    scene.server.kill();
    expect(
        LockUnavailableException.class,
        () -> RateLimiters.open(settings("when-unavailable", "allow")));
  }
}
