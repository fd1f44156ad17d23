/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redis;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockException;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.Locks;
import io.holdfast.lock.LossReason;
import io.holdfast.lock.Renewal;
import io.holdfast.lock.Retry;
import io.holdfast.lock.limit.RateLimit;
import io.holdfast.lock.limit.RateLimiter;
import io.holdfast.lock.limit.RateLimiters;
import io.holdfast.lock.servers.Conditions;
import io.holdfast.lock.servers.OpenResources;
import io.holdfast.lock.servers.RedisServer;
import io.holdfast.lock.servers.TcpProxy;
import io.holdfast.lock.spi.ClaimSignals;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** A server, the clients of one test, and patience. */
final class RedisHarness extends OpenResources {

  /** For claims whose signals make no difference. */
  static final ClaimSignals DEAF =
      new ClaimSignals() {
        @Override
        public void wake() {}

        @Override
        public void lost(LossReason reason) {}
      };

  static final Duration PATIENCE = Duration.ofSeconds(30);

  /** Several elections, where votes come too late or those who vote do not agree at once. */
  static final Duration LONGEST_FAIL_OVER = Duration.ofMinutes(1);

  /** So long that nothing ends by itself within a test. */
  static final LockOptions LONG = LockOptions.defaults().withTtl(Duration.ofMinutes(2));

  /** Only a message can be quick. */
  static final LockOptions BY_MESSAGE =
      LONG.withRetry(
          Retry.defaults().withJitter(0).withPauses(Duration.ofMinutes(1), Duration.ofMinutes(1)));

  /** Renewed so often that a test sees it; a machine that is busy for seconds takes none away. */
  static final LockOptions SHORT =
      LockOptions.defaults()
          .withTtl(Duration.ofSeconds(10))
          .withRenewal(Renewal.every(Duration.ofSeconds(1)))
          .withRetry(Retry.defaults().withPauses(Duration.ofMillis(10), Duration.ofMillis(100)));

  final RedisServer server;

  RedisHarness(String... serverArgs) {
    server = closing(RedisServer.launch(serverArgs));
  }

  TcpProxy link() {
    return closing(TcpProxy.to(server.host(), server.port()));
  }

  LockClient client() {
    return client(Map.of());
  }

  LockClient client(Map<String, String> more) {
    return client(server.host(), server.port(), more);
  }

  LockClient client(TcpProxy link, Map<String, String> more) {
    return client(link.host(), link.port(), more);
  }

  /** For tests in which commands are to time out; a busy machine is no fault in the others. */
  LockClient impatient() {
    return impatient(server.host(), server.port(), Map.of());
  }

  LockClient impatient(TcpProxy link) {
    return impatient(link, Map.of());
  }

  LockClient impatient(TcpProxy link, Map<String, String> more) {
    return impatient(link.host(), link.port(), more);
  }

  /** Opens it again where a command times out that is a part of the opening. */
  private LockClient impatient(String host, int port, Map<String, String> more) {
    Map<String, String> settings = new HashMap<>(more);
    settings.put("command-timeout", "400ms");
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (true) {
      try {
        return client(host, port, settings);
      } catch (LockUnavailableException e) {
        if (System.nanoTime() - end > 0) {
          throw e;
        }
      }
    }
  }

  private LockClient client(String host, int port, Map<String, String> more) {
    Map<String, String> settings = new HashMap<>();
    settings.put("provider", "redis");
    settings.put("uri", "redis://" + host + ":" + port);
    settings.put("command-timeout", "5s");
    settings.putAll(more);
    return closing(Locks.open(settings));
  }

  RateLimiter limiter(int permits, Duration window) {
    return limiter(permits, window, RateLimit.Unanswered.REFUSE, Map.of());
  }

  RateLimiter limiter(
      int permits, Duration window, RateLimit.Unanswered unanswered, Map<String, String> more) {
    Map<String, String> settings = new HashMap<>(more);
    settings.put("provider", "redis");
    settings.put("permits", String.valueOf(permits));
    settings.put("window", window.toString());
    settings.put("when-unavailable", unanswered.name().toLowerCase(Locale.ROOT));
    settings.putIfAbsent("uri", "redis://" + server.host() + ":" + server.port());
    settings.putIfAbsent("command-timeout", "5s");
    return closing(RateLimiters.open(settings));
  }

  /** The keys of locks; not the token counter. */
  List<String> lockKeys() {
    return server.values("KEYS", "lock:*");
  }

  /** The ids of all connections but the one that asks. */
  List<String> connections() {
    return server
        .command("CLIENT", "LIST")
        .lines()
        .filter(line -> !line.contains("cmd=client|list"))
        .map(line -> line.substring(3, line.indexOf(' ')))
        .toList();
  }

  long info(String section, String pattern) {
    return info(server, section, pattern);
  }

  static long info(RedisServer server, String section, String pattern) {
    return server
        .command("INFO", section)
        .lines()
        .filter(line -> line.startsWith(pattern))
        .mapToLong(line -> Long.parseLong(line.substring(pattern.length()).split("[,\\s]", 2)[0]))
        .sum();
  }

  static <T> T get(Future<T> result) throws Exception {
    return result.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
  }

  static void until(String what, BooleanSupplier condition) {
    Conditions.until(what, PATIENCE, condition);
  }

  static String messages(Throwable failure) {
    StringBuilder all = new StringBuilder();
    for (Throwable at = failure; at != null; at = at.getCause()) {
      all.append(at).append('\n');
    }
    return all.toString();
  }

  static <T extends LockException> T expect(
      Class<T> type, org.junit.jupiter.api.function.Executable call) {
    return org.junit.jupiter.api.Assertions.assertThrowsExactly(type, call);
  }
}
