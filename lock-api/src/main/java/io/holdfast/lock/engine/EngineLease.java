/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.engine;

import io.holdfast.lock.Lease;
import io.holdfast.lock.ReleaseOutcome;

/** A lease of this engine. */
interface EngineLease extends Lease {

  /** Releases it without the consequences of a good end, and says what became of it. */
  ReleaseOutcome discard();
}
