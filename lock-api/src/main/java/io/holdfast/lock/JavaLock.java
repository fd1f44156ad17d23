/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock;

import java.util.Optional;
import java.util.concurrent.locks.Lock;

/**
 * A lock as {@code java.util.concurrent} knows it: bound to the thread, reentrant, interruptible,
 * without conditions. All views of one name in one client are equal, share the holds of their
 * threads, and may be used from any thread.
 *
 * <p>After a loss, {@code unlock()}, nested or not, and a nested {@code lock()}, {@code
 * lockInterruptibly()} or {@code tryLock()} throw {@link LockLostException}. The hold count changes
 * even if {@code unlock()} throws it. With {@link #lease()}, a loss is known earlier.
 *
 * <p>A thread that ends without unlocking leaves a lock that no thread can unlock. Its lease is
 * released, with a warning in the log, at one of its next renewals, as every lease that nothing
 * refers to; it is kept while somebody has the object that {@link #lease()} gave, or waits for its
 * loss. A lease of fixed time ends by itself.
 *
 * <p>{@code tryLock()} asks the server once and waits for its answer. It returns false at once
 * while another thread of this client holds the lock or waits for it, so it does not overtake the
 * waiters of its own process; it can overtake those of other processes, as far as the backend
 * allows it ({@link io.holdfast.lock.Capabilities.Ordering}). A limit is kept as {@link
 * DistributedLock} says.
 */
public interface JavaLock extends Lock {

  /**
   * The lock's name.
   *
   * @return the name
   */
  String name();

  /**
   * The lease with which the calling thread holds the lock: for its fencing token, its validity,
   * and callbacks of its loss. Release it with {@code unlock()} only.
   *
   * @return empty if this thread does not hold the lock through a view
   */
  Optional<Lease> lease();

  /**
   * How often the calling thread has locked without unlocking.
   *
   * @return zero if it does not hold the lock through a view
   */
  int holdCount();

  /**
   * Whether the calling thread has locked without unlocking. It is true after a loss as well; see
   * {@link #lease()}.
   *
   * @return true if {@code unlock()} is due
   */
  boolean isHeldByCurrentThread();
}
