/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.bench.migration;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.LockSupport;

/**
 * Releases of one application that run at the same time: the old one, the one that holds both
 * locks, and the one that holds ours only.
 */
final class SideBySide implements AutoCloseable {

  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final Duration MOMENT = Duration.ofMillis(250);
  private static final int THREADS = 3;
  private static final int TIMES = 20;

  private final ExecutorService threads = Executors.newCachedThreadPool();

  /** One release: how it runs something under the lock. */
  interface Release {

    void run(Body body) throws Exception;

    static Release of(Lock lock) {
      return body -> {
        lock.lock();
        try {
          body.run();
        } finally {
          lock.unlock();
        }
      };
    }
  }

  /** The work under the lock. */
  interface Body {
    void run() throws Exception;
  }

  /** Why the release in between is needed, and that it is enough. */
  void assertMigrates(Release old, Release both, Release ours) throws Exception {
    assertOverlap(old, ours);
    assertOverlap(ours, old);
    assertExclude(old, both);
    assertExclude(both, old);
    assertExclude(both, ours);
    assertExclude(ours, both);
    assertCounts(List.of(old, both));
    assertCounts(List.of(both, ours));
  }

  /** Each is held while the other is. */
  void assertOverlap(Release first, Release second) throws Exception {
    Held held = new Held(first);
    get(inThread(second, () -> {}));
    held.end();
  }

  /** The second waits until the first is given back. */
  void assertExclude(Release first, Release second) throws Exception {
    Held held = new Held(first);
    Future<?> waiter = inThread(second, () -> {});
    assertTrue(isWaiting(waiter), "both were held at a time");
    held.end();
    get(waiter);
  }

  private static boolean isWaiting(Future<?> waiter) throws Exception {
    try {
      waiter.get(MOMENT.toMillis(), TimeUnit.MILLISECONDS);
      return false;
    } catch (TimeoutException e) {
      return true;
    }
  }

  /** Threads of several releases add to a plain number, and no addition is lost. */
  void assertCounts(List<Release> releases) throws Exception {
    int[] count = {0};
    List<Future<?>> all = new ArrayList<>();
    for (Release release : releases) {
      for (int thread = 0; thread < THREADS; thread++) {
        all.add(
            threads.submit(
                (Callable<Boolean>)
                    () -> {
                      for (int i = 0; i < TIMES; i++) {
                        release.run(
                            () -> {
                              int before = count[0];
                              LockSupport.parkNanos(1);
                              count[0] = before + 1;
                            });
                      }
                      return true;
                    }));
      }
    }
    for (Future<?> each : all) {
      get(each);
    }
    assertEquals(releases.size() * THREADS * TIMES, count[0]);
  }

  private Future<?> inThread(Release release, Body body) {
    return threads.submit(
        (Callable<Boolean>)
            () -> {
              release.run(body);
              return true;
            });
  }

  private static void get(Future<?> future) throws Exception {
    future.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }

  /** Something that is held until it is ended. */
  private final class Held {

    private final CountDownLatch ending = new CountDownLatch(1);
    private final Future<?> holder;

    Held(Release release) throws Exception {
      CountDownLatch begun = new CountDownLatch(1);
      holder =
          inThread(
              release,
              () -> {
                begun.countDown();
                ending.await();
              });
      assertTrue(begun.await(PATIENCE.toSeconds(), TimeUnit.SECONDS));
    }

    void end() throws Exception {
      ending.countDown();
      get(holder);
    }
  }
}
