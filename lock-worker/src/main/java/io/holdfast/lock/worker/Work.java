/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.worker;

import io.holdfast.lock.Lease;

/**
 * The work that a {@link LockWorker} starts and stops. Its methods are never called at the same
 * time, and always in turn; a {@code stop} follows each {@code start}, also one that failed.
 */
public interface Work {

  /**
   * Begins the work, which needs the lock. May return at once and go on elsewhere, or do the work
   * itself; in that case it is interrupted when it has to stop. When it returns, the worker goes on
   * holding the lock until it is stopped.
   *
   * @param lease what protects the work; its token goes with every write
   * @throws Exception the work failed: the lock is given back, and asked for again after a pause
   */
  void start(Lease lease) throws Exception;

  /**
   * Ends the work. The lock is given back when this has returned, and not before; so it returns
   * only when nothing of the work can touch any more what the lock protects. Called before the
   * validity ends, by the worker's head start, unless the lock was lost without warning.
   *
   * @param reason why
   * @throws Exception is logged; the work counts as stopped
   */
  void stop(StopReason reason) throws Exception;
}
