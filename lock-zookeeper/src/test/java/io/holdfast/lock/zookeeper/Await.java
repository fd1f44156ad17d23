/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.zookeeper;

import io.holdfast.lock.servers.Conditions;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/** Waits for conditions. */
final class Await {

  private Await() {}

  /** How long it took. */
  static Duration until(String what, Duration patience, BooleanSupplier condition) {
    long began = System.nanoTime();
    Conditions.until(what, patience, condition);
    return Duration.ofNanos(System.nanoTime() - began);
  }
}
