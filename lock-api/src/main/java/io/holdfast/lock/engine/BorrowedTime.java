/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.engine;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.TimeSource;
import java.time.Duration;

/** A clock that others use, too: closing this ends the tasks that were scheduled here only. */
public final class BorrowedTime implements TimeSource {

  private final TimeSource lender;
  private volatile boolean closed;

  private BorrowedTime(TimeSource lender) {
    this.lender = lender;
  }

  /**
   * The clock for one client or limiter.
   *
   * @param options with the clock to lend; without one, the host's is opened
   * @return to be closed with the client
   */
  public static TimeSource of(ClientOptions options) {
    return options.time().<TimeSource>map(BorrowedTime::new).orElseGet(TimeSource::host);
  }

  @Override
  public long nanos() {
    return lender.nanos();
  }

  @Override
  public Timer schedule(Duration delay, Runnable task) {
    return lender.schedule(
        delay,
        () -> {
          if (!closed) {
            task.run();
          }
        });
  }

  @Override
  public void close() {
    closed = true;
  }
}
