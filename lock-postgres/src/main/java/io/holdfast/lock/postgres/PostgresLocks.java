/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.postgres;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.Locks;
import io.holdfast.lock.postgres.advisory.AdvisoryBackend;
import io.holdfast.lock.postgres.connect.PostgresConfig;
import io.holdfast.lock.postgres.row.RowBackend;
import io.holdfast.lock.postgres.table.TableBackend;
import io.holdfast.lock.spi.ClientLibrary;
import io.holdfast.lock.spi.LockBackend;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.spi.Settings;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import javax.sql.DataSource;

/**
 * Lock clients on a {@link DataSource} that is there already. It is never closed. The two
 * connections that a client keeps come back as they were when the client is closed; so does that of
 * each lease of {@link #row}. The settings are those of the providers, without {@code url}, {@code
 * username}, {@code password} and {@code connect-timeout}.
 */
public final class PostgresLocks {

  private PostgresLocks() {}

  /**
   * Advisory locks, as the provider {@code postgres-advisory}.
   *
   * @param dataSource of PostgreSQL's own driver, or a pool over it
   * @param settings keys and values
   * @param options what the client takes from its surroundings
   * @return an open client, to be closed by the caller
   * @throws io.holdfast.lock.LockException as {@link Locks#open(String, Map)}
   */
  public static LockClient advisory(
      DataSource dataSource, Map<String, String> settings, ClientOptions options) {
    return using(
        new AdvisoryLockProvider(),
        settings,
        options,
        read -> AdvisoryBackend.open(checked(read, dataSource, AdvisoryBackend.COMMAND_TIMEOUT)));
  }

  /**
   * Locks in a table, as the provider {@code postgres-table}.
   *
   * @param dataSource of PostgreSQL's own driver, or a pool over it
   * @param settings keys and values
   * @param options what the client takes from its surroundings
   * @return an open client, to be closed by the caller
   * @throws io.holdfast.lock.LockException as {@link Locks#open(String, Map)}
   */
  public static LockClient table(
      DataSource dataSource, Map<String, String> settings, ClientOptions options) {
    return using(
        new TableLockProvider(),
        settings,
        options,
        read -> TableBackend.open(checked(read, dataSource, TableBackend.COMMAND_TIMEOUT)));
  }

  /**
   * Locks that belong to transactions, as the provider {@code postgres-row}.
   *
   * @param pool of connections of PostgreSQL's own driver; each lease takes one, and is lost if the
   *     pool closes it, as HikariCP does after errors such as {@code 0A000} unless it has an {@code
   *     SQLExceptionOverride}
   * @param settings keys and values; {@code pool-size} says how many leases there can be at a time
   * @param options what the client takes from its surroundings
   * @return an open client, to be closed by the caller
   * @throws io.holdfast.lock.LockException as {@link Locks#open(String, Map)}
   */
  public static LockClient row(
      DataSource pool, Map<String, String> settings, ClientOptions options) {
    return using(
        RowLockProvider.onAPoolOfTheApplication(),
        settings,
        options,
        read -> {
          PostgresConfig config = config(read, pool, RowBackend.COMMAND_TIMEOUT);
          int size = RowLockProvider.poolSize(read);
          read.finish();
          return RowBackend.open(config, pool, size);
        });
  }

  private static LockClient using(
      LockProvider provider,
      Map<String, String> settings,
      ClientOptions options,
      Function<Settings, LockBackend<?>> backend) {
    Settings read = new Settings(provider.name(), settings);
    return Locks.using(ClientLibrary.opening(provider, () -> backend.apply(read)), options);
  }

  /** Fails if the settings have anything else. */
  private static PostgresConfig checked(
      Settings settings, DataSource dataSource, Duration commandTimeout) {
    PostgresConfig config = config(settings, dataSource, commandTimeout);
    settings.finish();
    return config;
  }

  private static PostgresConfig config(
      Settings settings, DataSource dataSource, Duration commandTimeout) {
    Objects.requireNonNull(dataSource, "dataSource");
    return PostgresConfig.of(settings, dataSource, commandTimeout);
  }
}
