/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.engine;

import io.holdfast.lock.LockException;
import io.holdfast.lock.LockUnavailableException;
import org.jspecify.annotations.Nullable;

/**
 * Follows whether the renewals of a tenure fail: the last one was not answered, or has been under
 * way for longer than an answer may take. Touched on the strand, but for the timer's report.
 */
final class RenewalHealth {

  private final Tenure tenure;

  /** When the newest renewal was sent. Written by the timer. */
  private volatile long askedAt;

  /** When the newest one was sent that succeeded. Written on the strand. */
  private volatile long succeededBy;

  private @Nullable LockException failure;

  RenewalHealth(Tenure tenure, long grantedBy) {
    this.tenure = tenure;
    this.askedAt = grantedBy;
    this.succeededBy = grantedBy;
  }

  /** From the timer: a renewal is sent. The one before should have been answered by now. */
  void asked(long sentAt) {
    long before = askedAt;
    askedAt = sentAt;
    if (before - succeededBy > 0) {
      tenure.onStrand(() -> silentSince(before));
    }
  }

  private void silentSince(long before) {
    if (before - succeededBy > 0 && failure == null) {
      failed(
          new LockUnavailableException(
              "Renewing lock '%s' has no answer yet".formatted(tenure.lockName)));
    }
  }

  void failed(LockException cause) {
    failure = cause;
    tenure.leases.all().forEach(lease -> lease.renewalsFail(cause));
  }

  void succeeded(long sentAt) {
    succeededBy = sentAt;
    if (failure != null) {
      failure = null;
      tenure.leases.all().forEach(lease -> lease.renewalsFail(null));
    }
  }

  /** Why they fail; nothing if the last one succeeded. */
  @Nullable LockException failure() {
    return failure;
  }
}
