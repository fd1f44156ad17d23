/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redis;

import io.holdfast.lock.Capabilities;
import io.holdfast.lock.limit.LimiterBackend;
import io.holdfast.lock.limit.LimiterProvider;
import io.holdfast.lock.redis.client.RedisLibraries;
import io.holdfast.lock.spi.ClientLibrary;
import io.holdfast.lock.spi.LockBackend;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.spi.Settings;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The provider {@code redis}: locks on a Redis server or in a cluster. Its settings:
 *
 * <ul>
 *   <li>{@code uri} (required): {@code redis://}, or {@code redis-sentinel://} with the name of the
 *       master, or {@code redis-cluster://} with some of its servers, or the same with {@code
 *       rediss} for TLS
 *   <li>{@code username}, {@code password}: instead of those in the uri; the password is a secret
 *   <li>{@code database}: {@code 0} if not set, here or in the uri
 *   <li>{@code namespace}: what the keys begin with; {@code lock} if not set
 *   <li>{@code wait-replicas}: how many replicas have to confirm a lock and each renewal before it
 *       counts; {@code 0} if not set
 *   <li>{@code connect-timeout}: for a new connection; {@code 5s} if not set
 *   <li>{@code command-timeout}: for every request; {@code 1s} if not set
 *   <li>{@code tls-truststore}, {@code tls-truststore-password}, {@code tls-keystore}, {@code
 *       tls-keystore-password}: for {@code rediss}; the passwords are secrets. With TLS,
 *       certificate and host name are checked
 * </ul>
 *
 * <p>It counts permits too: see {@link io.holdfast.lock.limit.RateLimiters}.
 */
public final class RedisLockProvider implements LockProvider, LimiterProvider {

  static final Capabilities CAPABILITIES =
      new Capabilities(
          Capabilities.Fencing.THROUGH_DATA_LOSS,
          Capabilities.Lifetime.TTL,
          Capabilities.Ordering.UNORDERED,
          Capabilities.WakeUp.MESSAGE,
          Capabilities.ExpiryClock.SERVER_WALL_CLOCK,
          Capabilities.Scope.LEASE,
          Capabilities.Survival.NOTHING,
          Capabilities.Inspection.OWNER,
          Capabilities.Retention.SERVER,
          Capabilities.Sharing.PERMITS);

  private static final Pattern URL = Pattern.compile("rediss?(-sentinel|-cluster)?://.*");

  /** Servers that do not know of each other, which are Redlock's. */
  private static final Pattern SEVERAL = Pattern.compile(",\\s*rediss?://");

  /** For {@link java.util.ServiceLoader}. */
  public RedisLockProvider() {}

  @Override
  public String name() {
    return "redis";
  }

  @Override
  public Capabilities capabilities() {
    return CAPABILITIES;
  }

  @Override
  public List<ClientLibrary> libraries() {
    return RedisLibraries.all();
  }

  @Override
  public Optional<Map<String, String>> settingsOf(String url) {
    return URL.matcher(url).matches() && !SEVERAL.matcher(url).find()
        ? Optional.of(Map.of("uri", url))
        : Optional.empty();
  }

  @Override
  public LockBackend<?> open(Settings settings) {
    return new RedisBackend(OpenServers.open(settings, RedisBackend::trial));
  }

  @Override
  public LimiterBackend openLimiter(Settings settings) {
    return new RedisLimiter(OpenServers.open(settings, RedisLimiter::trial));
  }
}
