/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.etcd.lease;

import io.grpc.Deadline;
import io.holdfast.lock.TimeSource;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The leases of one length that no lock is held on: a small stock, and those of waiters. Both are
 * kept fresh, many with one request, so that a new holder has the full TTL before it.
 *
 * <p>The stock grows with what is given back, and shrinks by half of what nobody needed at each
 * tick, down to one; a minute after its last use it is empty.
 */
final class LeasePool {

  private static final Duration SHORTEST_TICK = Duration.ofMillis(250);
  private static final int TICK_PART = 20;
  private static final int MOST = 64;
  private static final long IDLE_NANOS = Duration.ofMinutes(1).toNanos();

  private final Leases leases;
  private final TimeSource time;
  private final long seconds;
  private final Duration tick;
  private final ReentrantLock lock = new ReentrantLock();
  private final Deque<ServerLease> stock = new ArrayDeque<>();
  private final Set<ServerLease> waiting = new HashSet<>();
  private final Set<ServerLease> returning = new HashSet<>();
  private CompletableFuture<Void> order = CompletableFuture.completedFuture(null);
  private boolean closed;
  private boolean ticking;
  private int unneeded;
  private long usedAt;

  LeasePool(Leases leases, TimeSource time, long seconds) {
    this.leases = leases;
    this.time = time;
    this.seconds = seconds;
    Duration part = Duration.ofSeconds(seconds).dividedBy(TICK_PART);
    this.tick = part.compareTo(SHORTEST_TICK) > 0 ? part : SHORTEST_TICK;
  }

  /** The newest first. Stale leases are forgotten; etcd will end them. */
  CompletableFuture<ServerLease> take(Duration ttl, Deadline deadline) {
    ServerLease taken = null;
    long now = time.nanos();
    lock.lock();
    try {
      usedAt = now;
      while (taken == null && !stock.isEmpty()) {
        ServerLease newest = stock.pop();
        if (newest.leftAt(now).compareTo(ttl) >= 0 && leases.isOfThisTerm(newest)) {
          taken = newest;
        }
      }
      unneeded = Math.min(unneeded, stock.size());
    } finally {
      lock.unlock();
    }
    order();
    return taken != null
        ? CompletableFuture.completedFuture(taken)
        : leases.grant(seconds, deadline);
  }

  /** Has one in stock for the next. */
  private void order() {
    lock.lock();
    try {
      if (!order.isDone() || !stock.isEmpty() || closed) {
        return;
      }
      order =
          leases
              .grant(seconds, leases.link().deadline())
              .thenCompose(this::put)
              .exceptionally(failure -> null);
    } finally {
      lock.unlock();
    }
  }

  void giveBack(ServerLease lease) {
    Duration slack = lease.leftAt(time.nanos()).minusSeconds(seconds).plus(tick);
    if (!slack.isNegative()) {
      put(lease);
      return;
    }
    lock.lock();
    try {
      returning.add(lease);
    } finally {
      lock.unlock();
    }
    leases
        .prolong(lease, leases.link().deadline())
        .whenComplete(
            (state, failure) -> {
              if (!wasReturning(lease) || failure != null) {
                return;
              }
              switch (state) {
                case PROVEN -> put(lease);
                case OF_AN_EARLIER_TERM -> leases.drop(lease);
                case ENDED -> {}
              }
            });
  }

  private boolean wasReturning(ServerLease lease) {
    lock.lock();
    try {
      return returning.remove(lease);
    } finally {
      lock.unlock();
    }
  }

  private CompletableFuture<Void> put(ServerLease lease) {
    boolean kept;
    lock.lock();
    try {
      kept = !closed && stock.size() < MOST;
      if (kept) {
        stock.push(lease);
      }
    } finally {
      lock.unlock();
    }
    if (!kept) {
      return leases.drop(lease);
    }
    tick();
    return CompletableFuture.completedFuture(null);
  }

  /** A waiter's. */
  void keepFresh(ServerLease lease) {
    lock.lock();
    try {
      waiting.add(lease);
    } finally {
      lock.unlock();
    }
    tick();
  }

  void leaveAlone(ServerLease lease) {
    lock.lock();
    try {
      waiting.remove(lease);
    } finally {
      lock.unlock();
    }
  }

  /** Sees to it that a tick is on its way. */
  private void tick() {
    lock.lock();
    try {
      if (ticking) {
        return;
      }
      ticking = true;
    } finally {
      lock.unlock();
    }
    time.schedule(tick, this::refresh);
  }

  private void refresh() {
    List<ServerLease> fresh;
    List<ServerLease> surplus = new ArrayList<>();
    lock.lock();
    try {
      ticking = false;
      boolean idle = time.nanos() - usedAt > IDLE_NANOS;
      for (int i = idle ? stock.size() : unneeded / 2; i > 0; i--) {
        surplus.add(stock.removeLast());
      }
      unneeded = stock.size();
      fresh = new ArrayList<>(stock);
      fresh.addAll(waiting);
    } finally {
      lock.unlock();
    }
    surplus.forEach(leases::drop);
    if (fresh.isEmpty()) {
      return;
    }
    tick();
    leases
        .prolong(fresh, leases.link().deadline())
        .forEach((lease, answer) -> answer.thenAccept(state -> judge(lease, state)));
  }

  /** A waiter's lease of an earlier term keeps its place; it is replaced when its turn comes. */
  private void judge(ServerLease lease, RenewalProof.State state) {
    if (state == RenewalProof.State.PROVEN) {
      return;
    }
    boolean wasInStock;
    lock.lock();
    try {
      wasInStock = stock.remove(lease);
      unneeded = Math.min(unneeded, stock.size());
    } finally {
      lock.unlock();
    }
    if (wasInStock && state == RenewalProof.State.OF_AN_EARLIER_TERM) {
      leases.drop(lease);
    }
  }

  /** Revokes all that is no claim's, what is still to be granted included. */
  CompletableFuture<Void> close() {
    List<ServerLease> all;
    CompletableFuture<Void> last;
    lock.lock();
    try {
      closed = true;
      all = new ArrayList<>(stock);
      all.addAll(returning);
      stock.clear();
      returning.clear();
      waiting.clear();
      last = order;
    } finally {
      lock.unlock();
    }
    for (ServerLease lease : all) {
      last = last.thenCombine(leases.drop(lease), (before, dropped) -> null);
    }
    return last;
  }
}
