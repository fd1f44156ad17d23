/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.rules;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.DistributedLock;
import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockLostException;
import io.holdfast.lock.Renewal;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;

/** VW: the forms in which a lock can be used. */
@SuppressWarnings("LockNotBeforeTry") // What unlock does is what is tested.
public final class ViewRules {

  @Rule("VW-1")
  public void runAndCallHoldTheLockAndFreeIt(Bench bench) throws InterruptedException {
    DistributedLock lock = bench.client().lock(bench.name(), bench.options());
    DistributedLock other = bench.client().lock(bench.name(), bench.options());
    String answer =
        lock.call(
            lease -> {
              Holders.refused(lease, other.tryAcquire(), "not exclusive");
              return lease.lockName();
            });
    bench.checkEquals(bench.name(), answer, "what the body returned");
    Optional<Lease> between = other.tryAcquire();
    bench.check(between.isPresent(), "not free after the first body");
    Holders.released(between.orElseThrow(), "who came between");
    lock.run(lease -> Holders.held(lease, "not valid"));
    bench.check(other.tryAcquire().isPresent(), "not free after the body");
  }

  @Rule("VW-2")
  public void anExceptionOfTheBodyComesThroughAndTheLockIsFree(Bench bench)
      throws InterruptedException {
    DistributedLock lock = bench.client().lock(bench.name(), bench.options());
    java.io.IOException thrown =
        bench.expect(
            java.io.IOException.class,
            () ->
                lock.call(
                    lease -> {
                      throw new java.io.IOException("the body's");
                    }));
    bench.checkEquals("the body's", String.valueOf(thrown.getMessage()), "message");
    bench.check(lock.tryAcquire().isPresent(), "not free after the body");
  }

  @Rule("VW-3")
  public void aLossDuringTheBodyIsToldAtItsEnd(Bench bench) {
    DistributedLock lock =
        bench.client().lock(bench.name(), bench.options().withRenewal(Renewal.none()));
    bench.expect(
        LockLostException.class,
        () ->
            lock.call(
                lease -> {
                  bench.await("its end", bench.ttl().plus(Bench.SLACK), () -> !lease.isValid());
                  return "done, and not protected";
                }));
  }

  @Rule("VW-4")
  public void theJavaLockIsReentrantAndBoundToItsThread(Bench bench) throws Exception {
    LockClient client = bench.client();
    Lock lock = client.lock(bench.name(), bench.options()).asJavaLock();
    lock.lock();
    client.lock(bench.name(), bench.options()).asJavaLock().lock();
    bench.check(lock.tryLock(), "not reentrant");
    bench.get(
        bench.start(
            () -> {
              bench.check(!lock.tryLock(), "another thread got it");
              return bench.expect(
                  IllegalMonitorStateException.class,
                  () -> {
                    lock.unlock();
                    return "no exception";
                  });
            }),
        Bench.SLACK);
    lock.unlock();
    lock.unlock();
    DistributedLock other = bench.client().lock(bench.name(), bench.options());
    bench.check(other.tryAcquire().isEmpty(), "free before the last unlock");
    lock.unlock();
    bench.check(other.tryAcquire().isPresent(), "not free after the last unlock");
    bench.expect(
        IllegalMonitorStateException.class,
        () -> {
          lock.unlock();
          return "no exception";
        });
  }

  @Rule("VW-5")
  public void theJavaLockHasNoConditions(Bench bench) {
    bench.expect(
        UnsupportedOperationException.class,
        () -> bench.client().lock(bench.name()).asJavaLock().newCondition());
  }

  @Rule("VW-6")
  public void theJavaLockIsInterruptible(Bench bench) throws Exception {
    Lease held = bench.client().lock(bench.name(), bench.options()).acquire();
    Lock lock = bench.client().lock(bench.name(), bench.options()).asJavaLock();
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
    bench.letPass(Duration.ofMillis(100));
    waiter.interrupt();
    bench.check(bench.get(interrupted, Bench.SLACK), "not interrupted");
    held.release();
    bench.awaitNothingLeft(Bench.SLACK);
  }

