/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redis;

import io.holdfast.lock.DistributedLock;
import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockException;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.servers.Direction;
import io.holdfast.lock.servers.TcpProxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/** Many threads that ask in every way, give up in every way, on links that break in every way. */
final class Chaos {

  final Queue<String> wrongs = new ConcurrentLinkedQueue<>();
  final AtomicInteger grants = new AtomicInteger();
  private final Map<String, Set<Lease>> holding = new ConcurrentHashMap<>();
  private final Map<String, Long> tokens = new ConcurrentHashMap<>();
  private volatile boolean over;

  void run(List<LockClient> clients, List<TcpProxy> links, LockOptions options, Duration length)
      throws InterruptedException {
    List<Thread> workers = new ArrayList<>();
    for (int c = 0; c < clients.size(); c++) {
      for (int t = 0; t < 4; t++) {
        LockClient client = clients.get(c);
        Random random = new Random(c * 100L + t);
        Thread worker = new Thread(() -> work(client, options, random), "worker-" + c + "-" + t);
        worker.setDaemon(true);
        worker.start();
        workers.add(worker);
      }
    }
    Random random = new Random(7);
    long end = System.nanoTime() + length.toNanos();
    while (System.nanoTime() < end) {
      TcpProxy link = links.get(random.nextInt(links.size()));
      switch (random.nextInt(7)) {
        case 0 -> link.cut();
        case 1 -> link.stall(Direction.values());
        case 2 -> link.loseNextReply();
        case 3 -> link.delay(direction(random), Duration.ofMillis(150));
        case 4 -> link.refuse();
        default -> workers.get(random.nextInt(workers.size())).interrupt();
      }
      pause(random.nextInt(random.nextInt(10) == 0 ? 900 : 150));
      link.heal();
    }
    over = true;
    for (Thread worker : workers) {
      worker.join(20_000);
      if (worker.isAlive()) {
        wrongs.add("hangs: " + worker.getName() + " " + List.of(worker.getStackTrace()));
      }
    }
  }

  private void work(LockClient client, LockOptions options, Random random) {
    while (!over) {
      DistributedLock lock = client.lock("chaos" + random.nextInt(2), options);
      try {
        Thread.interrupted();
        ask(lock, random);
      } catch (InterruptedException | CancellationException e) {
        pause(1);
      } catch (LockException e) {
        pause(5);
      } catch (CompletionException e) {
        if (!(e.getCause() instanceof LockException)) {
          wrongs.add("not ours: " + e);
        }
      } catch (RuntimeException e) {
        wrongs.add("not ours: " + e);
      }
    }
  }

  private void ask(DistributedLock lock, Random random) throws InterruptedException {
    Duration limit = Duration.ofMillis(random.nextInt(400));
    switch (random.nextInt(6)) {
      case 0 -> lock.tryAcquire().ifPresent(lease -> hold(lease, random));
      case 1 -> lock.tryAcquire(limit).ifPresent(lease -> hold(lease, random));
      case 2 -> hold(lock.acquire(), random);
      case 3 -> {
        CompletableFuture<Lease> future = lock.acquireAsync();
        pause(random.nextInt(50));
        if (!future.cancel(false)) {
          hold(future.join(), random);
        }
      }
      case 4 -> {
        CompletableFuture<Optional<Lease>> future = lock.tryAcquireAsync(limit);
        future.orTimeout(random.nextInt(300) + 1, TimeUnit.MILLISECONDS);
        try {
          future.join().ifPresent(lease -> hold(lease, random));
        } catch (CompletionException e) {
          if (e.getCause() instanceof LockException failure) {
            throw failure;
          }
        }
      }
      default -> lock.run(lease -> check(lease, random));
    }
  }

  private void hold(Lease lease, Random random) {
    try {
      check(lease, random);
    } finally {
      lease.close();
    }
  }

  private void check(Lease lease, Random random) {
    grants.incrementAndGet();
    Set<Lease> all = holding.computeIfAbsent(lease.lockName(), n -> ConcurrentHashMap.newKeySet());
    all.add(lease);
    Long last = tokens.get(lease.lockName());
    if (lease.isValid() && last != null && last >= lease.fencingToken()) {
      wrongs.add("token " + lease + " after " + last);
    }
    tokens.merge(lease.lockName(), lease.fencingToken(), Math::max);
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(random.nextInt(30));
    boolean said = true;
    do {
      boolean valid = lease.isValid();
      if (valid && !said) {
        wrongs.add("valid again " + lease);
      }
      said = valid;
      for (Lease other : all) {
        // In this order: the other was valid while this one was, if this one still is.
        if (other != lease && lease.isValid() && other.isValid() && lease.isValid()) {
          wrongs.add("two owners " + lease + " " + other);
        }
      }
    } while (System.nanoTime() < end);
    all.remove(lease);
  }

  private static Direction direction(Random random) {
    List<Direction> all = List.of(Direction.values());
    return all.get(random.nextInt(all.size()));
  }

  private static void pause(int millis) {
    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(millis));
  }
}
