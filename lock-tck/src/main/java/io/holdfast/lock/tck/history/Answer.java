/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.history;

/** The outcome of a write. */
public enum Answer {
  /** Done. */
  ACCEPTED,
  /** Refused, for its token is too old. */
  REFUSED,
  /** The resource did not answer: done, or not, or later. */
  UNKNOWN
}
