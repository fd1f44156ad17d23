/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.postgres;

import io.holdfast.lock.spi.LockBackend;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.spi.Settings;

/** The provider {@code postgres-advisory}. */
public final class AdvisoryLockProvider implements LockProvider {

  static final String NAME = "postgres-advisory";

  /** For {@link java.util.ServiceLoader}. */
  public AdvisoryLockProvider() {}

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public LockBackend open(Settings settings) {
    PostgresConfig config = PostgresConfig.of(settings, AdvisoryBackend.COMMAND_TIMEOUT);
    settings.finish();
    return AdvisoryBackend.open(config);
  }
}
