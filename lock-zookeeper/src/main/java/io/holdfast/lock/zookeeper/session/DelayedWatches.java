/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.zookeeper.session;

import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Has members watch their nodes a little later, if they still hold their locks then: most locks are
 * given back before, and a watch costs one more request, and a message when the node goes.
 */
final class DelayedWatches {

  private final ZooKeeperSession session;
  private final Queue<SessionMember> members = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean scheduled = new AtomicBoolean();
  private final Executor soon =
      CompletableFuture.delayedExecutor(100, TimeUnit.MILLISECONDS, Runnable::run);

  DelayedWatches(ZooKeeperSession session) {
    this.session = session;
  }

  void add(SessionMember member) {
    members.add(member);
    if (scheduled.compareAndSet(false, true)) {
      soon.execute(this::watchAll);
    }
  }

  private void watchAll() {
    scheduled.set(false);
    SessionMember member;
    while ((member = members.poll()) != null) {
      member.watch(session);
    }
  }
}