  @Rule("VW-7")
  public void lockWaitsThroughInterruptsAndKeepsThem(Bench bench) throws Exception {
    Lease held = bench.client().lock(bench.name(), bench.options()).acquire();
    Lock lock = bench.client().lock(bench.name(), bench.options()).asJavaLock();
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
    bench.letPass(Duration.ofMillis(100));
    waiter.interrupt();
    bench.letPass(Duration.ofMillis(100));
    bench.check(!flag.isDone(), "returned without the lock");
    held.release();
    bench.check(bench.get(flag, Bench.SLACK), "the interrupt was swallowed");
  }

  @Rule("VW-8")
  public void theLimitOfTheJavaLockIsKept(Bench bench) throws InterruptedException {
    bench.client().lock(bench.name(), bench.options()).acquire();
    Lock lock = bench.client().lock(bench.name(), bench.options()).asJavaLock();
    long begun = System.nanoTime();
    // Time enough for a busy server to say that somebody has it.
    bench.check(!lock.tryLock(1, TimeUnit.SECONDS), "got a lock that is held");
    long waited = System.nanoTime() - begun;
    bench.check(
        waited >= 1_000_000_000L && waited < Bench.SLACK.toNanos(), "waited " + waited + " ns");
    bench.check(!lock.tryLock(-1, TimeUnit.SECONDS), "got a lock that is held");
    bench.check(!lock.tryLock(), "got a lock that is held");
  }

  @Rule("VW-9")
  public void theJavaLockTellsOfALoss(Bench bench) {
    Lock lock =
        bench.client().lock(bench.name(), bench.options().withRenewal(Renewal.none())).asJavaLock();
    lock.lock();
    bench.letPass(bench.ttl().plus(bench.ttl().dividedBy(2)));
    bench.expect(LockLostException.class, () -> lock.tryLock());
    bench.expect(
        LockLostException.class,
        () -> {
          lock.unlock();
          return "no exception";
        });
    lock.lock();
    lock.unlock();
  }

  @Rule("VW-10")
  public void codeOfTheUserRunsOnTheExecutorOfTheUser(Bench bench) throws Exception {
    ExecutorService mine = Executors.newSingleThreadExecutor(task -> new Thread(task, "users-own"));
    bench.closing(mine::shutdownNow);
    LockClient client = bench.client(ClientOptions.defaults().withCallbackExecutor(mine));
    CompletableFuture<String> completion = new CompletableFuture<>();
    CompletableFuture<String> listening = new CompletableFuture<>();
    CompletableFuture<String> loss = new CompletableFuture<>();
    client.addListener(event -> listening.complete(Thread.currentThread().getName()));
    // Held for now, so that it is certain that the future is not complete yet.
    Lease held = bench.client().lock(bench.name(), bench.options()).acquire();
    CompletableFuture<Lease> acquired =
        client.lock(bench.name(), bench.options().withRenewal(Renewal.none())).acquireAsync();
    acquired.whenComplete(
        (lease, failure) -> completion.complete(Thread.currentThread().getName()));
    held.release();
    Duration patience = bench.ttl().plus(Bench.SLACK);
    // Whoever waits for a future may run what follows it, so that is waited for first.
    bench.checkEquals("users-own", bench.get(completion, patience), "the completion's thread");
    Lease lease = bench.get(acquired, Bench.SLACK);
    lease.onLoss(lost -> loss.complete(Thread.currentThread().getName()));
    bench.checkEquals("users-own", bench.get(listening, patience), "the listener's thread");
    bench.checkEquals("users-own", bench.get(loss, patience), "the loss callback's thread");
  }

  @Rule("VW-11")
  public void everythingWorksOnVirtualThreads(Bench bench) throws Exception {
    ExecutorService virtual;
    try {
      virtual =
          (ExecutorService)
              Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
    } catch (NoSuchMethodException e) {
      throw bench.skipped("this JVM has no virtual threads: " + Runtime.version());
    }
    bench.closing(virtual::shutdownNow);
    LockClient client = bench.client();
    CompletableFuture<?>[] all = new CompletableFuture<?>[40];
    int[] unguarded = new int[1];
    for (int i = 0; i < all.length; i++) {
      all[i] =
          CompletableFuture.runAsync(
              () -> {
                try {
                  client
                      .lock(bench.name(), bench.options())
                      .run(lease -> unguarded[0] = unguarded[0] + 1);
                } catch (InterruptedException e) {
                  Thread.currentThread().interrupt();
                }
              },
              virtual);
    }
    bench.get(CompletableFuture.allOf(all), Duration.ofSeconds(30));
    bench.checkEquals(all.length, unguarded[0], "increments under the lock");
  }
}
