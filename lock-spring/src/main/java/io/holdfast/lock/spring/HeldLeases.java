/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.spring;

import io.holdfast.lock.DistributedLock;
import io.holdfast.lock.JavaLock;
import io.holdfast.lock.Lease;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The leases that blocking code of each thread holds through Spring. They are found by views of
 * {@code java.util.concurrent}, which are equal for one name of one client.
 */
final class HeldLeases {

  private final ThreadLocal<Map<JavaLock, Lease>> held = ThreadLocal.withInitial(HashMap::new);

  /** What this thread holds; also if it is lost, as nobody may take it again without a word. */
  Optional<Lease> find(DistributedLock lock) {
    return Optional.ofNullable(held.get().get(lock.asJavaLock()));
  }

  void add(DistributedLock lock, Lease lease) {
    held.get().put(lock.asJavaLock(), lease);
  }

  /** Does nothing if there is another lease by now. */
  void remove(DistributedLock lock, Lease lease) {
    Map<JavaLock, Lease> leases = held.get();
    leases.remove(lock.asJavaLock(), lease);
    if (leases.isEmpty()) {
      held.remove();
    }
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
