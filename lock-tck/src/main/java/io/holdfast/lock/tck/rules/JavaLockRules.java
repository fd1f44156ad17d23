/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.rules;

import io.holdfast.lock.DistributedLock;
import io.holdfast.lock.JavaLock;
import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockEvent;
import io.holdfast.lock.LockLostException;
import io.holdfast.lock.Renewal;
import io.holdfast.lock.text.TimeText;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;

/** VW: a lock as one of {@code java.util.concurrent.locks}. */
@SuppressWarnings("LockNotBeforeTry") // Tests unlock itself.
public final class JavaLockRules {

  @Rule(value = "VW-4", lookAt = Rule.ENGINE)
  public void theJavaLockIsReentrantAndBoundToItsThread(RuleContext context) throws Exception {
    LockClient client = context.client();
    JavaLock lock = client.lock(context.name(), context.options()).asJavaLock();
    lock.lock();
    Lease held = behind(lock);
    client.lock(context.name(), context.options()).asJavaLock().lock();
    context.check(
        lock.tryLock(),
        "expected tryLock to be granted to the thread that holds the lock, but it was refused");
    context.get(
        context.start(
            () -> {
              refused(held, lock, lock.tryLock(), "granted to another thread");
              return context.expect(
                  IllegalMonitorStateException.class,
                  () -> {
                    lock.unlock();
                    return "no exception";
                  });
            }),
        RuleContext.SLACK);
    lock.unlock();
    lock.unlock();
    DistributedLock other = context.client().lock(context.name(), context.options());
    Holders.refused(held, other.tryAcquire(), "free before the last unlock");
    lock.unlock();
    Holders.free(context, other, Duration.ZERO, "after the last unlock");
    context.expect(
        IllegalMonitorStateException.class,
        () -> {
          lock.unlock();
          return "no exception";
        });
  }

  @Rule(value = "VW-5", lookAt = Rule.ENGINE)
  public void theJavaLockHasNoConditions(RuleContext context) {
    context.expect(
        UnsupportedOperationException.class,
        () -> context.client().lock(context.name()).asJavaLock().newCondition());
  }

  @Rule(value = "VW-6", lookAt = "release(): what it leaves of a claim that has waited")
  public void theJavaLockIsInterruptible(RuleContext context) throws Exception {
    Lease held = context.client().lock(context.name(), context.options()).acquire();
    LockClient client = context.client();
    Lock lock = client.lock(context.name(), context.options()).asJavaLock();
    CompletableFuture<LockEvent> contended = RecordedEvents.next(client, LockEvent.Contended.class);
    CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
    Thread waiter =
        new Thread(
            () -> {
              try {
                lock.lockInterruptibly();
                interrupted.complete(false);
              } catch (InterruptedException e) {
                interrupted.complete(true);
              }
            });
    waiter.start();
    context.get(contended, RuleContext.SLACK);
    waiter.interrupt();
    boolean told = context.get(interrupted, RuleContext.SLACK);
    if (!told) {
      Holders.held(held, "its waiter was granted the lock");
    }
    context.check(
        told, "expected InterruptedException of a thread that waits, but it was granted the lock");
    held.release();
    lock.lock();
    Thread.currentThread().interrupt();
    context.expect(
        InterruptedException.class,
        () -> {
          lock.lockInterruptibly();
          return "no exception";
        });
    lock.unlock();
    context.awaitNothingLeft(RuleContext.SLACK);
  }

  @Rule(value = "VW-7", lookAt = Rule.ENGINE)
  public void lockWaitsThroughInterruptsAndKeepsThem(RuleContext context) throws Exception {
    Lease held = context.client().lock(context.name(), context.options()).acquire();
    LockClient client = context.client();
    Lock lock = client.lock(context.name(), context.options()).asJavaLock();
    CompletableFuture<LockEvent> contended = RecordedEvents.next(client, LockEvent.Contended.class);
    CompletableFuture<Boolean> flag = new CompletableFuture<>();
    Thread waiter =
        new Thread(
            () -> {
              lock.lock();
              boolean kept = Thread.interrupted();
              // Before anybody is told, who would close its client.
              lock.unlock();
              flag.complete(kept);
            });
    waiter.start();
    context.get(contended, RuleContext.SLACK);
    waiter.interrupt();
    context.letPass(Duration.ofMillis(100));
    if (flag.isDone()) {
      Holders.held(held, "its waiter was granted the lock");
      throw new AssertionError("expected lock() to wait, but it returned without the lock");
    }
    held.release();
    context.check(
        context.get(flag, RuleContext.SLACK),
        "expected the thread to be interrupted still after lock(), but the flag is clear");
  }

