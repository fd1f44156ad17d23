/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.postgres;

import io.holdfast.lock.spi.LockBackend;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.spi.Settings;

/** The provider {@code postgres-row}. */
public final class RowLockProvider implements LockProvider {

  static final String NAME = "postgres-row";

  /** For {@link java.util.ServiceLoader}. */
  public RowLockProvider() {}

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public LockBackend open(Settings settings) {
    PostgresConfig config = PostgresConfig.of(settings, RowBackend.COMMAND_TIMEOUT);
    int size = poolSize(settings);
    settings.finish();
    return RowBackend.open(config, (Source.Own) config.source(), size);
  }

  /** How many leases there can be at a time. */
  static int poolSize(Settings settings) {
    return settings.number("pool-size", 10, 1, 1_000);
  }
}
