/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.etcd;

import java.time.Duration;

/** A lease at etcd, and for how long etcd vouches for it. */
final class ServerLease {

  final long id;

  /** As asked for. */
  final long seconds;

  /** As granted, which may be longer than asked for. */
  final Duration ttl;

  private volatile long provenAt;

  ServerLease(long id, long seconds, Duration ttl, long provenAt) {
    this.id = id;
    this.seconds = seconds;
    this.ttl = ttl;
    this.provenAt = provenAt;
  }

  /**
   * Etcd keeps the lease for its TTL from this moment on, whoever leads.
   *
   * @param moment no later than the sending of a request that a majority has taken part in, and
   *     after whose answer the lease was kept alive
   */
  void provenAt(long moment) {
    if (moment - provenAt > 0) {
      provenAt = moment;
    }
  }

  /** For how long etcd keeps it from a moment on. */
  Duration leftAt(long moment) {
    return ttl.minusNanos(moment - provenAt);
  }
}
