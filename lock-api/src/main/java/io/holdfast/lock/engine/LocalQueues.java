/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.engine;

import io.holdfast.lock.ClientStatus.LockStatus;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The queues of a client by the names of their locks. There is one for as long as an acquisition or
 * a tenure needs it. For any number of threads.
 */
final class LocalQueues {

  private final EngineClient client;
  private final ConcurrentHashMap<String, LocalQueue> queues = new ConcurrentHashMap<>();

  LocalQueues(EngineClient client) {
    this.client = client;
  }

  /** The queue of a name, for one more acquisition. */
  LocalQueue enter(String name) {
    return queues.compute(
        name,
        (key, present) -> {
          if (present == null) {
            return new LocalQueue(client, name);
          }
          present.users++;
          return present;
        });
  }

  /** One acquisition or tenure less needs the queue. */
  void leave(LocalQueue queue) {
    queues.computeIfPresent(queue.lockName, (key, used) -> --used.users == 0 ? null : used);
  }

  boolean isEmpty() {
    return queues.isEmpty();
  }

  /** The leases of a lock that this thread has asked for itself, and holds. */
  List<LeaseLife> heldBy(Thread thread, String name) {
    LocalQueue queue = queues.get(name);
    return queue == null ? List.of() : queue.heldBy(thread);
  }

  /** Of the locks whose names begin so, and that are held or waited for. */
  List<LockStatus> status(String prefix) {
    return queues.values().stream()
        .filter(queue -> queue.lockName.startsWith(prefix))
        .map(LocalQueue::status)
        .filter(lock -> lock.waiters() > 0 || lock.validity().isPresent())
        .toList();
  }

  void close() {
    queues.values().forEach(LocalQueue::close);
  }
}
