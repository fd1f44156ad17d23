/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.memory;

import io.holdfast.lock.LossReason;
import io.holdfast.lock.spi.ClaimSignals;

/** Signals that reach nobody, as messages may. */
final class Deaf implements ClaimSignals {

  @Override
  public void wake() {}

  @Override
  public void lost(LossReason reason) {}
}
