/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.engine;

import org.jspecify.annotations.Nullable;

/** What was granted, before its user has it. */
interface Grant {

  /**
   * What its user gets. To be called once.
   *
   * @param origin where it was asked for, if that is known
   */
  EngineLease given(@Nullable CallSite origin);

  /** Ends it as one that its caller never had: nothing was done under it. */
  void withdraw();
}
