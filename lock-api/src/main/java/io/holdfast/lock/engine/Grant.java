/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.engine;

import io.holdfast.lock.LockLostException;
import io.holdfast.lock.Loss;
import io.holdfast.lock.ReleaseOutcome;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The granted lock ({@link LeaseLife}) or locks ({@link MultiLockLife}). It is HELD, then RELEASED
 * or LOST, decided once by the first of its ends. A lease of a user is a view of it ({@link
 * EngineLease}).
 */
abstract class Grant {

  enum State {
    HELD,
    RELEASED,
    LOST
  }

  final EngineClient client;
  final AtomicReference<State> state = new AtomicReference<>(State.HELD);

  /** Completes on any thread of the engine; not to be handed to users as it is. */
  final CompletableFuture<Loss> loss = new CompletableFuture<>();

  Grant(EngineClient client) {
    this.client = client;
  }

  /**
   * The lease for its user. To be called once.
   *
   * @param origin where it was asked for, if that is known
   */
  abstract EngineLease given(@Nullable CallSite origin);

  abstract boolean isValid();

  abstract Duration remaining();

  /** Why it is not valid. */
  abstract LockLostException lost();

  abstract CompletableFuture<Void> extend(Duration ttl);

  abstract CompletableFuture<Void> expireIn(Duration left);

  /** The lease is not valid any more when this returns. */
  abstract CompletableFuture<ReleaseOutcome> release();

  /** The same, and what was done under the lock does not stand. */
  abstract CompletableFuture<ReleaseOutcome> discard();

  /** Ends it as one that its caller never had: nothing was done under it. */
  abstract void withdraw();
}
