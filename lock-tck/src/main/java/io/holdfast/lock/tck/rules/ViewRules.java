/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.rules;

import io.holdfast.lock.Capabilities;
import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.ClientStatus.LockStatus;
import io.holdfast.lock.DistributedLock;
import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHolder;
import io.holdfast.lock.LockLostException;
import io.holdfast.lock.LockTimeoutException;
import io.holdfast.lock.Reentry;
import io.holdfast.lock.ReleaseOutcome;
import io.holdfast.lock.Renewal;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** VW: the forms in which a lock can be used. */
public final class ViewRules {

  @Rule(value = "VW-1", lookAt = "release(): whether the lock is free when it answers")
  public void runAndCallHoldTheLockAndFreeIt(RuleContext context) throws InterruptedException {
    DistributedLock lock = context.client().lock(context.name(), context.options());
    DistributedLock other = context.client().lock(context.name(), context.options());
    String answer =
        lock.call(
            lease -> {
              Holders.refused(
                  lease, other.tryAcquire(), "granted to another client while the body runs");
              return lease.lockName();
            });
    context.checkEquals(context.name(), answer, "what the body returned");
    Lease between = Holders.free(context, other, Duration.ZERO, "after the first body");
    Holders.released(between, "who came between");
    lock.run(lease -> Holders.held(lease, "in the body of run"));
    Holders.free(context, other, Duration.ZERO, "after the body");
  }

  @Rule(value = "VW-2", lookAt = "release(): whether the lock is free when it answers")
  public void anExceptionOfTheBodyComesThroughAndTheLockIsFree(RuleContext context)
      throws InterruptedException {
    DistributedLock lock = context.client().lock(context.name(), context.options());
    java.io.IOException thrown =
        context.expect(
            java.io.IOException.class,
            () ->
                lock.call(
                    lease -> {
                      throw new java.io.IOException("the body's");
                    }));
    context.checkEquals("the body's", String.valueOf(thrown.getMessage()), "the message");
    Holders.free(context, lock, Duration.ZERO, "after a body that has thrown");
  }

  @Rule(value = "VW-3", lookAt = Rule.ENGINE)
  public void aLossDuringTheBodyIsToldAtItsEnd(RuleContext context) {
    DistributedLock lock =
        context.client().lock(context.name(), context.options().withRenewal(Renewal.none()));
    context.expect(
        LockLostException.class,
        () ->
            lock.call(
                lease -> {
                  context.await(
                      "its end", context.ttl().plus(RuleContext.SLACK), () -> !lease.isValid());
                  return "done, and not protected";
                }));
  }

  @Rule(value = "VW-10", lookAt = Rule.ENGINE)
  public void codeOfTheUserRunsOnTheExecutorOfTheUser(RuleContext context) throws Exception {
    ExecutorService mine = Executors.newSingleThreadExecutor(task -> new Thread(task, "users-own"));
    context.closing(mine::shutdownNow);
    LockClient client = context.client(ClientOptions.defaults().withCallbackExecutor(mine));
    CompletableFuture<String> completion = new CompletableFuture<>();
    CompletableFuture<String> listening = new CompletableFuture<>();
    CompletableFuture<String> loss = new CompletableFuture<>();
    client.addListener(event -> listening.complete(Thread.currentThread().getName()));
    // Held for now, so that it is certain that the future is not complete yet.
    Lease held = context.client().lock(context.name(), context.options()).acquire();
    CompletableFuture<Lease> acquired =
        client.lock(context.name(), context.options().withRenewal(Renewal.none())).acquireAsync();
    acquired.whenComplete(
        (lease, failure) -> completion.complete(Thread.currentThread().getName()));
    held.release();
    Duration patience = context.ttl().plus(RuleContext.SLACK);
    // The thread that waits for a future may run the stages behind it, so those are waited for
    // first.
    context.checkEquals("users-own", context.get(completion, patience), "the completion's thread");
    Lease lease = context.get(acquired, RuleContext.SLACK);
    lease.onLoss(lost -> loss.complete(Thread.currentThread().getName()));
    context.checkEquals("users-own", context.get(listening, patience), "the listener's thread");
    context.checkEquals("users-own", context.get(loss, patience), "the loss callback's thread");
  }

  @Rule(value = "VW-11", lookAt = "monitors (synchronized) that are held while waiting")
  public void everythingWorksOnVirtualThreads(RuleContext context) throws Exception {
    ExecutorService virtual;
    try {
      virtual =
          (ExecutorService)
              Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
    } catch (NoSuchMethodException e) {
      throw context.skipped("this JVM has no virtual threads: " + Runtime.version());
    }
    context.closing(virtual::shutdownNow);
    LockClient client = context.client();
    CompletableFuture<?>[] all = new CompletableFuture<?>[40];
    int[] unguarded = new int[1];
    for (int i = 0; i < all.length; i++) {
      all[i] =
          CompletableFuture.runAsync(
              () -> {
                try {
                  client
                      .lock(context.name(), context.options())
                      .run(
                          lease -> {
                            int read = unguarded[0];
                            LockSupport.parkNanos(500_000);
                            unguarded[0] = read + 1;
                          });
                } catch (InterruptedException e) {
                  Thread.currentThread().interrupt();
                }
              },
              virtual);
    }
    context.get(CompletableFuture.allOf(all), Duration.ofSeconds(30));
    context.checkEquals(all.length, unguarded[0], "the number of increments under the lock");
  }

