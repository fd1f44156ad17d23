/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.engine;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * A request for a lease: of one lock ({@link Acquisition}) or of several ({@link
 * MultiLockAcquisition}).
 *
 * @param <G> what it is granted
 */
interface LeaseRequest<G extends Grant> {

  /** Empty if somebody else has the lock; fails with a {@link io.holdfast.lock.LockException}. */
  CompletableFuture<Optional<G>> result();

  /** From any thread: the caller does not want the result any more, whatever it is. */
  void abandon();
}
