/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.spring;

import io.holdfast.lock.DistributedLock;
import io.holdfast.lock.JavaLock;
import io.holdfast.lock.Lease;
import io.holdfast.lock.spring.AskedShare.Views;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * The leases that blocking code of each thread holds through Spring. They are found by views of
 * {@code java.util.concurrent}, which are equal for one name of one client.
 */
final class HeldLeases {

  private final ThreadLocal<Map<JavaLock, Lease>> held =
      ThreadLocal.withInitial(ConcurrentHashMap::new);

  /** What this thread holds; also if it is lost, as nobody may take it again without a word. */
  Optional<Lease> find(DistributedLock lock) {
    return Optional.ofNullable(held.get().get(lock.asJavaLock()));
  }

  /**
   * This thread holds a lease from now on.
   *
   * @return ends that, on whatever thread: a transaction may be ended by another one
   */
  Runnable add(Views views, Lease lease) {
    Map<JavaLock, Lease> leases = held.get();
    List<JavaLock> keys =
        Stream.concat(Stream.of(views.lock()), views.reads().stream())
            .map(DistributedLock::asJavaLock)
            .toList();
    keys.forEach(key -> leases.put(key, lease));
    return () -> {
      keys.forEach(key -> leases.remove(key, lease));
      if (held.get().isEmpty()) {
        held.remove();
      }
    };
  }

  /** All of this thread. */
  Collection<Lease> ofThisThread() {
    Map<JavaLock, Lease> leases = held.get();
    if (leases.isEmpty()) {
      held.remove();
      return List.of();
    }
    return List.copyOf(leases.values());
  }
}
