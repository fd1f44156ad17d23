/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.rules;

import io.holdfast.lock.DistributedLock;
import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockEvent;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

/** The events that a client tells its listeners from now on. */
final class RecordedEvents {

  private RecordedEvents() {}

  /** The next event of a type. */
  static CompletableFuture<LockEvent> next(LockClient client, Class<? extends LockEvent> type) {
    CompletableFuture<LockEvent> heard = new CompletableFuture<>();
    client.addListener(
        event -> {
          if (type.isInstance(event)) {
            heard.complete(event);
          }
        });
    return heard;
  }

  /** Asks for a lock that another client has; returns when the server has said so. */
  static CompletableFuture<Lease> contended(
      RuleContext context, LockClient client, DistributedLock lock) {
    CompletableFuture<LockEvent> refused = next(client, LockEvent.Contended.class);
    CompletableFuture<Lease> waiting = lock.acquireAsync();
    context.get(refused, RuleContext.SLACK);
    return waiting;
  }

  /** How many events of a type there have been so far. */
  static AtomicInteger count(LockClient client, Class<? extends LockEvent> type) {
    AtomicInteger heard = new AtomicInteger();
    client.addListener(
        event -> {
          if (type.isInstance(event)) {
            heard.incrementAndGet();
          }
        });
    return heard;
  }
}
