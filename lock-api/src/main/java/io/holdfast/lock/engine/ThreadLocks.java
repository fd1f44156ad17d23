/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.engine;

import io.holdfast.lock.Lease;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** What threads hold through {@link ThreadLock} views of one client. */
final class ThreadLocks {

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

  /** Which thread of this client holds a lock through a view, for people who read a log. */
  String state(String lockName) {
    return holds.entrySet().stream()
        .filter(held -> held.getKey().lockName.equals(lockName))
        .findAny()
        .map(held -> describe(held.getKey(), held.getValue()))
        .orElse("not held by any thread of this client");
  }

  private static String describe(Key key, Hold hold) {
    return "%s by thread %s"
        .formatted(hold.lease.isValid() ? "held" : "lost", key.thread.getName());
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
