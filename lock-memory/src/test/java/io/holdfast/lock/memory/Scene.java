/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.memory;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.DistributedLock;
import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockEvent;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.Retry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** A server on a clock driven by hand, whose clients call back on the thread that drives it. */
final class Scene implements AutoCloseable {

  static final LockOptions TEN_SECONDS =
      LockOptions.defaults()
          .withTtl(Duration.ofSeconds(10))
          .withRetry(Retry.defaults().withJitter(0));

  final ManualTime time = new ManualTime();
  final MemoryServer server = new MemoryServer(time);
  final List<LockEvent> events = new ArrayList<>();
  private final List<LockClient> clients = new ArrayList<>();

  LockClient client() {
    LockClient client = server.open(ClientOptions.defaults().withCallbackExecutor(Runnable::run));
    client.addListener(events::add);
    clients.add(client);
    return client;
  }

  DistributedLock lock(String name) {
    return client().lock(name, TEN_SECONDS);
  }

  static Lease granted(CompletableFuture<Lease> future) {
    if (!future.isDone()) {
      throw new AssertionError("not granted yet");
    }
    return future.join();
  }

  long count(Class<? extends LockEvent> type) {
    return events.stream().filter(type::isInstance).count();
  }

  @Override
  public void close() {
    clients.forEach(LockClient::close);
  }
}
