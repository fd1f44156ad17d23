/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.zookeeper;

import static io.holdfast.lock.zookeeper.ZooKeeperHarness.SOON;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockException;
import io.holdfast.lock.servers.Conditions;
import io.holdfast.lock.servers.Direction;
import io.holdfast.lock.servers.TcpProxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.Test;

/** Many clients, one lock, and links that break at random. */
class RandomLinkFaultsTest {

  private static final int CLIENTS = 4;
  private static final Duration LENGTH = Duration.ofSeconds(12);

  /** So long where a busy machine has granted the lock too seldom to show anything. */
  private static final Duration MOST = Duration.ofSeconds(60);

  private static final int ENOUGH = 20;

  private final AtomicReference<Lease> latest = new AtomicReference<>();
  private final AtomicInteger grants = new AtomicInteger();
  private final ConcurrentLinkedQueue<String> wrongs = new ConcurrentLinkedQueue<>();
  private volatile boolean over;

  @Test
  void noTwoLeasesAreValidAndTokensGrow() throws Exception {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    try (ZooKeeperHarness harness = new ZooKeeperHarness()) {
      List<TcpProxy> links = new ArrayList<>();
      List<CompletableFuture<Void>> workers = new ArrayList<>();
      for (int i = 0; i < CLIENTS; i++) {
        TcpProxy link = harness.proxy();
        LockClient client = harness.client(link);
        links.add(link);
        workers.add(CompletableFuture.runAsync(() -> work(client), task -> thread(task)));
      }
      long began = System.nanoTime();
      while (goesOn(System.nanoTime() - began)) {
        TcpProxy link = links.get(random.nextInt(CLIENTS));
        switch (random.nextInt(5)) {
          case 0 -> link.cut();
          case 1 -> link.loseNextReply();
          case 2 -> link.stall(Direction.TO_CLIENT);
          case 3 -> link.stall(Direction.TO_SERVER);
          default -> link.stall(Direction.TO_CLIENT, Direction.TO_SERVER);
        }
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(random.nextInt(1_500)));
        link.heal();
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(random.nextInt(300)));
      }
      over = true;
      CompletableFuture.allOf(workers.toArray(CompletableFuture[]::new)).get(60, TimeUnit.SECONDS);
      assertEquals(List.of(), List.copyOf(wrongs), "seed " + seed);
      assertTrue(grants.get() > ENOUGH, grants + " grants, seed " + seed);
      System.out.printf("Storm: %d grants without overlap%n", grants.get());
      ZooKeeper administrator = harness.administrator();
      Conditions.until(
          "nothing is left",
          SOON,
          () -> ZooKeeperHarness.contenders(administrator, "/holdfast").isEmpty());
    }
  }

  private boolean goesOn(long nanos) {
    return nanos < (grants.get() > ENOUGH ? LENGTH : MOST).toNanos();
  }

  private static void thread(Runnable task) {
    new Thread(task, "storm").start();
  }

  private void work(LockClient client) {
    while (!over) {
      try (Lease lease = client.lock("storm").acquire(Duration.ofSeconds(2))) {
        Lease before = latest.getAndSet(lease);
        // In this order: who was valid then, and is now, was valid all the time.
        if (before != null && before.isValid() && lease.isValid()) {
          wrongs.add("both valid: " + before + " and " + lease);
        }
        if (before != null && before.fencingToken() >= lease.fencingToken() && lease.isValid()) {
          wrongs.add("token did not grow: " + before + " and " + lease);
        }
        grants.incrementAndGet();
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(3));
      } catch (LockException e) {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }
  }
}
