/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock;

import io.holdfast.lock.health.ServerReport;
import java.time.Duration;
import java.util.Collection;
import java.util.List;

/**
 * A connection to one namespace of one backend, which gives access to its locks. Open one for each
 * process and backend, and close it at the end.
 */
public interface LockClient extends AutoCloseable {

  /**
   * A lock with the options of this client, which are {@link LockOptions#defaults()} if it was not
   * opened with others.
   *
   * @param name any Unicode text of 1 to 512 bytes of UTF-8; different names are different locks
   * @return a view that need not be kept
   * @throws IllegalArgumentException if the name is empty, too long or not Unicode
   * @throws LockClosedException if this client is closed
   */
  DistributedLock lock(String name);

  /**
   * A lock with given options.
   *
   * @param name any Unicode text of 1 to 512 bytes of UTF-8; different names are different locks
   * @param options the terms of acquisitions through the view
   * @return a view that need not be kept
   * @throws IllegalArgumentException if the name is empty, too long or not Unicode
   * @throws LockClosedException if this client is closed
   */
  DistributedLock lock(String name, LockOptions options);

  /**
   * Several locks that are held together, with the options of this client. As {@link
   * #allOf(Collection, LockOptions)}.
   *
   * @param names at least one; a name that is given twice counts once
   * @return a view that need not be kept
   * @throws IllegalArgumentException if there is no name, or one is empty, too long or not Unicode
   * @throws LockClosedException if this client is closed
   */
  DistributedLock allOf(Collection<String> names);

  /**
   * Several locks that are held together: all of them or none. They are taken one after another in
   * the order of their names ({@link String#compareTo}), whatever order they are given in, so
   * callers of this method cannot deadlock each other. (A thread that already holds a lock and then
   * waits here can.) Locks that are taken already are held and renewed while the rest is waited
   * for.
   *
   * <p>A limit bounds the wait for all together; a limit of attempts counts for each lock. If one
   * lock is busy, none is granted, and those that were taken are released. With {@link
   * Renewal#none()}, the time of each lock runs from its own grant, so the TTL has to be longer
   * than the wait for the rest.
   *
   * <p>There is one lease for all. It is valid as long as each of its locks is, and has {@link
   * Lease#fencingToken(String) a token for each}. A loss of one lock is the loss of all: it is
   * reported once, with the name of that lock, and the others are released. {@link Lease#unwrap} is
   * empty: transactions of several locks would not end together.
   *
   * @param names at least one, each as for {@link #lock(String)}; a name that is given twice counts
   *     once
   * @param options the terms of acquisitions through the view, for each of the locks
   * @return a view that need not be kept
   * @throws IllegalArgumentException if there is no name, or one is empty, too long or not Unicode
   * @throws LockClosedException if this client is closed
   */
  DistributedLock allOf(Collection<String> names, LockOptions options);

  /**
   * A read-write lock with the options of this client.
   *
   * @param name as for {@link #lock(String)}
   * @return a view that need not be kept
   * @throws IllegalArgumentException if the name is empty, too long or not Unicode
   * @throws LockConfigurationException if the backend has no read-write locks ({@link
   *     Capabilities#sharing()}); it names backends that have
   * @throws LockClosedException if this client is closed
   */
  DistributedReadWriteLock readWriteLock(String name);

  /**
   * A read-write lock with given options.
   *
   * @param name as for {@link #lock(String)}
   * @param options the terms of acquisitions through the view
   * @return a view that need not be kept
   * @throws IllegalArgumentException if the name is empty, too long or not Unicode
   * @throws LockConfigurationException as {@link #readWriteLock(String)}
   * @throws LockClosedException if this client is closed
   */
  DistributedReadWriteLock readWriteLock(String name, LockOptions options);

