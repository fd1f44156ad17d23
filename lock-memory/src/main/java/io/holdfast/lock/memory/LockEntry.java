/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.memory;

import java.util.LinkedHashSet;
import java.util.Set;

/** One lock at a {@link MemoryServer}; touched under its lock only. */
final class LockEntry {

  /** Empty if free. */
  String owner = "";

  long token;
  long expiresAt;
  final Set<MemoryClaim> waiters = new LinkedHashSet<>();

  /** If it is no lock: a read-write lock, or a semaphore. */
  final Shares shares = new Shares();

  boolean isHeld() {
    return !owner.isEmpty();
  }

  boolean isHeld(long now) {
    if (isHeld() && expiresAt - now <= 0) {
      owner = "";
    }
    return isHeld();
  }

  boolean isUnused(long now) {
    return !isHeld() && waiters.isEmpty() && !shares.isInUse(now);
  }
}
