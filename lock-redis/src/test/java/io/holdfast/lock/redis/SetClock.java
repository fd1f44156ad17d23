/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redis;

import io.holdfast.lock.TimeSource;
import java.time.Duration;

/** A clock that a test sets, for code that reads the time and schedules nothing. */
public final class SetClock implements TimeSource {

  private long now;

  /** At zero. */
  public SetClock() {}

  public void pass(Duration time) {
    now += time.toNanos();
  }

  @Override
  public long nanos() {
    return now;
  }

  @Override
  public Timer schedule(Duration delay, Runnable task) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void close() {}
}
