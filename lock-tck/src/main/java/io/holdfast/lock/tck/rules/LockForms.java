/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.rules;

import io.holdfast.lock.DistributedLock;
import io.holdfast.lock.JavaLock;
import io.holdfast.lock.Lease;
import io.holdfast.lock.LockTimeoutException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * The forms in which a lock can be asked for. Each of them is one call, so that a rule can try all
 * of them in the same way.
 */
final class LockForms {

  /** For how long a form waits that is not called with a limit. */
  enum Wait {
    NOT_AT_ALL,
    UP_TO_A_LIMIT,
    FOR_EVER
  }

  /** Runs while the lock is held. */
  interface Body {
    void run(Lease lease) throws InterruptedException;
  }

  /** Acquires, runs the body, and releases; answers false if it was refused. */
  private interface Asking {
    boolean ask(DistributedLock lock, Duration limit, Body body) throws InterruptedException;
  }

  /** The lock that a form acquires and that its thread has to unlock. */
  private interface Locking {
    boolean lock(JavaLock lock, Duration limit) throws InterruptedException;
  }

  /**
   * A form.
   *
   * @param words the call
   */
  record Form(String words, Wait waits, Asking asking) {

    /** False also where it says with an exception that it was refused in time. */
    boolean ask(DistributedLock lock, Duration limit, Body body) throws InterruptedException {
      try {
        return asking.ask(lock, limit, body);
      } catch (LockTimeoutException e) {
        return false;
      }
    }
  }

  private final RuleContext context;

  LockForms(RuleContext context) {
    this.context = context;
  }

  List<Form> all() {
    return List.of(
        form("tryAcquire()", Wait.NOT_AT_ALL, (lock, limit) -> lock.tryAcquire()),
        form("tryAcquire(limit)", Wait.UP_TO_A_LIMIT, DistributedLock::tryAcquire),
        form("acquire()", Wait.FOR_EVER, (lock, limit) -> Optional.of(lock.acquire())),
        form(
            "acquire(limit)",
            Wait.UP_TO_A_LIMIT,
            (lock, limit) -> Optional.of(lock.acquire(limit))),
        form(
            "tryAcquireAsync()",
            Wait.NOT_AT_ALL,
            (lock, limit) -> get(lock.tryAcquireAsync(), limit)),
        form(
            "tryAcquireAsync(limit)",
            Wait.UP_TO_A_LIMIT,
            (lock, limit) -> get(lock.tryAcquireAsync(limit), limit)),
        form(
            "acquireAsync()",
            Wait.FOR_EVER,
            (lock, limit) -> Optional.of(get(lock.acquireAsync(), limit))),
        form(
            "acquireAsync(limit)",
            Wait.UP_TO_A_LIMIT,
            (lock, limit) -> Optional.of(get(lock.acquireAsync(limit), limit))),
        new Form("run", Wait.FOR_EVER, LockForms::run),
        new Form("call", Wait.FOR_EVER, this::call),
        java("tryLock()", Wait.NOT_AT_ALL, (lock, limit) -> lock.tryLock()),
        java(
            "tryLock(limit)",
            Wait.UP_TO_A_LIMIT,
            (lock, limit) -> lock.tryLock(limit.toNanos(), TimeUnit.NANOSECONDS)),
        java("lock()", Wait.FOR_EVER, LockForms::lock),
        java("lockInterruptibly()", Wait.FOR_EVER, LockForms::lockInterruptibly));
  }

  /** Answers a lease, or none if it was refused. */
  private interface Acquiring {
    Optional<Lease> acquire(DistributedLock lock, Duration limit) throws InterruptedException;
  }

  private static Form form(String words, Wait waits, Acquiring acquiring) {
    return new Form(
        words,
        waits,
        (lock, limit, body) -> {
          Optional<Lease> lease = acquiring.acquire(lock, limit);
          if (lease.isPresent()) {
            body.run(lease.get());
            Holders.released(lease.get(), "the holder by " + words);
          }
          return lease.isPresent();
        });
  }

  private <T> T get(CompletableFuture<T> asked, Duration limit) {
    return context.get(asked, limit.plus(RuleContext.SLACK));
  }

  private static boolean run(DistributedLock lock, Duration limit, Body body)
      throws InterruptedException {
    lock.run(body::run);
    return true;
  }

  private boolean call(DistributedLock lock, Duration limit, Body body)
      throws InterruptedException {
    String answer =
        lock.call(
            lease -> {
              body.run(lease);
              return lease.ownerId();
            });
    context.check(
        !answer.isEmpty(), "expected call to answer what its body did, but found nothing");
    return true;
  }

  /** In which a thread locks again what it has, through another view. */
  private Form java(String words, Wait waits, Locking locking) {
    return new Form(
        "asJavaLock()." + words,
        waits,
        (lock, limit, body) -> {
          JavaLock java = lock.asJavaLock();
          if (!locking.lock(java, limit)) {
            return false;
          }
          context.check(
              locking.lock(lock.asJavaLock(), limit),
              "expected " + words + " to be granted to its own thread again, but it was refused");
          context.checkEquals(2, java.holdCount(), "the holds of this thread by " + words);
          java.unlock();
          body.run(java.lease().orElseThrow());
          java.unlock();
          context.check(
              !java.isHeldByCurrentThread(),
              "expected the lock to be free after the last unlock, but its thread holds it");
          return true;
        });
  }

  @SuppressWarnings("LockNotBeforeTry") // The form unlocks.
  private static boolean lock(JavaLock lock, Duration limit) {
    lock.lock();
    return true;
  }

  @SuppressWarnings("LockNotBeforeTry") // The form unlocks.
  private static boolean lockInterruptibly(JavaLock lock, Duration limit)
      throws InterruptedException {
    lock.lockInterruptibly();
    return true;
  }
}
