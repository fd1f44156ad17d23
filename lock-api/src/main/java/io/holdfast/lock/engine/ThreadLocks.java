/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.engine;

import io.holdfast.lock.Lease;
import io.holdfast.lock.Share;
import io.holdfast.lock.text.VisibleText;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The leases that threads hold through {@link ThreadLock} views of one client. */
final class ThreadLocks {

  private record Key(String lockName, Share share, Thread thread) {}

  private final ConcurrentHashMap<Key, Hold> holds = new ConcurrentHashMap<>();

  @Nullable Hold mine(String lockName, Share share) {
    return holds.get(new Key(lockName, share, Thread.currentThread()));
  }

  void begin(String lockName, Share share, Lease lease) {
    holds.put(new Key(lockName, share, Thread.currentThread()), new Hold(lease));
  }

  void end(String lockName, Share share) {
    holds.remove(new Key(lockName, share, Thread.currentThread()));
  }

  /** Of a thread that has ended, which cannot unlock any more: its leases are no longer kept. */
  void forget(Thread ended) {
    holds.keySet().removeIf(held -> held.thread.equals(ended));
  }

  /** Which thread of this client holds a lock through a view, for people who read a log. */
  String state(String lockName, Share share) {
    return holds.entrySet().stream()
        .filter(held -> held.getKey().lockName.equals(lockName))
        .filter(held -> held.getKey().share.equals(share))
        .findAny()
        .map(held -> describe(held.getKey(), held.getValue()))
        .orElse("not held by any thread of this client");
  }

  private static String describe(Key key, Hold hold) {
    return "%s by thread %s"
        .formatted(hold.lease.isValid() ? "held" : "lost", VisibleText.of(key.thread.getName()));
  }

  /**
   * A lease and how often its thread has entered. Touched by that thread only. Of a reader that
   * writes as well, it is the writer's lease until that is downgraded.
   */
  static final class Hold {

    Lease lease;
    int count = 1;

    /** Whether the lease that this became at a downgrade was lost. */
    boolean lost;

    Hold(Lease lease) {
      this.lease = lease;
    }
  }
}
