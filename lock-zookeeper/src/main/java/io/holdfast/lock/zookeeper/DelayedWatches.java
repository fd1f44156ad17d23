/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.zookeeper;

import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Has claims watch their nodes a little later, if they still hold their locks then: most locks are
 * given back before, and a watch costs one more request, and a message when the node goes.
 */
final class DelayedWatches {

  private final ZooKeeperSession session;
  private final Queue<ZooKeeperClaim> claims = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean scheduled = new AtomicBoolean();
  private final Executor soon =
      CompletableFuture.delayedExecutor(100, TimeUnit.MILLISECONDS, Runnable::run);

  DelayedWatches(ZooKeeperSession session) {
    this.session = session;
  }

  void add(ZooKeeperClaim claim) {
    claims.add(claim);
    if (scheduled.compareAndSet(false, true)) {
      soon.execute(this::watchAll);
    }
  }

  private void watchAll() {
    scheduled.set(false);
    ZooKeeperClaim claim;
    while ((claim = claims.poll()) != null) {
      claim.watch(session);
    }
  }
}
