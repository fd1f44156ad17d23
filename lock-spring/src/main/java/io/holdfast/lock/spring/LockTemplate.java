/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.spring;

import io.holdfast.lock.DistributedLock;
import io.holdfast.lock.DistributedLock.LeaseFunction;
import io.holdfast.lock.Lease;
import io.holdfast.lock.LockLostException;
import io.holdfast.lock.ReleaseOutcome;
import io.holdfast.lock.spring.RequestedShare.Views;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ClassUtils;

/**
 * Calls code while a lock is held, and knows Spring's transactions: what {@link Locked} does for
 * methods, for code that chooses its lock itself. For any number of threads.
 *
 * <p>If a transaction is under way on the thread, the lock is kept until that has ended. No
 * transaction of the thread is committed if the lock is lost by then; it is rolled back, and {@link
 * LockLostException} thrown. A call within another one of the same lock on the same thread shares
 * its lease.
 */
public final class LockTemplate {

  static final boolean TRANSACTIONS =
      ClassUtils.isPresent(
          "org.springframework.transaction.support.TransactionSynchronizationManager",
          LockTemplate.class.getClassLoader());

  private final HeldLeases leases;
  private final Supplier<LockObserver> observers;
  private volatile @Nullable LockObserver observer;

  /**
   * Commits are checked once this is a bean, with {@link LockedConfiguration}. The observer is
   * asked for with the first call: it must not be made before Spring is ready.
   */
  LockTemplate(HeldLeases leases, Supplier<LockObserver> observers) {
    this.leases = leases;
    this.observers = observers;
  }

  /** Without a mutex: a thread that makes beans may call a locked method meanwhile. */
  LockObserver observer() {
    LockObserver known = observer;
    if (known == null) {
      known = new SafeObserver(observers.get());
      observer = known;
    }
    return known;
  }

  /**
   * Waits for the lock for as long as it takes, and calls.
   *
   * @param lock what to hold
   * @param body gets the lease, which it does not release
   * @param <T> what the body returns
   * @param <E> what the body throws
   * @return what the body returned
   * @throws E from the body
   * @throws LockLostException if the body ended normally, but the lock was lost meanwhile
   * @throws io.holdfast.lock.LockException if the lock cannot be had
   * @throws InterruptedException if interrupted while waiting for the lock
   */
  public <T, E extends Exception> T call(DistributedLock lock, LeaseFunction<T, E> body)
      throws E, InterruptedException {
    return call(Views.of(lock), body);
  }

  /**
   * As {@link #call(DistributedLock, LeaseFunction)}, and waits for a limited time.
   *
   * @param lock what to hold
   * @param maxWait zero means one attempt
   * @param body gets the lease, which it does not release
   * @param <T> what the body returns
   * @param <E> what the body throws
   * @return what the body returned
   * @throws E from the body
   * @throws io.holdfast.lock.LockTimeoutException if somebody else held the lock all that time
   * @throws LockLostException if the body ended normally, but the lock was lost meanwhile
   * @throws io.holdfast.lock.LockException if the lock cannot be had
   * @throws InterruptedException if interrupted while waiting for the lock
   */
  public <T, E extends Exception> T call(
      DistributedLock lock, Duration maxWait, LeaseFunction<T, E> body)
      throws E, InterruptedException {
    return call(Views.of(lock), maxWait, body);
  }

  /**
   * As {@link #call(DistributedLock, Duration, LeaseFunction)}, but does nothing if the lock is
   * busy.
   *
   * @param lock what to hold
   * @param maxWait zero means one attempt
   * @param body gets the lease, which it does not release
   * @param <T> what the body returns
   * @param <E> what the body throws
   * @return empty if somebody else held the lock all that time, or if the body returned null
   * @throws E from the body
   * @throws LockLostException if the body ended normally, but the lock was lost meanwhile
   * @throws io.holdfast.lock.LockException if the lock cannot be had
   * @throws InterruptedException if interrupted while waiting for the lock
   */
  public <T, E extends Exception> Optional<T> tryCall(
      DistributedLock lock, Duration maxWait, LeaseFunction<T, E> body)
      throws E, InterruptedException {
    return tryCall(Views.of(lock), maxWait, body);
  }

