/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.postgres.connect;

import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.postgres.schema.Schema;
import io.holdfast.lock.spi.Settings;
import java.time.Duration;
import javax.sql.DataSource;

/**
 * The settings of a client of a database.
 *
 * @param namespace where locks live
 * @param schema where tables are
 * @param source of connections
 * @param sessionTimeout after which the server ends a session that says nothing
 * @param connectTimeout for a new connection, and for each statement that sets up what is missing
 * @param commandTimeout for every operation
 * @param create whether to make what is missing in the schema
 * @param acceptPooler whether to take a pooler's word that it keeps a session for each client
 */
public record PostgresConfig(
    String namespace,
    Schema schema,
    ConnectionSource source,
    Duration sessionTimeout,
    Duration connectTimeout,
    Duration commandTimeout,
    boolean create,
    boolean acceptPooler) {

  private static final Duration SHORTEST_SESSION = Duration.ofSeconds(2);
  private static final Duration LONGEST = Duration.ofHours(1);

  /**
   * With connections of our own.
   *
   * @param commandTimeout if none is set, and it is not more than a third of the session's
   */
  public static PostgresConfig of(Settings settings, Duration commandTimeout) {
    Duration connect =
        bounded(settings, "connect-timeout", Duration.ofSeconds(5), Duration.ofMillis(1));
    int seconds = Math.toIntExact((connect.toMillis() + 999) / 1000);
    return of(settings, ConnectionSource.Own.of(settings, seconds), connect, commandTimeout);
  }

  /** With connections that are lent to us. */
  public static PostgresConfig of(
      Settings settings, DataSource dataSource, Duration commandTimeout) {
    return of(
        settings, new ConnectionSource.Lent(dataSource), Duration.ofSeconds(5), commandTimeout);
  }

  private static PostgresConfig of(
      Settings settings,
      ConnectionSource source,
      Duration connectTimeout,
      Duration commandTimeout) {
    Duration session =
        bounded(settings, "session-timeout", Duration.ofSeconds(15), SHORTEST_SESSION);
    Duration third = session.dividedBy(3);
    PostgresConfig config =
        new PostgresConfig(
            settings.namespace(),
            schema(settings),
            source,
            session,
            connectTimeout,
            bounded(
                settings,
                "command-timeout",
                third.compareTo(commandTimeout) < 0 ? third : commandTimeout,
                Duration.ofMillis(1)),
            settings.flag("create-schema", false),
            settings.parsed(
                "pooler",
                "refuse",
                "refuse, or session if a pooler in between keeps a session for each client",
                PostgresConfig::acceptsPooler));
    return config;
  }

  /**
   * After how long a silent client's host is asked whether it is there. So what the server last
   * heard on a connection of a living host is no older than that, however silent its user.
   */
  public Duration probeInterval() {
    return Duration.ofSeconds(Math.max(1, sessionTimeout.toSeconds() / 8));
  }

  /**
   * For each statement of what is done once, when a session begins: making the schema, or leaving
   * out tokens after a crash. No request waits for its answer, and on a slow disk it takes longer
   * than a request may.
   */
  public Duration setupTimeout() {
    return connectTimeout.compareTo(commandTimeout) > 0 ? connectTimeout : commandTimeout;
  }

  public static Schema schema(Settings settings) {
    return settings.parsed(
        "schema", Schema.DEFAULT, "a schema's name of letters, digits, _ and $", Schema::named);
  }

  private static boolean acceptsPooler(String value) {
    return switch (value.trim()) {
      case "session" -> true;
      case "refuse" -> false;
      default -> throw new IllegalArgumentException();
    };
  }

  private static Duration bounded(
      Settings settings, String key, Duration fallback, Duration shortest) {
    Duration value = settings.duration(key, fallback);
    if (value.compareTo(shortest) < 0 || value.compareTo(LONGEST) > 0) {
      throw new LockConfigurationException(
          "Setting '%s' must be from %s to %s, but is '%s'"
              .formatted(key, shortest, LONGEST, value));
    }
    return value;
  }
}
