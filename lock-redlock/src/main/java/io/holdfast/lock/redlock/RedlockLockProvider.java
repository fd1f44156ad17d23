/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redlock;

import io.holdfast.lock.Capabilities;
import io.holdfast.lock.redis.client.RedisConfig;
import io.holdfast.lock.redis.client.RedisLibraries;
import io.holdfast.lock.spi.ClientLibrary;
import io.holdfast.lock.spi.LockBackend;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.spi.Settings;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The provider {@code redlock}: locks by a quorum of independent Redis servers. Its settings:
 *
 * <ul>
 *   <li>{@code uris} (required): addresses as for the provider {@code redis}, separated by commas,
 *       of servers that are not replicas of each other
 *   <li>{@code restart-delay}: for how long a server that has just been started does not count, and
 *       so the longest TTL; {@code 30s} if not set. {@code none} if every server has each write on
 *       disk before it answers
 *   <li>{@code command-timeout}: how long one server is waited for; {@code 500ms} if not set
 *   <li>{@code connect-timeout}: for a new connection; {@code 5s} if not set
 *   <li>{@code username}, {@code password}: at each server, instead of those in the addresses; the
 *       password is a secret
 *   <li>{@code database}: at each server; {@code 0} if not set, here or in its address
 *   <li>{@code namespace}: what the keys begin with; {@code lock} if not set
 *   <li>{@code tls-truststore}, {@code tls-truststore-password}, {@code tls-keystore}, {@code
 *       tls-keystore-password}: as for the provider {@code redis}
 * </ul>
 */
public final class RedlockLockProvider implements LockProvider {

  static final Capabilities CAPABILITIES =
      new Capabilities(
          Capabilities.Fencing.THROUGH_DATA_LOSS,
          Capabilities.Lifetime.TTL,
          Capabilities.Ordering.UNORDERED,
          Capabilities.WakeUp.MESSAGE,
          Capabilities.ExpiryClock.SERVER_WALL_CLOCK,
          Capabilities.Scope.LEASE,
          Capabilities.Survival.MINORITY,
          Capabilities.Inspection.OWNER,
          Capabilities.Retention.SERVER,
          Capabilities.Sharing.NONE);

  private static final Duration COMMAND_TIMEOUT = Duration.ofMillis(500);
  private static final Duration RESTART_DELAY = Duration.ofSeconds(30);

  /** Above the grain of the clock in the tokens, and the seconds of INFO. */
  private static final Duration SHORTEST_DELAY = Duration.ofSeconds(2);

  private static final Pattern SEVERAL = Pattern.compile("rediss?://[^,]*(,\\s*rediss?://[^,]*)+");
  private static final Pattern SEPARATOR = Pattern.compile("\\s*,\\s*");

  /** For {@link java.util.ServiceLoader}. */
  public RedlockLockProvider() {}

  @Override
  public String name() {
    return "redlock";
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
    return SEVERAL.matcher(url).matches() ? Optional.of(Map.of("uris", url)) : Optional.empty();
  }

  @Override
  public LockBackend<?> open(Settings settings) {
    String text = settings.required("uris", "redis://a:6379,redis://b:6379,redis://c:6379");
    List<String> addresses = SEPARATOR.splitAsStream(text.trim()).toList();
    List<RedisConfig> configs = RedisConfig.from(settings, "uris", addresses, COMMAND_TIMEOUT);
    Optional<Duration> restartDelay = restartDelay(settings);
    settings.finish();
    HashSet<String> seen = new HashSet<>();
    for (RedisConfig config : configs) {
      String where = config.where();
      if (!config.uri().getSentinels().isEmpty()) {
        throw settings.invalid("uris", where, "addresses of single servers, without sentinels");
      }
      if (!seen.add(where)) {
        throw settings.invalid("uris", where + " twice", "addresses of different servers");
      }
    }
    return RedlockBackend.open(configs, restartDelay);
  }

  private static Optional<Duration> restartDelay(Settings settings) {
    String key = "restart-delay";
    if (settings.text(key).filter("none"::equals).isPresent()) {
      return Optional.empty();
    }
    Duration delay = settings.duration(key, RESTART_DELAY);
    if (delay.compareTo(SHORTEST_DELAY) < 0) {
      throw settings.invalid(key, delay.toString(), "2s or longer, or 'none'");
    }
    return Optional.of(delay);
  }
}
