/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.history;

/** The reason why an attempt was not granted. */
public enum Refusal {
  /** Asked without waiting, and held by somebody else. */
  BUSY,
  /** Waited for as long as it wanted. */
  TIMED_OUT,
  /** Its thread was interrupted. */
  INTERRUPTED,
  /** Its future was cancelled. */
  CANCELLED,
  /** The backend did not answer. */
  UNAVAILABLE,
  /** The client is closed. */
  CLOSED,
  /** Anything else, which is never right. */
  FAILED
}
