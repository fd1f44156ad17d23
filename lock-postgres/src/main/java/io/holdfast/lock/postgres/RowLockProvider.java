/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.postgres;

import io.holdfast.lock.Capabilities;
import io.holdfast.lock.postgres.connect.ConnectionSource;
import io.holdfast.lock.postgres.connect.PostgresConfig;
import io.holdfast.lock.postgres.row.RowBackend;
import io.holdfast.lock.spi.ClientLibrary;
import io.holdfast.lock.spi.LockBackend;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.spi.Settings;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The provider {@code postgres-row}: rows that transactions have locked; {@code
 * lease.unwrap(java.sql.Connection.class)} is the one of a lease. Its settings:
 *
 * <ul>
 *   <li>{@code url} (required): {@code jdbc:postgresql://host:5432/database}, with the parameters
 *       of PostgreSQL's JDBC driver, those of TLS for example
 *   <li>{@code username}, {@code password}: instead of those in the url; the password is a secret
 *   <li>{@code namespace}: {@code lock} if not set
 *   <li>{@code schema}: where {@code holdfast.sql} was run; {@code holdfast} if not set
 *   <li>{@code create-schema}: {@code true} to run it where something is missing; {@code false} if
 *       not set
 *   <li>{@code session-timeout}: after which the server ends a session of ours that says nothing;
 *       {@code 15s} if not set, {@code 2s} at least
 *   <li>{@code connect-timeout}: for a new connection; {@code 5s} if not set
 *   <li>{@code command-timeout}: for every operation; {@code 5s} if not set, or a third of the
 *       session time-out if that is less
 *   <li>{@code pooler}: {@code refuse}, or {@code session} if a pooler in between keeps one session
 *       for each client; {@code refuse} if not set
 *   <li>{@code pool-size}: how many leases there can be at a time; {@code 10} if not set
 * </ul>
 */
public final class RowLockProvider implements LockProvider {

  static final String NAME = "postgres-row";

  private final List<ClientLibrary> libraries;

  /** For {@link java.util.ServiceLoader}. */
  public RowLockProvider() {
    this(List.of(PostgresLibraries.DRIVER, PostgresLibraries.POOL));
  }

  private RowLockProvider(List<ClientLibrary> libraries) {
    this.libraries = libraries;
  }

  /** Any pool will do there. */
  static RowLockProvider onAPoolOfTheApplication() {
    return new RowLockProvider(List.of(PostgresLibraries.DRIVER));
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Capabilities capabilities() {
    return RowBackend.CAPABILITIES;
  }

  @Override
  public List<ClientLibrary> libraries() {
    return libraries;
  }

  @Override
  public Optional<Map<String, String>> settingsOf(String url) {
    return ConnectionSource.settingsOf(url);
  }

  @Override
  public LockBackend<?> open(Settings settings) {
    PostgresConfig config = PostgresConfig.of(settings, RowBackend.COMMAND_TIMEOUT);
    int size = poolSize(settings);
    settings.finish();
    return RowBackend.open(config, (ConnectionSource.Own) config.source(), size);
  }

  /** How many leases there can be at a time. */
  static int poolSize(Settings settings) {
    return settings.number("pool-size", 10, 1, 1_000);
  }
}
