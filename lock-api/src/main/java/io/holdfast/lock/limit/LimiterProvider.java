/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.limit;

import io.holdfast.lock.spi.Settings;

/** A {@link io.holdfast.lock.spi.LockProvider} that can also count permits implements this. */
public interface LimiterProvider {

  /**
   * As {@link io.holdfast.lock.spi.LockProvider#open}, to count permits instead of keeping locks.
   *
   * @param settings as for {@link io.holdfast.lock.spi.LockProvider#open}
   * @return an open backend
   */
  LimiterBackend openLimiter(Settings settings);
}
