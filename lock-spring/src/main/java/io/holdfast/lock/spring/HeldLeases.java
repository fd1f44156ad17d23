/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.spring;

import io.holdfast.lock.DistributedLock;
import io.holdfast.lock.JavaLock;
import io.holdfast.lock.Lease;
import io.holdfast.lock.spring.RequestedShare.Views;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;

/**
 * The leases that blocking code of each thread holds through Spring. They are found by views of
 * {@code java.util.concurrent}, which are equal for one name of one client.
 */
final class HeldLeases {

  /** One that is found by a view; nobody's equal, as a thread may have several of one view. */
  private static final class Held {
    private final JavaLock view;
    private final Lease lease;

    Held(DistributedLock lock, Lease lease) {
      this.view = lock.asJavaLock();
      this.lease = lease;
    }
  }

  /** The newest last. */
  private final ThreadLocal<List<Held>> held = ThreadLocal.withInitial(CopyOnWriteArrayList::new);

  /**
   * The lease that this thread holds; also if it is lost, as nobody may take it again without a
   * word.
   */
  Optional<Lease> find(DistributedLock lock) {
    JavaLock view = lock.asJavaLock();
    return held.get().stream()
        .filter(one -> one.view.equals(view))
        .reduce((older, newer) -> newer)
        .map(one -> one.lease);
  }

  /**
   * This thread holds a lease from now on.
   *
   * @return ends that, on whatever thread: a transaction may be ended by another one
   */
  Runnable add(Views views, Lease lease) {
    List<Held> all = held.get();
    List<Held> added =
        Stream.concat(Stream.of(views.lock()), views.reads().stream())
            .map(lock -> new Held(lock, lease))
            .toList();
    all.addAll(added);
    return () -> {
      all.removeAll(added);
      if (held.get().isEmpty()) {
        held.remove();
      }
    };
  }

  /** All of this thread. */
  Collection<Lease> ofThisThread() {
    List<Held> all = held.get();
    if (all.isEmpty()) {
      held.remove();
      return List.of();
    }
    return all.stream().map(one -> one.lease).distinct().toList();
  }
}
