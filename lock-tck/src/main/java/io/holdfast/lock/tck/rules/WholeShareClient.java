/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.rules;

import io.holdfast.lock.Capabilities;
import io.holdfast.lock.ClientStatus;
import io.holdfast.lock.DistributedLock;
import io.holdfast.lock.DistributedReadWriteLock;
import io.holdfast.lock.DistributedSemaphore;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockInspector;
import io.holdfast.lock.LockListener;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.Share;
import io.holdfast.lock.health.ServerReport;
import java.time.Duration;
import java.util.Collection;
import java.util.List;

/**
 * A client whose {@code lock} gives something else that one owner holds at a time: the write side
 * of a read-write lock, or all permits of a semaphore. The rules for locks are applied to those. A
 * rule that asks for anything else is skipped.
 */
record WholeShareClient(LockClient client, Share share, RuleContext context) implements LockClient {

  /** For {@link WorkerMain}. */
  static String words(Share share) {
    return share.equals(Share.WRITE) ? "write" : share.permits() + "/" + share.capacity();
  }

  @Override
  public DistributedLock lock(String name) {
    return share.equals(Share.WRITE)
        ? client.readWriteLock(name).writeLock()
        : client.semaphore(name, share.capacity()).permits(share.permits());
  }

  @Override
  public DistributedLock lock(String name, LockOptions options) {
    return share.equals(Share.WRITE)
        ? client.readWriteLock(name, options).writeLock()
        : client.semaphore(name, share.capacity(), options).permits(share.permits());
  }

  @Override
  public DistributedLock allOf(Collection<String> names) {
    throw onlyLocks();
  }

  @Override
  public DistributedLock allOf(Collection<String> names, LockOptions options) {
    throw onlyLocks();
  }

  @Override
  public DistributedReadWriteLock readWriteLock(String name) {
    throw onlyLocks();
  }

  @Override
  public DistributedReadWriteLock readWriteLock(String name, LockOptions options) {
    throw onlyLocks();
  }

  @Override
  public DistributedSemaphore semaphore(String name) {
    throw onlyLocks();
  }

  @Override
  public DistributedSemaphore semaphore(String name, int permits) {
    throw onlyLocks();
  }

  @Override
  public DistributedSemaphore semaphore(String name, int permits, LockOptions options) {
    throw onlyLocks();
  }

  private RuntimeException onlyLocks() {
    return context.skipped("it asks for more than locks, and here these are " + words(share));
  }

  @Override
  public LockClient within(String prefix) {
    return new WholeShareClient(client.within(prefix), share, context);
  }

  @Override
  public Capabilities capabilities() {
    return client.capabilities();
  }

  @Override
  public LockInspector inspector() {
    return client.inspector();
  }

  @Override
  public List<ServerReport> examine(Duration ttl) {
    return client.examine(ttl);
  }

  @Override
  public ClientStatus status() {
    return client.status();
  }

  @Override
  public Subscription addListener(LockListener listener) {
    return client.addListener(listener);
  }

  @Override
  public void close() {
    client.close();
  }
}
