/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.etcd.lock;

import io.grpc.Deadline;
import io.holdfast.lock.TimeSource;
import io.holdfast.lock.etcd.client.EtcdConnection;
import io.holdfast.lock.etcd.client.Transactions;
import io.holdfast.lock.etcd.client.Watches;
import io.holdfast.lock.etcd.lease.KeyMove;
import io.holdfast.lock.etcd.lease.Leases;
import io.holdfast.lock.etcd.lease.QueuedKey;
import io.holdfast.lock.etcd.queue.LockKeys;

/** The services that all claims of a client share. */
public record ClaimServices(
    LockKeys keys,
    EtcdConnection connection,
    Transactions transactions,
    Leases leases,
    Watches watches,
    TimeSource time) {

  /** The operation that attaches a key to another lease. */
  public KeyMove move(QueuedKey key, long begun, Deadline deadline) {
    return new KeyMove(leases, transactions, key, begun, deadline);
  }
}
