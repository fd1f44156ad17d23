/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock;

/** The outcome of {@link Lease#release()}, as far as it is known. */
public enum ReleaseOutcome {
  /** The lock was ours until now, and is free, or will be once its minimum hold has passed. */
  RELEASED,
  /** An earlier call released it already; this one did nothing. */
  ALREADY_RELEASED,
  /** The lease was lost before: what was done under it since then was not protected. */
  ALREADY_LOST,
  /**
   * The backend did not answer. The lock will be freed as soon as it can be reached, or by its TTL
   * or session time-out; whether it was still ours is not known.
   */
  UNKNOWN
}
