/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redlock;

import io.holdfast.lock.LossReason;
import io.holdfast.lock.redis.node.RedisNode;
import io.holdfast.lock.spi.ClaimSignals;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Listens at all nodes, and wakes its waiter when so many have told of a release, or were free when
 * asked last, that a quorum may be free. A message of each node would wake it once for each.
 */
final class QuorumNotifications {

  private final List<RedisNode> nodes;
  private final int quorum;
  private final String key;
  private final String owner;
  private final ClaimSignals signals;
  private final List<ClaimSignals> waiters = new ArrayList<>();
  private final ReentrantLock lock = new ReentrantLock();
  private final Set<Integer> free = new HashSet<>();
  private final Set<Integer> listening = new HashSet<>();

  QuorumNotifications(
      List<RedisNode> nodes, int quorum, String key, String owner, ClaimSignals signals) {
    this.nodes = nodes;
    this.quorum = quorum;
    this.key = key;
    this.owner = owner;
    this.signals = signals;
    for (int i = 0; i < nodes.size(); i++) {
      int node = i;
      waiters.add(
          new ClaimSignals() {
            @Override
            public void wake() {
              told(node);
            }

            @Override
            public void lost(LossReason reason) {
              // A node's messages are about releases only.
            }
          });
    }
  }

  /**
   * An attempt begins: what was heard before is taken note of. Listens where that costs nothing.
   */
  void open() {
    lock.lock();
    try {
      free.clear();
      for (int i = 0; i < nodes.size(); i++) {
        if (!listening.contains(i) && nodes.get(i).wakeups().join(key, owner, waiters.get(i))) {
          listening.add(i);
        }
      }
    } finally {
      lock.unlock();
    }
  }

  /** The attempt has failed. Notifications during it count, too: they may not be told again. */
  void listen(Collection<Integer> freeNodes) {
    boolean enough;
    lock.lock();
    try {
      free.addAll(freeNodes);
      for (int i = 0; i < nodes.size(); i++) {
        if (listening.add(i)) {
          nodes.get(i).wakeups().add(key, owner, waiters.get(i));
        }
      }
      enough = isEnough();
    } finally {
      lock.unlock();
    }
    if (enough) {
      signals.wake();
    }
  }

  void stop() {
    lock.lock();
    try {
      listening.forEach(i -> nodes.get(i).wakeups().remove(key, owner));
      listening.clear();
    } finally {
      lock.unlock();
    }
  }

  /** A node has told of a release. */
  void told(int node) {
    boolean enough;
    lock.lock();
    try {
      enough = free.add(node) && isEnough();
    } finally {
      lock.unlock();
    }
    if (enough) {
      signals.wake();
    }
  }

  /** Whether to wake the waiter; counts anew if so. */
  private boolean isEnough() {
    boolean enough = free.size() >= quorum;
    if (enough) {
      free.clear();
    }
    return enough;
  }
}