  @Rule(value = "VW-13", lookAt = "inspection(): what names() answers")
  public void aPrefixIsAPartOfTheNames(RuleContext context) throws InterruptedException {
    LockClient client = context.client();
    LockClient part = client.within(context.name());
    Queue<String> told = new ConcurrentLinkedQueue<>();
    part.addListener(event -> told.add(event.lockName()));
    Lease lease = part.lock("a", context.options()).acquire();
    context.checkEquals(context.name() + ":a", lease.lockName(), "the name of the lease");
    Lease outside = client.lock(context.name() + "-a", context.options()).acquire();
    Holders.refused(
        lease,
        context.client().lock(context.name() + ":a", context.options()).tryAcquire(),
        "the name with its prefix is another lock");
    Holders.free(
        context,
        part.within("b").lock("c", context.options()),
        Duration.ZERO,
        "though nobody has it");
    if (context.promises().inspection() != Capabilities.Inspection.NONE) {
      List<String> held =
          part.inspector().held(100).stream().map(LockHolder::lockName).sorted().toList();
      context.checkEquals(
          List.of(context.name() + ":a", context.name() + ":b:c"), held, "the names of those held");
      context.check(
          part.inspector().holder("a").isPresent(),
          "expected the holder of the lock to be told, but nobody is");
    }
    context.checkEquals(
        List.of(context.name() + ":a", context.name() + ":b:c"),
        part.status().locks().stream().map(LockStatus::lockName).sorted().toList(),
        "the names in the status");
    Holders.released(lease, "a lease of the view");
    Holders.released(outside, "a lease of the client");
    context.await("an event", RuleContext.SLACK, () -> told.contains(context.name() + ":a"));
    context.check(
        !told.contains(context.name() + "-a"),
        "expected listeners to be told of locks with the prefix only, but found " + told);
  }

  @Rule(value = "VW-14", lookAt = Rule.ENGINE)
  public void aThreadThatWouldWaitForItselfIsRefusedIfItWants(RuleContext context)
      throws Exception {
    DistributedLock lock =
        context.client().lock(context.name(), context.options().withReentry(Reentry.REFUSE));
    Lease lease = lock.acquire();
    IllegalStateException refused =
        context.expect(IllegalStateException.class, () -> lock.acquire(RuleContext.SLACK));
    context.checkSays(refused, context.name());
    context.expect(IllegalStateException.class, () -> lock.call(again -> again));
    context.check(
        lock.tryAcquire().isEmpty(),
        "expected a lock that is held to be refused, but it was granted");
    Holders.held(lease, "lost by a refusal");
    Future<Lease> next = context.start(lock::acquire);
    Holders.released(lease, "the first lease");
    Holders.released(
        context.get(next, RuleContext.SLACK), "a lease that another thread waited for");
    lock.run(free -> Holders.held(free, "in the body of run"));
    DistributedLock patient = lock.with(context.options());
    Lease held = patient.acquire();
    context.expect(LockTimeoutException.class, () -> patient.acquire(Duration.ofMillis(50)));
    Holders.released(held, "the lease of a thread that waited for itself");
  }

  @Rule(value = "VW-15", lookAt = "stages that are completed on the common pool")
  public void theCommonPoolOfTheJvmIsNotNeeded(RuleContext context) throws Exception {
    CountDownLatch end = new CountDownLatch(1);
    context.closing(end::countDown);
    occupyCommonPool(end);
    try {
      DistributedLock lock = context.client().lock(context.name(), context.options());
      for (int i = 0; i < 20; i++) {
        Lease lease = context.get(lock.acquireAsync(), RuleContext.SLACK);
        context.checkEquals(
            ReleaseOutcome.RELEASED,
            context.get(lease.releaseAsync(), RuleContext.SLACK),
            "the answer to the release");
      }
      Lease lease = context.get(lock.acquireAsync(), RuleContext.SLACK);
      Future<Lease> next =
          context.start(context.client().lock(context.name(), context.options())::acquire);
      context.letPass(context.ttl().plus(context.ttl().dividedBy(2)));
      Holders.held(lease, "not renewed while the common pool is busy");
      Holders.released(lease, "a lease that was renewed");
      Holders.released(
          context.get(next, context.freeAfterDeath().plus(RuleContext.SLACK)),
          "a lease that another client waited for");
    } finally {
      end.countDown();
    }
  }

  private static void occupyCommonPool(CountDownLatch end) throws InterruptedException {
    int threads = ForkJoinPool.getCommonPoolParallelism();
    CountDownLatch busy = new CountDownLatch(threads);
    for (int i = 0; i < threads; i++) {
      ForkJoinPool.commonPool()
          .execute(
              () -> {
                busy.countDown();
                awaitQuietly(end);
              });
    }
    // Those that have not started by then wait for others who keep the pool as busy.
    busy.await(1, TimeUnit.SECONDS);
  }

  private static void awaitQuietly(CountDownLatch end) {
    try {
      end.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
