/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redis.topology;

import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.TimeSource;
import java.time.Duration;
import java.util.Collections;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Knows which servers are the cluster: those that tell a node id that was known before. An address
 * proves nothing. When a server is gone, a member of another cluster may get its address; that one
 * has the same slots, and maybe newer epochs.
 *
 * <p>A cluster that is built anew has new ids only. It is taken for the former one when it answers
 * at an address that was configured, and no server of the former one has been there for {@link
 * #ABSENCE}. For any number of threads.
 */
final class ClusterMembership {

  /** Longer than most breaks of a network. */
  static final Duration ABSENCE = Duration.ofSeconds(30);

  private static final Logger LOG = LoggerFactory.getLogger(ClusterMembership.class);

  private final Set<String> seeds;
  private final BooleanSupplier isReached;
  private final TimeSource time;
  private final ReentrantLock lock = new ReentrantLock();

  /** Of the last map, and of all servers that were admitted since. Empty until there is a map. */
  private Set<String> ids = Set.of();

  /** When a server was refused while none of the cluster was reached; null if one was since. */
  private @Nullable Long absentSince;

  /** The addresses of servers that are refused, each told once. */
  private final Set<String> refused = new HashSet<>();

  /**
   * Knows no server yet, so the first are believed.
   *
   * @param seeds the addresses that were configured
   * @param isReached whether there is a connection to a server that was admitted
   * @param time the clock
   */
  ClusterMembership(Set<String> seeds, BooleanSupplier isReached, TimeSource time) {
    this.seeds = seeds;
    this.isReached = isReached;
    this.time = time;
  }

  /**
   * The map of the slots that is used from now on. A server that takes no requests may be cut off,
   * or have left, so what it does not tell is not forgotten.
   */
  void take(ClusterView map) {
    lock.lock();
    try {
      if (map.isWell() && !map.ids().isEmpty()) {
        ids = map.ids();
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * A server has answered.
   *
   * @param address where
   * @param view what it told
   * @throws LockUnavailableException if it must not be used
   */
  void admit(String address, ClusterView view) {
    lock.lock();
    try {
      if (ids.isEmpty()) {
        return;
      }
      Set<String> now = new HashSet<>(view.ids());
      if (!Collections.disjoint(ids, now)) {
        // All servers may be replaced, one after another, before a map is asked for.
        now.addAll(ids);
      } else if (replaces(address, view)) {
        LOG.warn(
            "No server of the Redis Cluster has answered for {} s; the one at {} is taken for it,"
                + " which knows none of them. Locks that were held before may be granted again",
            ABSENCE.toSeconds(),
            address);
      } else {
        throw refusal(address);
      }
      ids = now;
      absentSince = null;
      refused.remove(address);
    } finally {
      lock.unlock();
    }
  }

  private boolean replaces(String address, ClusterView view) {
    if (isReached.getAsBoolean()) {
      absentSince = null;
      return false;
    }
    long now = time.nanos();
    if (absentSince == null) {
      absentSince = now;
    }
    return now - absentSince >= ABSENCE.toNanos()
        && seeds.contains(address)
        && view.isWell()
        && !view.ids().isEmpty();
  }

  private LockUnavailableException refusal(String address) {
    LockUnavailableException stranger =
        new LockUnavailableException(
            "The server at "
                + address
                + " knows none of the servers of the Redis Cluster: it has left it, or belongs to"
                + " another one that has got the address");
    if (refused.add(address)) {
      LOG.warn("A server is refused. {}", stranger.getMessage());
    }
    return stranger;
  }
}
