/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.etcd;

import io.holdfast.lock.TimeSource;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;

/** The host's time, and as much more as the test has let pass. */
final class LaterTime implements TimeSource {

  private final TimeSource host = TimeSource.host();
  private final List<Duration> waiting = new CopyOnWriteArrayList<>();
  private final AtomicLong more = new AtomicLong();

  void pass(Duration time) {
    more.addAndGet(time.toNanos());
  }

  @Override
  public long nanos() {
    return host.nanos() + more.get();
  }

  @Override
  public Timer schedule(Duration delay, Runnable task) {
    waiting.add(delay);
    Timer timer =
        host.schedule(
            delay,
            () -> {
              waiting.remove(delay);
              task.run();
            });
    return () -> {
      waiting.remove(delay);
      timer.cancel();
    };
  }

  /** Whether a task that was put off for so long is still to be run. */
  boolean isWaitingFor(Duration delay) {
    return waiting.contains(delay);
  }

  @Override
  public void close() {
    host.close();
  }
}
