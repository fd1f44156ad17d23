/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.spi;

/** The answer to {@link LockClaim#release()}. */
public enum ReleaseAnswer {
  /** The claim owned the lock, and the lock is free now, or when the time named has passed. */
  FREED,
  /** The claim did not own the lock: it was waiting, had never asked, or had lost it. */
  NOT_OURS
}
