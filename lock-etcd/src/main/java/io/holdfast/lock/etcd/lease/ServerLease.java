/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.etcd.lease;

import java.time.Duration;

/** A lease at etcd, and for how long etcd vouches for it. */
public final class ServerLease {

  public final long id;

  /** As asked for. */
  final long seconds;

  /** As granted, which may be longer than asked for. */
  public final Duration ttl;

  /**
   * A term of etcd that had begun when the lease was asked for: no leader of an earlier term ever
   * counts down this lease.
   */
  public final long term;

  private volatile long provenAt;

  ServerLease(long id, long seconds, Duration ttl, long term, long provenAt) {
    this.id = id;
    this.seconds = seconds;
    this.ttl = ttl;
    this.term = term;
    this.provenAt = provenAt;
  }

  /**
   * Etcd keeps the lease for its TTL from this moment on, whichever member leads or led.
   *
   * @param moment no later than every leader of this lease's term or a later one began to count
   */
  void provenAt(long moment) {
    if (moment - provenAt > 0) {
      provenAt = moment;
    }
  }

  /** For how long etcd keeps it from a moment on. */
  public Duration leftAt(long moment) {
    return ttl.minusNanos(moment - provenAt);
  }
}
