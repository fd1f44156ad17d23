/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.worker;

/** The reason why work is told to stop. */
public enum StopReason {
  /** The worker is being stopped; the lease is valid until the work has stopped. */
  STOPPED,
  /** Somebody called {@link LockWorker#resign()}; the lease is valid until the work has stopped. */
  RESIGNED,
  /** The lease is valid, but about to end, because its renewals are not answered. */
  ENDING,
  /** The lease is not valid any more: another may hold the lock already. */
  LOST,
  /** The work itself failed to start; the lease is valid until it has stopped. */
  FAILED
}
