/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.rules;

import io.holdfast.lock.tck.Verdict;

/** Thrown by a rule to end early with another verdict than held or failed. */
public final class Outcome extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final Verdict verdict;

  Outcome(Verdict verdict, String reason) {
    super(reason, null, false, false);
    this.verdict = verdict;
  }

  public Verdict verdict() {
    return verdict;
  }
}