  /**
   * A semaphore with the permits and the options of this client: those of its scenario, if it was
   * opened for one that has {@code permits} ({@link Locks#forScenario}), otherwise those of {@link
   * ClientOptions#permits()}.
   *
   * @param name as for {@link #lock(String)}
   * @return a view that need not be kept
   * @throws IllegalArgumentException if the name is empty, too long or not Unicode
   * @throws LockConfigurationException if this client was opened without a number of permits, or as
   *     {@link #semaphore(String, int)}
   * @throws LockClosedException if this client is closed
   */
  DistributedSemaphore semaphore(String name);

  /**
   * A semaphore with the options of this client.
   *
   * @param name as for {@link #lock(String)}
   * @param permits how many there are: 1 to {@link Share#MOST_PERMITS}, the same for every user of
   *     the name
   * @return a view that need not be kept
   * @throws IllegalArgumentException if the name is empty, too long or not Unicode, or the permits
   *     are out of bounds
   * @throws LockConfigurationException if the backend has no semaphores ({@link
   *     Capabilities#sharing()}); it names backends that have
   * @throws LockClosedException if this client is closed
   */
  DistributedSemaphore semaphore(String name, int permits);

  /**
   * A semaphore with given options.
   *
   * @param name as for {@link #lock(String)}
   * @param permits as for {@link #semaphore(String, int)}
   * @param options the terms of acquisitions through the view
   * @return a view that need not be kept
   * @throws IllegalArgumentException as {@link #semaphore(String, int)}
   * @throws LockConfigurationException as {@link #semaphore(String, int)}
   * @throws LockClosedException if this client is closed
   */
  DistributedSemaphore semaphore(String name, int permits, LockOptions options);

  /**
   * A view of this client in which all names begin alike: {@code within("orders").lock("7")} is
   * {@code lock("orders:7")}. It shares the connections of this client; its listeners get the
   * events of these locks only, and its inspector shows only these. Closing the view does nothing:
   * its leases and waiters end with this client.
   *
   * @param prefix what names begin with, without the colon; together with a name and the colon at
   *     most 512 bytes of UTF-8
   * @return a view that need not be kept or closed
   * @throws IllegalArgumentException if the prefix is empty, too long or not Unicode
   */
  LockClient within(String prefix);

  /**
   * Describes what the backend promises.
   *
   * @return the facts
   */
  Capabilities capabilities();

  /**
   * Says who holds which lock of the namespace.
   *
   * @return a view that need not be kept
   * @throws UnsupportedOperationException if the backend cannot tell, as {@link
   *     Capabilities#inspection()} says
   * @throws LockClosedException if this client is closed
   */
  LockInspector inspector();

  /**
   * Checks the servers for settings that would break a promise: what is kept through a restart,
   * what is evicted when memory is short, what this user may not do. For people who set a server
   * up, and for health checks; takes a few requests. Blocks the caller, and waits through
   * interrupts, which stay set.
   *
   * @param ttl that locks will have; session time-outs are compared with it
   * @return one report for each server that could be asked; none if this backend has no checks
   * @throws IllegalArgumentException if no lock may have this TTL
   * @throws LockUnavailableException if no server answers in time
   * @throws LockRejectedException if the servers refuse
   * @throws LockClosedException if this client is closed
   */
  List<ServerReport> examine(Duration ttl);

  /**
   * Says what this client holds and waits for now, and how often its server did not answer. For
   * monitoring: no server is asked, and nothing blocks.
   *
   * @return the status now
   */
  ClientStatus status();

  /**
   * Adds a listener, which gets every event from now on.
   *
   * @param listener what to call
   * @return closing it removes the listener
   */
  Subscription addListener(LockListener listener);

  /**
   * Ends its waiters with {@link LockClosedException}, releases what it holds, and closes what it
   * opened itself. Waits for the backend at most for about three of its operation time-outs. A
   * request that has no answer by then may arrive later; what it takes is released at once, or, on
   * backends that cannot do so, free after its TTL (rule LC-17 of the specification). Idempotent.
   */
  @Override
  void close();

  /** A listener that was added. */
  @FunctionalInterface
  interface Subscription extends AutoCloseable {

    /** Removes the listener. Idempotent. */
    @Override
    void close();
  }
}
