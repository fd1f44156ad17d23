/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.rules;

/**
 * Thrown by a rule that has seen two leases of one lock valid at the same instant, or one valid
 * after the other was granted. No standing still of the machine explains that.
 */
public final class Overlap extends AssertionError {

  private static final long serialVersionUID = 1L;

  Overlap(String what) {
    super(what);
  }
}
