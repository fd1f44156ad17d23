/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.rules;

/**
 * Thrown by a rule whose time ran out: something did not come in time, or a lease ended by its own
 * clock and said so. On a machine that stood still meanwhile it says nothing about the backend.
 */
public final class DeadlineMissed extends AssertionError {

  private static final long serialVersionUID = 1L;

  public DeadlineMissed(String what) {
    super(what);
  }

  public DeadlineMissed(String what, Throwable cause) {
    super(what, cause);
  }
}
