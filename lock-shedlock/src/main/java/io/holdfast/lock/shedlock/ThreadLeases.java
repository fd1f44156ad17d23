/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.shedlock;

import io.holdfast.lock.Lease;
import java.lang.ref.WeakReference;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The leases of locks that threads have locked. ShedLock lets a lock run out without an unlock, so
 * a lease that nobody else refers to is not kept.
 */
final class ThreadLeases {

  private record Key(String lockName, Thread thread) {}

  private final ConcurrentHashMap<Key, WeakReference<Lease>> leases = new ConcurrentHashMap<>();

  /**
   * Notes a lease of the calling thread.
   *
   * @return forgets it, on whichever thread
   */
  Runnable add(Lease lease) {
    leases.values().removeIf(other -> other.refersTo(null));
    Key key = new Key(lease.lockName(), Thread.currentThread());
    WeakReference<Lease> reference = new WeakReference<>(lease);
    leases.put(key, reference);
    return () -> leases.remove(key, reference);
  }

  Optional<Lease> mine(String lockName) {
    return Optional.ofNullable(leases.get(new Key(lockName, Thread.currentThread())))
        .map(WeakReference::get);
  }

  int size() {
    return leases.size();
  }
}
