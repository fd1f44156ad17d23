/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class StrandTest {

  private final Strand strand = new Strand();

  @Test
  void aSubmitterIsNotKeptForAsLongAsOthersHaveTasks() throws InterruptedException {
    CountDownLatch enough = new CountDownLatch(1);
    CountDownLatch ended = new CountDownLatch(1);
    Runnable endless =
        new Runnable() {
          @Override
          public void run() {
            if (enough.getCount() > 0) {
              strand.execute(this);
            } else {
              ended.countDown();
            }
          }
        };
    strand.execute(endless);
    enough.countDown();
    assertTrue(ended.await(30, TimeUnit.SECONDS));
  }

  /** Often, as a thread has to be suspended between two steps of a submission for it to matter. */
  @RepeatedTest(40)
  void tasksOfManyThreadsRunOneAtATimeInEachOnesOrder() throws InterruptedException {
    int threads = 4;
    int each = 20_000;
    AtomicInteger inside = new AtomicInteger();
    AtomicBoolean disorder = new AtomicBoolean();
    CountDownLatch done = new CountDownLatch(threads * each);
    int[] last = new int[threads];
    List<Thread> all = new ArrayList<>();
    for (int t = 0; t < threads; t++) {
      int me = t;
      all.add(
          new Thread(
              () -> {
                for (int i = 1; i <= each; i++) {
                  int number = i;
                  strand.execute(
                      () -> {
                        if (inside.incrementAndGet() != 1 || last[me] != number - 1) {
                          disorder.set(true);
                        }
                        last[me] = number;
                        inside.decrementAndGet();
                        done.countDown();
                      });
                }
              }));
    }
    all.forEach(Thread::start);
    assertTrue(done.await(45, TimeUnit.SECONDS));
    assertEquals(false, disorder.get());
  }
}
