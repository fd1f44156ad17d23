/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock;

/**
 * A semaphore by name: a number of permits that owners have for as long as their leases last. A
 * lease holds one permit or several, is renewed, and is lost like any other; the permits of a
 * holder that dies are free after its TTL or session time-out. A caller can only give back permits
 * that it holds.
 *
 * <p>A request for several permits is served even if smaller ones keep coming, because later
 * requests wait behind it.
 *
 * <p>The capacity belongs to the name while the name is in use. A request with another capacity
 * gets a {@link LockCapacityException} that names both; {@link LockInspector#changeCapacity}
 * changes the capacity. A semaphore of one permit is a lock: {@code semaphore("a", 1).permit()} and
 * {@code lock("a")} are the same, on every backend.
 *
 * <p>Fencing tokens of a semaphore are different and positive. Those of leases that cannot be held
 * at the same time grow, such as those of leases of all permits; those of leases that can be held
 * together are in no order.
 */
public interface DistributedSemaphore {

  /**
   * The semaphore's name.
   *
   * @return the name
   */
  String name();

  /**
   * How many permits there are.
   *
   * @return at least 1
   */
  int capacity();

  /**
   * The terms of acquisitions through this view.
   *
   * @return the options
   */
  LockOptions options();

  /**
   * The same semaphore on other terms.
   *
   * @param options for acquisitions through the new view
   * @return another view
   */
  DistributedSemaphore with(LockOptions options);

  /**
   * Acquisitions of one permit, in every form of a lock.
   *
   * @return a view that need not be kept
   */
  default DistributedLock permit() {
    return permits(1);
  }

  /**
   * Acquisitions of several permits, all or none, in every form of a lock.
   *
   * @param count from 1 to the capacity
   * @return a view that need not be kept
   * @throws IllegalArgumentException if the count is out of bounds
   */
  DistributedLock permits(int count);
}