  @Rule(value = "VW-8", lookAt = "attempt(): whether it answers without waiting")
  public void theLimitOfTheJavaLockIsKept(RuleContext context) throws InterruptedException {
    Lease held =
        context.closing(context.client().lock(context.name(), context.options()).acquire());
    JavaLock lock = context.client().lock(context.name(), context.options()).asJavaLock();
    long begun = System.nanoTime();
    // Time enough for a busy server to say that somebody has it.
    boolean granted = lock.tryLock(1, TimeUnit.SECONDS);
    long waited = System.nanoTime() - begun;
    refused(held, lock, granted, "granted within a limit");
    String took = TimeText.of(Duration.ofNanos(waited));
    context.check(waited >= 1_000_000_000L, "expected a wait of 1 s, but it took " + took);
    context.checkInTime(
        waited < RuleContext.SLACK.toNanos(), "expected a wait of 1 s, but it took " + took);
    refused(held, lock, lock.tryLock(-1, TimeUnit.SECONDS), "granted within a limit below zero");
    refused(held, lock, lock.tryLock(), "granted without waiting");
  }

  @Rule(value = "VW-9", lookAt = Rule.ENGINE)
  public void theJavaLockTellsOfALoss(RuleContext context) {
    Lock lock =
        context
            .client()
            .lock(context.name(), context.options().withRenewal(Renewal.none()))
            .asJavaLock();
    lock.lock();
    context.check(
        lock.tryLock(),
        "expected tryLock to be granted to the thread that holds the lock, but it was refused");
    context.letPass(context.ttl().plus(context.ttl().dividedBy(2)));
    context.expect(LockLostException.class, () -> lock.tryLock());
    context.expect(
        LockLostException.class,
        () -> {
          lock.unlock();
          return "the nested unlock threw no exception";
        });
    context.expect(
        LockLostException.class,
        () -> {
          lock.unlock();
          return "no exception";
        });
    lock.lock();
    lock.unlock();
  }

  @Rule(value = "VW-12", lookAt = Rule.ENGINE)
  public void theJavaLockShowsWhatIsBehindIt(RuleContext context) throws Exception {
    LockClient client = context.client();
    JavaLock lock = client.lock(context.name(), context.options()).asJavaLock();
    JavaLock same = client.lock(context.name(), context.longTtl()).asJavaLock();
    context.checkEquals(lock, same, "another view of its name");
    context.checkEquals(lock.hashCode(), same.hashCode(), "the hash code of another view");
    context.check(
        !lock.equals(client.lock(context.name() + "-other").asJavaLock())
            && !lock.equals(context.client().lock(context.name()).asJavaLock()),
        "expected views of different locks to differ, but two are equal");
    context.checkEquals(0, lock.holdCount(), "the hold count before the first lock()");
    lock.lock();
    same.lock();
    Lease lease = behind(lock);
    Holders.held(lease, "the lease behind the view is not valid");
    context.checkEquals(context.name(), lease.lockName(), "the name of the lease behind the view");
    context.checkEquals(2, same.holdCount(), "the hold count of another view");
    context.check(
        lock.isHeldByCurrentThread(),
        "expected isHeldByCurrentThread to be true for the holder, but it is false");
    String text = lock.toString();
    Holders.held(lease, "its view was asked for its text");
    context.check(
        text.contains(context.name()), "expected the lock's name in its text, but it is " + text);
    context.check(
        text.contains(" held by "),
        "expected ' held by ' in the text of a lock that is held, but it is " + text);
    context.get(
        context.start(
            () -> {
              context.check(
                  !lock.isHeldByCurrentThread(),
                  "expected isHeldByCurrentThread to be false for another thread, but it is true");
              context.check(
                  lock.lease().isEmpty(), "expected no lease for another thread, but there is one");
              context.checkEquals(0, lock.holdCount(), "the hold count of another thread");
              return "";
            }),
        RuleContext.SLACK);
    lock.unlock();
    lock.unlock();
    context.check(
        lock.lease().isEmpty(), "expected no lease after the last unlock, but there is one");
    context.check(
        !lock.isHeldByCurrentThread(),
        "expected isHeldByCurrentThread to be false after the last unlock, but it is true");
  }

  /** Of a thread that has locked, and not unlocked; a lease that is lost is there as well. */
  private static Lease behind(JavaLock lock) {
    return lock.lease()
        .orElseThrow(
            () ->
                new AssertionError(
                    "expected a lease behind a lock of this thread, but there is none"));
  }

  /** A view was asked for a lock that is held elsewhere. */
  private static void refused(Lease held, JavaLock view, boolean granted, String otherwise) {
    Holders.refused(held, granted ? Optional.of(behind(view)) : Optional.empty(), otherwise);
  }
}
