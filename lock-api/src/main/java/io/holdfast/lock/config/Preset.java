/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.config;

import static io.holdfast.lock.config.Demand.FAILURE_DETECTION;
import static io.holdfast.lock.config.Demand.FENCING;
import static io.holdfast.lock.config.Demand.MONOTONIC_CLOCK;
import static io.holdfast.lock.config.Demand.PERMITS;
import static io.holdfast.lock.config.Demand.QUEUE_OR_FENCING;
import static io.holdfast.lock.config.Demand.SURVIVAL;
import static io.holdfast.lock.config.Demand.TRANSACTION_SCOPE;

import io.holdfast.lock.LockOptions;
import io.holdfast.lock.Renewal;
import io.holdfast.lock.Retry;
import io.holdfast.lock.limit.RateLimit.Unanswered;
import io.holdfast.lock.limit.RateLimiter;
import io.holdfast.lock.spi.LockProvider;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * A usual scenario: its terms, what it demands of a backend, and which backends suit it best. Every
 * term can be changed under {@code scenario.<name>}.
 */
@SuppressWarnings("ImmutableEnumChecker") // Records and lists that nobody can change.
public enum Preset {

  /** For moving money: a short TTL, few tries, and no doubt about who holds the lock. */
  FINANCIAL(
      seconds(5, Renewal.every(Duration.ofMillis(1500))),
      Retry.defaults().withMaxAttempts(5),
      Duration.ofMillis(200),
      List.of(MONOTONIC_CLOCK, FENCING),
      List.of("postgres-advisory", "zookeeper", "etcd", "postgres-row")),

  /** One of many processes fills a cache: short and frequent; doing it twice only costs work. */
  CACHE(
      seconds(2, Renewal.every(Duration.ofMillis(800))),
      Retry.defaults().withMaxAttempts(2),
      Duration.ofMillis(50),
      List.of(),
      List.of("redis", "redlock", "postgres-table", "etcd", "zookeeper", "postgres-advisory")),

  /** One of many processes leads, for as long as it lives; the others wait without limit. */
  LEADER(
      seconds(10, Renewal.automatic()),
      Retry.defaults(),
      Duration.ofMillis(500),
      List.of(FAILURE_DETECTION, QUEUE_OR_FENCING),
      List.of("zookeeper", "etcd", "postgres-advisory", "redlock", "postgres-table", "redis")),

  /** A job that runs for long, and has to go on when a server of the locks dies. */
  BATCH(
      seconds(30, Renewal.every(Duration.ofSeconds(5))),
      Retry.defaults().withMaxAttempts(10),
      Duration.ofMillis(500),
      List.of(SURVIVAL),
      List.of("etcd", "zookeeper", "redlock")),

  /** State in a database, changed by transactions that hold the lock. */
  SESSION(
      seconds(30, Renewal.automatic()),
      Retry.defaults(),
      Duration.ofMillis(50),
      List.of(TRANSACTION_SCOPE),
      List.of("postgres-row")),

  /**
   * Limits how often something is done: it has no locks but a {@link RateLimiter}. By default its
   * window is {@link #WINDOW}, and it allows everything while the server does not answer.
   */
  RATE_LIMIT(
      LockOptions.defaults(),
      Retry.defaults(),
      Retry.defaults().initial(),
      List.of(PERMITS),
      List.of("redis"));

  /** The window of {@link #RATE_LIMIT}, one second. */
  public static final Duration WINDOW = Duration.ofSeconds(1);

  /** The answer of {@link #RATE_LIMIT} while the server does not answer. */
  public static final Unanswered WHEN_UNAVAILABLE = Unanswered.ALLOW;

  private final LockOptions options;
  private final List<Demand> demands;
  private final List<String> recommended;

  Preset(
      LockOptions terms,
      Retry retry,
      Duration firstRetry,
      List<Demand> demands,
      List<String> recommended) {
    this.options = terms.withRetry(retry.withPauses(firstRetry, retry.max()));
    this.demands = demands;
    this.recommended = recommended;
  }

  private static LockOptions seconds(int ttl, Renewal renewal) {
    return LockOptions.defaults().withTtl(Duration.ofSeconds(ttl)).withRenewal(renewal);
  }

  /**
   * The preset of a name.
   *
   * @param name as {@link #id()} says it
   * @return empty if there is none of that name
   */
  public static Optional<Preset> of(String name) {
    return Arrays.stream(values()).filter(preset -> preset.id().equals(name)).findFirst();
  }

  /**
   * The names of all.
   *
   * @return in the order of this enumeration
   */
  public static List<String> ids() {
    return Arrays.stream(values()).map(Preset::id).toList();
  }

  /**
   * The name in configuration.
   *
   * @return such as {@code rate-limit}
   */
  public String id() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /**
   * Whether it is for a {@link RateLimiter}, and not for locks.
   *
   * @return true for {@link #RATE_LIMIT}
   */
  public boolean limits() {
    return demands.contains(PERMITS);
  }

  /**
   * Its terms for locks, which have no meaning if it {@link #limits()}.
   *
   * @return the defaults of the preset
   */
  public LockOptions options() {
    return options;
  }

  /**
   * The promises that this preset demands of a backend.
   *
   * @return empty if any backend is sufficient
   */
  public List<Demand> demands() {
    return demands;
  }

  /**
   * The providers that suit it.
   *
   * @return their names, best first
   */
  public List<String> recommended() {
    return recommended;
  }

  /**
   * The demands that a backend does not meet.
   *
   * @param provider of the backend
   * @return empty if it is sufficient
   */
  public List<Demand> lackedBy(LockProvider provider) {
    return demands.stream().filter(demand -> !demand.isMetBy(provider)).toList();
  }

  /** The place among the recommended; all that are not have the same, behind them. */
  int rank(String provider) {
    int place = recommended.indexOf(provider);
    return place < 0 ? recommended.size() : place;
  }
}
