/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.spring;

import io.holdfast.lock.Lease;
import org.jspecify.annotations.Nullable;

/** The body of a locked method, as often as it is called. */
@FunctionalInterface
interface LockedBody {

  /** Does it under a lease. */
  @Nullable Object call(Lease lease) throws Exception;
}
