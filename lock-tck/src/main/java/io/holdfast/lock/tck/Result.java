/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The result of a rule.
 *
 * @param rule its id
 * @param title the name of the method that checks it, in words
 * @param verdict what came of it
 * @param detail why it was skipped, is not promised, or failed; else empty
 * @param failure what was thrown, if it failed
 * @param took how long it ran
 * @param tries how often: more than once if it failed for lack of time while the machine stood
 *     still
 * @param measured the figures that it came by
 */
public record Result(
    String rule,
    String title,
    Verdict verdict,
    String detail,
    Optional<Throwable> failure,
    Duration took,
    int tries,
    List<Measured> measured) {

  /** Copies the list. */
  public Result {
    measured = List.copyOf(measured);
  }

  Result triedTimes(int times) {
    return new Result(rule, title, verdict, detail, failure, took, times, measured);
  }
}
