/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck;

/** The verdict on a rule. */
public enum Verdict {
  /** The backend keeps it. */
  HELD,
  /** The backend does not promise it, and says so plainly. */
  NOT_PROMISED,
  /** It could not be tried here; the reason is told. */
  SKIPPED,
  /**
   * It failed for lack of time each time that it was tried, and each time this machine stood still.
   */
  NOT_JUDGED,
  /** The backend breaks it. */
  FAILED
}
