/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.etcd.queue;

import com.google.protobuf.ByteString;
import io.holdfast.lock.Share;
import io.holdfast.lock.spi.ClaimRequest;
import java.time.Duration;

/** A claim's entry in the queue of its lock. */
public final class QueueEntry {

  private final LockKeys keys;
  private final ClaimRequest request;

  public QueueEntry(LockKeys keys, ClaimRequest request) {
    this.keys = keys;
    this.request = request;
  }

  public String lockName() {
    return request.lockName();
  }

  public Duration ttl() {
    return request.ttl();
  }

  public Share share() {
    return request.share();
  }

  /** Whether it may stay in the queue behind others. */
  public boolean waits() {
    return request.waits();
  }

  /** The prefix of the keys of all contenders for the lock. */
  public ByteString queue() {
    return keys.queue(request.lockName());
  }

  /** Its key, if that is named after this lease. */
  public ByteString key(long leaseId) {
    return LockKeys.contender(queue(), leaseId, share().mode());
  }

  /** The value with which it is put. */
  public ClaimValue value() {
    return ClaimValue.of(request.ownerId(), request.share());
  }
}
