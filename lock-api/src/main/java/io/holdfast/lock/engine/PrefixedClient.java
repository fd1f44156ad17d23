/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.engine;

import io.holdfast.lock.Capabilities;
import io.holdfast.lock.ClientStatus;
import io.holdfast.lock.DistributedLock;
import io.holdfast.lock.DistributedReadWriteLock;
import io.holdfast.lock.DistributedSemaphore;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockInspector;
import io.holdfast.lock.LockListener;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.health.ServerReport;
import io.holdfast.lock.spi.support.LockNames;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Objects;

/** A view of a client in which all names begin alike. */
record PrefixedClient(EngineClient client, String prefix) implements LockClient {

  @Override
  public DistributedLock lock(String name) {
    return client.lock(prefix + LockNames.check(name));
  }

  @Override
  public DistributedLock lock(String name, LockOptions options) {
    return client.lock(prefix + LockNames.check(name), options);
  }

  @Override
  public DistributedLock allOf(Collection<String> names) {
    return client.allOf(prefixed(names));
  }

  @Override
  public DistributedLock allOf(Collection<String> names, LockOptions options) {
    return client.allOf(prefixed(names), options);
  }

  private List<String> prefixed(Collection<String> names) {
    return names.stream().map(name -> prefix + LockNames.check(name)).toList();
  }

  @Override
  public DistributedReadWriteLock readWriteLock(String name) {
    return client.readWriteLock(prefix + LockNames.check(name));
  }

  @Override
  public DistributedReadWriteLock readWriteLock(String name, LockOptions options) {
    return client.readWriteLock(prefix + LockNames.check(name), options);
  }

  @Override
  public DistributedSemaphore semaphore(String name) {
    return client.semaphore(prefix + LockNames.check(name));
  }

  @Override
  public DistributedSemaphore semaphore(String name, int permits) {
    return client.semaphore(prefix + LockNames.check(name), permits);
  }

  @Override
  public DistributedSemaphore semaphore(String name, int permits, LockOptions options) {
    return client.semaphore(prefix + LockNames.check(name), permits, options);
  }

  @Override
  public LockClient within(String further) {
    return client.within(prefix + LockNames.check("prefix", further));
  }

  @Override
  public Capabilities capabilities() {
    return client.capabilities();
  }

  @Override
  public LockInspector inspector() {
    return client.inspector(prefix);
  }

  @Override
  public List<ServerReport> examine(Duration ttl) {
    return client.examine(ttl);
  }

  @Override
  public ClientStatus status() {
    return client.status(prefix);
  }

  @Override
  public Subscription addListener(LockListener listener) {
    Objects.requireNonNull(listener, "listener");
    return client.addListener(
        event -> {
          if (event.lockName().startsWith(prefix)) {
            listener.on(event);
          }
        });
  }

  /** The connections are the client's, and so are the leases. */
  @Override
  public void close() {}
}
