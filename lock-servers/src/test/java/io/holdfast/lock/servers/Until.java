/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.servers;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/** Waits for a condition. */
final class Until {

  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private Until() {}

  static void holds(String what, BooleanSupplier condition) {
    Conditions.until(what, PATIENCE, condition);
  }
}
