/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.micrometer;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.Retry;
import io.holdfast.lock.memory.ManualTime;
import io.holdfast.lock.memory.MemoryServer;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.search.RequiredSearch;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A server on a clock driven by hand; events are told on the thread that drives it. */
final class MeterHarness implements AutoCloseable {

  final ManualTime time = new ManualTime();
  final MemoryServer server = new MemoryServer(time);
  final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final List<LockClient> clients = new ArrayList<>();

  LockClient client() {
    LockClient client =
        server.open(
            ClientOptions.defaults()
                .withCallbackExecutor(Runnable::run)
                .withLockOptions(
                    LockOptions.defaults()
                        .withTtl(Duration.ofSeconds(10))
                        .withRetry(Retry.defaults().withJitter(0))));
    clients.add(client);
    return client;
  }

  static Lease granted(CompletableFuture<Lease> future) {
    if (!future.isDone()) {
      throw new AssertionError("not granted yet");
    }
    return future.join();
  }

  void seconds(double seconds) {
    time.advance(Duration.ofNanos((long) (seconds * 1e9)));
  }

  /** With these tags, of one meter. */
  RequiredSearch find(String name, String... tags) {
    return registry.get(name).tags(tags);
  }

  double count(String name, String... tags) {
    return find(name, tags).counters().stream().mapToDouble(Counter::count).sum();
  }

  double gauge(String name, String... tags) {
    return find(name, tags).gauges().stream().mapToDouble(Gauge::value).sum();
  }

  Timer timer(String name, String... tags) {
    return find(name, tags).timer();
  }

  static double seconds(Timer timer) {
    return timer.totalTime(TimeUnit.SECONDS);
  }

  @Override
  public void close() {
    clients.forEach(LockClient::close);
  }
}
