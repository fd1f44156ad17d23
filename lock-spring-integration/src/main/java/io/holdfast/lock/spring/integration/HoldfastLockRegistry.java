/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.spring.integration;

import io.holdfast.lock.DistributedLock;
import io.holdfast.lock.JavaLock;
import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.text.VisibleText;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Function;
import org.springframework.integration.support.locks.ExpirableLockRegistry;
import org.springframework.integration.support.locks.RenewableLockRegistry;

/**
 * Spring Integration's lock registry over any client: a key is the lock of that name. The locks are
 * {@link JavaLock}s: bound to the thread, reentrant, renewed in the background unless the options
 * say otherwise, and a thread that holds one gets at its fencing token and its loss with {@link
 * JavaLock#lease()}. For any number of threads.
 *
 * <p>The registry keeps nothing: a lock is a view that costs nothing to make, and all views of one
 * name in one client are equal and share the holds of their threads, so there is no cache to bound
 * or to expire. Two registries on one client have the same locks. For locks of their own, give them
 * {@link LockClient#within}.
 *
 * <p>Compiled against Spring Integration 6.5, where registries have no type parameter, and tested
 * with 6.5 and 7. In 7, this class is a raw {@code LockRegistry}.
 */
public final class HoldfastLockRegistry implements ExpirableLockRegistry, RenewableLockRegistry {

  private final Function<String, DistributedLock> locks;

  /**
   * Locks with the options of the client.
   *
   * @param client is not closed here
   */
  public HoldfastLockRegistry(LockClient client) {
    this.locks = Objects.requireNonNull(client, "client")::lock;
  }

  /**
   * Locks with given options.
   *
   * @param client is not closed here
   * @param options the terms of all locks
   */
  public HoldfastLockRegistry(LockClient client, LockOptions options) {
    Objects.requireNonNull(client, "client");
    Objects.requireNonNull(options, "options");
    this.locks = name -> client.lock(name, options);
  }

  /**
   * A lock.
   *
   * @param lockKey a string of 1 to 512 bytes of UTF-8
   * @return a view that need not be kept, equal to all others of that key
   * @throws IllegalArgumentException if the key is no such string
   */
  @Override
  public JavaLock obtain(Object lockKey) {
    return lock(lockKey).asJavaLock();
  }

  /**
   * Makes a lock last for one more TTL from now. Only needed with options without renewal.
   *
   * @param lockKey of a lock that the calling thread holds
   * @throws IllegalMonitorStateException if this thread does not hold it
   * @throws io.holdfast.lock.LockLostException if it was lost
   * @throws io.holdfast.lock.LockUnavailableException if the server does not answer
   */
  @Override
  public void renewLock(Object lockKey) {
    renewLock(lockKey, lock(lockKey).options().ttl());
  }

  /**
   * Makes a lock last for at least this long from now; never shortens. Spring Integration 7 asks
   * for it.
   *
   * @param lockKey of a lock that the calling thread holds
   * @param ttl 100 ms to 365 days
   * @throws IllegalMonitorStateException if this thread does not hold it
   * @throws io.holdfast.lock.LockLostException if it was lost
   * @throws io.holdfast.lock.LockUnavailableException if the server does not answer
   */
  // No @Override, as it overrides nothing in 6.5.
  public void renewLock(Object lockKey, Duration ttl) {
    Lease lease =
        obtain(lockKey)
            .lease()
            .orElseThrow(
                () ->
                    new IllegalMonitorStateException(
                        "Lock '%s' is not held by thread %s, so it cannot be renewed by it"
                            .formatted(
                                VisibleText.of(lockKey.toString()),
                                Thread.currentThread().getName())));
    lease.extend(ttl);
  }

  /**
   * Does nothing: the registry keeps no locks that could be removed.
   *
   * @param age does not matter
   */
  @Override
  public void expireUnusedOlderThan(long age) {}

  private DistributedLock lock(Object lockKey) {
    if (Objects.requireNonNull(lockKey, "lockKey") instanceof String name) {
      return locks.apply(name);
    }
    throw new IllegalArgumentException(
        "lockKey must be a String, which is the same in every process, but is a "
            + lockKey.getClass().getName());
  }
}
