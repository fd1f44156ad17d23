/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.postgres;

import io.holdfast.lock.spi.LockBackend;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.spi.Settings;

/** The provider {@code postgres-table}. */
public final class TableLockProvider implements LockProvider {

  static final String NAME = "postgres-table";

  /** For {@link java.util.ServiceLoader}. */
  public TableLockProvider() {}

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public LockBackend open(Settings settings) {
    PostgresConfig config = PostgresConfig.of(settings, TableBackend.COMMAND_TIMEOUT);
    settings.finish();
    return TableBackend.open(config);
  }
}
