/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.etcd;

import io.holdfast.lock.TimeSource;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/** The host's time, and as much more as the test has let pass. */
final class LaterTime implements TimeSource {

  private final TimeSource host = TimeSource.host();
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
    return host.schedule(delay, task);
  }

  @Override
  public void close() {
    host.close();
  }
}