  <T, E extends Exception> T call(Views views, LeaseFunction<T, E> body)
      throws E, InterruptedException {
    return held(views, () -> Optional.of(views.lock().acquire()), body).result();
  }

  <T, E extends Exception> T call(Views views, Duration maxWait, LeaseFunction<T, E> body)
      throws E, InterruptedException {
    return held(views, () -> Optional.of(views.lock().acquire(maxWait)), body).result();
  }

  <T, E extends Exception> Optional<T> tryCall(
      Views views, Duration maxWait, LeaseFunction<T, E> body) throws E, InterruptedException {
    return Optional.ofNullable(held(views, () -> views.lock().tryAcquire(maxWait), body).value());
  }

  /** Asks for the lock. */
  private interface Asking {
    Optional<Lease> ask() throws InterruptedException;
  }

  /** The result of the body, or nothing as it was not called. */
  private record Answer<T>(@Nullable T value) {

    @SuppressWarnings("NullAway") // It is null only if the body has returned that.
    T result() {
      return value;
    }
  }

  private <T, E extends Exception> Answer<T> held(
      Views views, Asking asking, LeaseFunction<T, E> body) throws E, InterruptedException {
    Objects.requireNonNull(body, "body");
    Optional<Lease> outer = leases.find(views.lock());
    if (outer.isPresent()) {
      outer.get().ensureValid();
      return new Answer<>(body.call(outer.get()));
    }
    // Else a writer would begin within a reader that has lost its lease and was not told yet.
    views.reads().flatMap(leases::find).ifPresent(Lease::ensureValid);
    LockObserver.Work observed = observer().begin(views.lock(), Optional.empty());
    Runnable close = observed.open();
    boolean tied = false;
    try {
      Optional<Lease> granted = asking.ask();
      if (granted.isEmpty()) {
        return new Answer<>(null);
      }
      Lease lease = granted.get();
      Runnable forget = leases.add(views, lease);
      LeaseFunction<T, E> work =
          own -> {
            observed.granted(own);
            return body.call(own);
          };
      tied = TRANSACTIONS && Transactions.isRunning();
      return tied
          ? untilTheTransactionEnds(forget, lease, work, observed)
          : untilTheBodyEnds(forget, lease, work);
    } catch (Throwable thrown) {
      observed.failed(thrown);
      throw thrown;
    } finally {
      close.run();
      if (!tied) {
        observed.end();
      }
    }
  }

  private static <T, E extends Exception> Answer<T> untilTheBodyEnds(
      Runnable forget, Lease lease, LeaseFunction<T, E> body) throws E {
    Answer<T> answer;
    try {
      answer = new Answer<>(body.call(lease));
    } catch (Throwable thrown) {
      forget.run();
      if (!lease.isValid()) {
        thrown.addSuppressed(lost(lease));
      }
      lease.close();
      throw thrown;
    }
    forget.run();
    if (lease.release() == ReleaseOutcome.ALREADY_LOST) {
      throw lost(lease);
    }
    return answer;
  }

  private static <T, E extends Exception> Answer<T> untilTheTransactionEnds(
      Runnable forget, Lease lease, LeaseFunction<T, E> body, LockObserver.Work observed) throws E {
    try {
      Transactions.tie(lease, committed -> end(forget, lease, committed, observed));
    } catch (RuntimeException | Error e) {
      observed.failed(e);
      end(forget, lease, false, observed);
      throw e;
    }
    Answer<T> answer = new Answer<>(body.call(lease));
    if (!lease.isValid()) {
      throw lost(lease);
    }
    return answer;
  }

  /** Where the lease has a transaction of its own, that ends as the other one did. */
  private static void end(
      Runnable forget, Lease lease, boolean committed, LockObserver.Work observed) {
    forget.run();
    if (committed) {
      lease.release();
    } else {
      lease.close();
    }
    observed.end();
  }

  /** Calls with a lease whose loss refuses the commits of the calling thread. */
  @Nullable Object guarded(Views views, Lease lease, LockedBody body) throws Exception {
    Runnable forget = leases.add(views, lease);
    try {
      return body.call(lease);
    } finally {
      forget.run();
    }
  }

  static LockLostException lost(Lease lease) {
    return new LockLostException(
        "Lock '%s' was lost while the work under it went on (lease %s)"
            .formatted(lease.lockName(), lease.ownerId()));
  }
}
