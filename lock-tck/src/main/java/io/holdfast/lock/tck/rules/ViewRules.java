/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.rules;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.ClientStatus.LockStatus;
import io.holdfast.lock.DistributedLock;
import io.holdfast.lock.JavaLock;
import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockEvent;
import io.holdfast.lock.LockHolder;
import io.holdfast.lock.LockLostException;
import io.holdfast.lock.LockTimeoutException;
import io.holdfast.lock.Reentry;
import io.holdfast.lock.Renewal;
import io.holdfast.lock.spi.Capabilities;
import io.holdfast.lock.spi.TimeText;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.LockSupport;

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
              Holders.refused(
                  lease, other.tryAcquire(), "granted to another client while the body runs");
              return lease.lockName();
            });
    bench.checkEquals(bench.name(), answer, "what the body returned");
    Lease between = Holders.free(bench, other, Duration.ZERO, "after the first body");
    Holders.released(between, "who came between");
    lock.run(lease -> Holders.held(lease, "in the body of run"));
    Holders.free(bench, other, Duration.ZERO, "after the body");
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
    Holders.free(bench, lock, Duration.ZERO, "after a body that has thrown");
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
    bench.check(
        lock.tryLock(),
        "expected tryLock to be granted to the thread that holds the lock, but it was refused");
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
    Holders.free(bench, other, Duration.ZERO, "after the last unlock");
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
    LockClient client = bench.client();
    Lock lock = client.lock(bench.name(), bench.options()).asJavaLock();
    CompletableFuture<LockEvent> contended = Heard.next(client, LockEvent.Contended.class);
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
    bench.get(contended, Bench.SLACK);
    waiter.interrupt();
    bench.check(
        bench.get(interrupted, Bench.SLACK),
        "expected the thread to be interrupted still, but the flag is clear");
    held.release();
    lock.lock();
    Thread.currentThread().interrupt();
    bench.expect(
        InterruptedException.class,
        () -> {
          lock.lockInterruptibly();
          return "no exception";
        });
    lock.unlock();
    bench.awaitNothingLeft(Bench.SLACK);
  }

  @Rule("VW-7")
  public void lockWaitsThroughInterruptsAndKeepsThem(Bench bench) throws Exception {
    Lease held = bench.client().lock(bench.name(), bench.options()).acquire();
    LockClient client = bench.client();
    Lock lock = client.lock(bench.name(), bench.options()).asJavaLock();
    CompletableFuture<LockEvent> contended = Heard.next(client, LockEvent.Contended.class);
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
    bench.get(contended, Bench.SLACK);
    waiter.interrupt();
    bench.letPass(Duration.ofMillis(100));
    bench.check(!flag.isDone(), "returned without the lock");
    held.release();
    bench.check(bench.get(flag, Bench.SLACK), "the interrupt was swallowed");
  }

  @Rule("VW-8")
  public void theLimitOfTheJavaLockIsKept(Bench bench) throws InterruptedException {
    bench.closing(bench.client().lock(bench.name(), bench.options()).acquire());
    Lock lock = bench.client().lock(bench.name(), bench.options()).asJavaLock();
    long begun = System.nanoTime();
    // Time enough for a busy server to say that somebody has it.
    bench.check(!lock.tryLock(1, TimeUnit.SECONDS), "got a lock that is held");
    long waited = System.nanoTime() - begun;
    bench.check(
        waited >= 1_000_000_000L && waited < Bench.SLACK.toNanos(),
        "expected a wait of 1 s, but it took " + TimeText.of(Duration.ofNanos(waited)));
    bench.check(!lock.tryLock(-1, TimeUnit.SECONDS), "got a lock that is held");
    bench.check(!lock.tryLock(), "got a lock that is held");
  }

  @Rule("VW-9")
  public void theJavaLockTellsOfALoss(Bench bench) {
    Lock lock =
        bench.client().lock(bench.name(), bench.options().withRenewal(Renewal.none())).asJavaLock();
    lock.lock();
    bench.check(
        lock.tryLock(),
        "expected tryLock to be granted to the thread that holds the lock, but it was refused");
    bench.letPass(bench.ttl().plus(bench.ttl().dividedBy(2)));
    bench.expect(LockLostException.class, () -> lock.tryLock());
    bench.expect(
        LockLostException.class,
        () -> {
          lock.unlock();
          return "the nested unlock threw no exception";
        });
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
    bench.get(CompletableFuture.allOf(all), Duration.ofSeconds(30));
    bench.checkEquals(all.length, unguarded[0], "increments under the lock");
  }

  @Rule("VW-12")
  public void theJavaLockShowsWhatIsBehindIt(Bench bench) throws Exception {
    LockClient client = bench.client();
    JavaLock lock = client.lock(bench.name(), bench.options()).asJavaLock();
    JavaLock same = client.lock(bench.name(), bench.longTtl()).asJavaLock();
    bench.checkEquals(lock, same, "another view of the name");
    bench.checkEquals(lock.hashCode(), same.hashCode(), "the hash code of another view");
    bench.check(
        !lock.equals(client.lock(bench.name() + "-other").asJavaLock())
            && !lock.equals(bench.client().lock(bench.name()).asJavaLock()),
        "equal to the view of another lock");
    bench.checkEquals(0, lock.holdCount(), "holds before the first");
    lock.lock();
    same.lock();
    Lease lease = lock.lease().orElseThrow();
    Holders.held(lease, "the lease behind the view is not valid");
    bench.checkEquals(bench.name(), lease.lockName(), "the lease behind the view");
    bench.checkEquals(2, same.holdCount(), "holds");
    bench.check(
        lock.isHeldByCurrentThread(),
        "expected isHeldByCurrentThread to be true for the holder, but it is false");
    bench.check(
        lock.toString().contains(bench.name()),
        "expected the lock's name in its text, but it is " + lock);
    bench.check(
        lock.toString().contains(" held by "),
        "expected ' held by ' in the text of a lock that is held, but it is " + lock);
    bench.get(
        bench.start(
            () -> {
              bench.check(!lock.isHeldByCurrentThread(), "held by another thread");
              bench.check(lock.lease().isEmpty(), "another thread has the lease");
              bench.checkEquals(0, lock.holdCount(), "holds of another thread");
              return "";
            }),
        Bench.SLACK);
    lock.unlock();
    lock.unlock();
    bench.check(lock.lease().isEmpty(), "a lease after the last unlock");
    bench.check(!lock.isHeldByCurrentThread(), "held after the last unlock");
  }

  @Rule("VW-13")
  public void aPrefixIsAPartOfTheNames(Bench bench) throws InterruptedException {
    LockClient client = bench.client();
    LockClient part = client.within(bench.name());
    Queue<String> told = new ConcurrentLinkedQueue<>();
    part.addListener(event -> told.add(event.lockName()));
    Lease lease = part.lock("a", bench.options()).acquire();
    bench.checkEquals(bench.name() + ":a", lease.lockName(), "name");
    Lease outside = client.lock(bench.name() + "-a", bench.options()).acquire();
    Holders.refused(
        lease,
        bench.client().lock(bench.name() + ":a", bench.options()).tryAcquire(),
        "the name with its prefix is another lock");
    Holders.free(
        bench, part.within("b").lock("c", bench.options()), Duration.ZERO, "though nobody has it");
    if (bench.promises().inspection() != Capabilities.Inspection.NONE) {
      List<String> held =
          part.inspector().held(100).stream().map(LockHolder::lockName).sorted().toList();
      bench.checkEquals(
          List.of(bench.name() + ":a", bench.name() + ":b:c"), held, "what is listed");
      bench.check(part.inspector().holder("a").isPresent(), "nobody is told to hold it");
    }
    bench.checkEquals(
        List.of(bench.name() + ":a", bench.name() + ":b:c"),
        part.status().locks().stream().map(LockStatus::lockName).sorted().toList(),
        "the status");
    Holders.released(lease, "a lease of the view");
    Holders.released(outside, "a lease of the client");
    bench.await("an event", Bench.SLACK, () -> told.contains(bench.name() + ":a"));
    bench.check(!told.contains(bench.name() + "-a"), "told of another lock: " + told);
  }

  @Rule("VW-14")
  public void aThreadThatWouldWaitForItselfIsRefusedIfItWants(Bench bench) throws Exception {
    DistributedLock lock =
        bench.client().lock(bench.name(), bench.options().withReentry(Reentry.REFUSE));
    Lease lease = lock.acquire();
    IllegalStateException refused =
        bench.expect(IllegalStateException.class, () -> lock.acquire(Bench.SLACK));
    bench.check(Bench.message(refused).contains(bench.name()), "the lock is not named: " + refused);
    bench.expect(IllegalStateException.class, () -> lock.call(again -> again));
    bench.check(
        lock.tryAcquire().isEmpty(),
        "expected a lock that is held to be refused, but it was granted");
    Holders.held(lease, "lost by a refusal");
    Future<Lease> next = bench.start(lock::acquire);
    Holders.released(lease, "the first lease");
    Holders.released(bench.get(next, Bench.SLACK), "a lease that another thread waited for");
    lock.run(free -> Holders.held(free, "in the body of run"));
    DistributedLock patient = lock.with(bench.options());
    Lease held = patient.acquire();
    bench.expect(LockTimeoutException.class, () -> patient.acquire(Duration.ofMillis(50)));
    Holders.released(held, "the lease of a thread that waited for itself");
  }
}
