/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.shedlock;

import io.holdfast.lock.HandOver;
import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.Renewal;
import java.util.Objects;
import java.util.Optional;
import net.javacrumbs.shedlock.core.ExtensibleLockProvider;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.SimpleLock;

/**
 * ShedLock's lock provider over any client: {@code @SchedulerLock} and {@code LockingTaskExecutor}
 * stay as they are, and the lock is held at a backend of Holdfast. Each ShedLock name is the lock
 * of that name in the client. For any number of threads.
 *
 * <p>{@code lockAtMostFor} is the lease's TTL, at least 100 ms. {@code lockAtLeastFor} is its
 * minimum hold: the server keeps the name taken until then, also if this process dies or closes its
 * client, where {@link io.holdfast.lock.Capabilities#retention()} says so. An extension moves the
 * end of {@code lockAtMostFor} to an earlier or a later time; it can lengthen {@code
 * lockAtLeastFor}, but not shorten it, and what it adds ends if the client is closed.
 *
 * <p>{@link #lock} asks once and does not wait for another owner. It throws {@link
 * io.holdfast.lock.LockException} if the backend fails, or cannot keep a {@code lockAtLeastFor}. An
 * interrupted thread is given no lock, and stays interrupted.
 */
public final class HoldfastLockProvider implements ExtensibleLockProvider {

  private final LockClient client;
  private final Renewal renewal;
  private final ThreadLeases leases = new ThreadLeases();

  /**
   * Locks that end after {@code lockAtMostFor}, if they are not unlocked or extended before: what
   * ShedLock's own providers do.
   *
   * @param client is not closed here
   */
  public HoldfastLockProvider(LockClient client) {
    this(client, Renewal.none());
  }

  /**
   * Locks with renewal. With {@link Renewal#automatic()} a lock is kept until it is unlocked,
   * however long the task runs, and {@code lockAtMostFor} says how soon it is free after its holder
   * has died. This replaces ShedLock's {@code KeepAliveLockProvider}, and needs no executor.
   *
   * @param client is not closed here
   * @param renewal of the locks
   */
  public HoldfastLockProvider(LockClient client, Renewal renewal) {
    this.client = Objects.requireNonNull(client, "client");
    this.renewal = Objects.requireNonNull(renewal, "renewal");
  }

  @Override
  public Optional<SimpleLock> lock(LockConfiguration configuration) {
    try {
      return client
          .lock(configuration.getName(), options(configuration))
          .tryAcquire()
          .map(
              lease ->
                  new LeaseLock(
                      configuration,
                      lease,
                      renewal instanceof Renewal.Automatic,
                      leases.add(lease)));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.empty();
    }
  }

  private LockOptions options(LockConfiguration configuration) {
    return LockOptions.defaults()
        .withTtl(LeaseLock.ttl(configuration.getLockAtMostFor()))
        .withRenewal(renewal)
        .withMinHold(configuration.getLockAtLeastFor())
        .withHandOver(HandOver.none());
  }

  /**
   * The lease behind a lock of the calling thread, for use in the task: its fencing token goes
   * along with each write, and {@link Lease#ensureValid()} stops a task that has lost its lock.
   *
   * @param lockName as ShedLock has it
   * @return empty if this thread has not locked that name here, or has unlocked it
   */
  public Optional<Lease> lease(String lockName) {
    return leases.mine(lockName);
  }
}
