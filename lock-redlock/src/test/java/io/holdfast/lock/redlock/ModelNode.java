/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redlock;

import java.util.Optional;

/**
 * One node of the model: what the scripts do, for one lock, over a clock of its own. The test
 * {@code ScriptsAgreeTest} compares it with the scripts at a real server.
 */
final class ModelNode {

  static final long GRAIN = 1 << 20;

  /** The answer to an acquire: a number if taken, else whose it is and for how long. */
  record Answer(Optional<Long> number, String owner, long leftMicros) {}

  private long skewMicros;
  private String owner = "";
  private long expiresAt;
  private long counter;
  private long startedAt = Long.MIN_VALUE / 2;

  /**
   * A node whose data is new, but which has been running for ever.
   *
   * @param skewMicros by how much its clock is ahead
   */
  ModelNode(long skewMicros) {
    this.skewMicros = skewMicros;
  }

  Answer acquire(long now, String who, long ttlMicros, long atLeast) {
    if (!ownerAt(now).isEmpty() && !ownerAt(now).equals(who)) {
      return new Answer(Optional.empty(), owner, expiresAt - now);
    }
    long clock = now + skewMicros;
    if (counter > 0) {
      clock -= clock % GRAIN;
    }
    counter = Math.max(counter + 1, Math.max(atLeast, clock));
    owner = who;
    expiresAt = now + ttlMicros;
    return new Answer(Optional.of(counter), who, ttlMicros);
  }

  boolean raise(long now, String who, long number) {
    if (!ownerAt(now).equals(who)) {
      return false;
    }
    counter = Math.max(counter, number);
    return true;
  }

  boolean prolong(long now, String who, long ttlMicros) {
    if (!ownerAt(now).equals(who)) {
      return false;
    }
    expiresAt = Math.max(expiresAt, now + ttlMicros);
    return true;
  }

  boolean release(long now, String who) {
    if (!ownerAt(now).equals(who)) {
      return false;
    }
    owner = "";
    return true;
  }

  /** An administrator deletes the lock, whoever has it. */
  void delete() {
    owner = "";
  }

  /** Locks that end by its clock end earlier. */
  void stepAhead(long byMicros) {
    skewMicros += byMicros;
    expiresAt -= byMicros;
  }

  /** It stops, loses all its data, and starts again at once. */
  void restartEmpty(long now) {
    owner = "";
    counter = 0;
    startedAt = now;
  }

  boolean counts(long now, long restartDelayMicros) {
    return now - startedAt >= restartDelayMicros;
  }

  private String ownerAt(long now) {
    return now < expiresAt ? owner : "";
  }
}
