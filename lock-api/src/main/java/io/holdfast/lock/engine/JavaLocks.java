/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.engine;

import io.holdfast.lock.Lease;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** What threads hold through {@link JavaLock} views of one client. */
final class JavaLocks {

  private record Key(String lockName, Thread thread) {}

  private final ConcurrentHashMap<Key, Hold> holds = new ConcurrentHashMap<>();

  @Nullable Hold mine(String lockName) {
    return holds.get(new Key(lockName, Thread.currentThread()));
  }

  void begin(String lockName, Lease lease) {
    holds.put(new Key(lockName, Thread.currentThread()), new Hold(lease));
  }

  void end(String lockName) {
    holds.remove(new Key(lockName, Thread.currentThread()));
  }

  /** A lease and how often its thread has entered. Touched by that thread only. */
  static final class Hold {

    final Lease lease;
    int count = 1;

    Hold(Lease lease) {
      this.lease = lease;
    }
  }
}
