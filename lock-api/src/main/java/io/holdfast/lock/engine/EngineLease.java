/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.engine;

import io.holdfast.lock.Lease;
import io.holdfast.lock.ReleaseOutcome;

/** A lease of this engine. */
interface EngineLease extends Lease {

  /**
   * Releases it, undoes what was done under the lock where a backend can, and says what became of
   * it.
   */
  ReleaseOutcome discard();
}
