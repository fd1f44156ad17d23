/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.rules;

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;

/**
 * Random moments of something that may take microseconds or milliseconds. The range from which they
 * are drawn follows what it takes, so that about half of them are before its end.
 */
final class RandomMoments {

  private static final long SHORTEST_NANOS = 20_000;
  private static final long LONGEST_NANOS = 50_000_000;
  private static final int PART = 8;

  private long range = 1_000_000;
  private int hits;

  /** Waits from the beginning of it until the next moment. */
  void await() {
    LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(range));
  }

  /** Whether the moment was before the end. */
  void was(boolean before) {
    hits += before ? 1 : 0;
    long changed = before ? range + range / PART : range - range / PART;
    range = Math.max(SHORTEST_NANOS, Math.min(changed, LONGEST_NANOS));
  }

  /** How many were before the end. */
  int hits() {
    return hits;
  }
}
