/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.engine;

import io.holdfast.lock.LossReason;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The leases of a tenure that are held beside its current one, as readers do. Changed on the
 * strand, read from any thread. One that was added before a loss is told of it here.
 */
final class SharedLeases {

  /** Made when a lease is shared, which those of locks never are. */
  private volatile @Nullable Set<LeaseLife> leases;

  void add(LeaseLife lease) {
    Set<LeaseLife> now = leases;
    if (now == null) {
      now = ConcurrentHashMap.newKeySet();
      leases = now;
    }
    now.add(lease);
  }

  void remove(LeaseLife lease) {
    Set<LeaseLife> now = leases;
    if (now != null) {
      now.remove(lease);
    }
  }

  Optional<LeaseLife> any() {
    Set<LeaseLife> now = leases;
    return now == null || now.isEmpty() ? Optional.empty() : Optional.of(now.iterator().next());
  }

  /** In no order. */
  List<LeaseLife> with(LeaseLife current) {
    Set<LeaseLife> now = leases;
    if (now == null || now.isEmpty()) {
      return List.of(current);
    }
    List<LeaseLife> all = new ArrayList<>(now);
    if (!now.contains(current)) {
      all.add(current);
    }
    return all;
  }

  void lose(LossReason reason) {
    Set<LeaseLife> now = leases;
    if (now != null) {
      now.forEach(lease -> lease.lose(reason));
    }
  }
}
