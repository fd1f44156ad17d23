/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.spring;

import io.holdfast.lock.DistributedLock;
import io.holdfast.lock.Lease;
import java.util.Optional;

/**
 * Is told of work under locks, of {@link Locked} methods and of {@link LockTemplate}: for traces. A
 * bean of this type is used from the first call on, if there is one; the starter brings one for
 * Micrometer. For any number of threads.
 *
 * <p>One call of a method, or one subscription to its result, is one {@link Work}. A call within
 * another one of the same lock, which shares its lease, is a part of that and not told. An
 * exception of an observer is logged as a warning, and changes nothing for the call.
 */
public interface LockObserver {

  /**
   * A lock is about to be asked for.
   *
   * @param lock which
   * @param parent what Reactor's context has of {@link #contextKey()}; empty if it has nothing, and
   *     for all methods but reactive ones: then it is what is current on this thread
   * @return is told how it goes on
   */
  Work begin(DistributedLock lock, Optional<Object> parent);

  /**
   * Where Reactor's context has {@link Work#context()}, for work that is not done on one thread.
   *
   * @return the key
   */
  Object contextKey();

  /** Work under one lock. Its methods are called on any thread, one after another. */
  interface Work {

    /**
     * The context of which further work is a part.
     *
     * @return a value for {@link #contextKey()}; empty if that is to stay as it is
     */
    Optional<Object> context();

    /**
     * Makes this the current work of the thread.
     *
     * @return ends that; called on the same thread
     */
    Runnable open();

    /**
     * The lock was granted, and the work begins.
     *
     * @param lease of it
     */
    void granted(Lease lease);

    /**
     * The lock cannot be had, was lost, or the work has failed.
     *
     * @param thrown what the caller gets
     */
    void failed(Throwable thrown);

    /**
     * It is over: the lock was given back, or was not granted. If a subscriber cancels, when it
     * does so, as nobody waits for the release. May be called again.
     */
    void end();
  }
}
