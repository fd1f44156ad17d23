/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What came of a rule.
 *
 * @param rule its id
 * @param title the name of the method that checks it, in words
 * @param verdict what came of it
 * @param detail why it was skipped, is not promised, or failed; else empty
 * @param failure what was thrown, if it failed
 * @param took how long it ran
 * @param measured the figures that it came by
 */
public record Result(
    String rule,
    String title,
    Verdict verdict,
    String detail,
    Optional<Throwable> failure,
    Duration took,
    List<Measured> measured) {

  /** Copies the list. */
  public Result {
    measured = List.copyOf(measured);
  }
}
