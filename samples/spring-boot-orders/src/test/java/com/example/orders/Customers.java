/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package com.example.orders;

import com.example.orders.Shop.Instance;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * Order one thing after another, and send each order until an instance has taken it: again to the
 * next one, if there is no answer, or one that is not 200.
 */
final class Customers implements AutoCloseable {

  private static final Duration PATIENCE = Duration.ofSeconds(4);

  private final Supplier<List<Instance>> instances;
  private final Map<UUID, String> taken = new ConcurrentHashMap<>();
  private final List<Thread> threads = new ArrayList<>();
  private volatile boolean finished;

  Customers(Supplier<List<Instance>> instances, String... items) {
    this.instances = instances;
    for (int i = 0; i < 6; i++) {
      String item = items[i % items.length];
      int first = i;
      Thread thread = new Thread(() -> order(item, first), "customer-" + i);
      threads.add(thread);
      thread.start();
    }
  }

  private void order(String item, int first) {
    int turn = first;
    while (!finished) {
      UUID id = UUID.randomUUID();
      while (!isTaken(id, item, turn++)) {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
      }
      taken.put(id, item);
    }
  }

  private boolean isTaken(UUID id, String item, int turn) {
    List<Instance> now = instances.get();
    try {
      HttpResponse<String> answer =
          Web.order(now.get(turn % now.size()), id, item, PATIENCE).join();
      return answer.statusCode() == 200;
    } catch (CompletionException e) {
      return false;
    }
  }

  /** The orders that were answered with 200, and their items. */
  Map<UUID, String> taken() {
    return Map.copyOf(taken);
  }

  /** Returns when the last order has been taken. */
  void finish() throws InterruptedException {
    finished = true;
    for (Thread thread : threads) {
      thread.join(TimeUnit.MINUTES.toMillis(2));
      if (thread.isAlive()) {
        throw new AssertionError(thread.getName() + " still waits for its order");
      }
    }
  }

  @Override
  public void close() {
    finished = true;
  }
}
