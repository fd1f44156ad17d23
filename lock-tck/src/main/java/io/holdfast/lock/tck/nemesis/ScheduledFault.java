/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.nemesis;

import io.holdfast.lock.tck.NamedFault;
import java.time.Duration;

/**
 * A fault at its time.
 *
 * @param at from the beginning of the run
 * @param length until it is ended
 * @param target what it is done to; never two at once to the same
 * @param fault what is done
 */
record ScheduledFault(Duration at, Duration length, String target, NamedFault fault) {

  Duration end() {
    return at.plus(length);
  }

  @Override
  public String toString() {
    return "%6d ms  %s: %s for %d ms"
        .formatted(at.toMillis(), target, fault.name(), length.toMillis());
  }
}
