/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.engine;

import io.holdfast.lock.Retry;
import io.holdfast.lock.spi.support.DoublingPause;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;

/** The pauses of one waiter: exponential, with jitter. For one strand. */
final class Backoff {

  private static final Duration LEAST = Duration.ofMillis(1);
  private static final double HINT_JITTER_NANOS = 5e6;

  private final Retry retry;
  private Duration next;

  Backoff(Retry retry) {
    this.retry = retry;
    this.next = retry.initial();
  }

  /**
   * The next pause.
   *
   * @param askAgainIn when the server expects the lock to be free without a message; a shorter
   *     pause than the backoff's, if it is sooner, with a little jitter so that processes do not
   *     come as one
   */
  Duration pause(Optional<Duration> askAgainIn) {
    double share = 1.0 - retry.jitter() * ThreadLocalRandom.current().nextDouble();
    Duration pause = Duration.ofNanos((long) (next.toNanos() * share));
    next = DoublingPause.after(next, retry.max());
    if (askAgainIn.isPresent() && askAgainIn.get().compareTo(pause) < 0) {
      double jitter = retry.jitter() * ThreadLocalRandom.current().nextDouble();
      pause = askAgainIn.get().plusNanos((long) (HINT_JITTER_NANOS * jitter));
    }
    return pause.compareTo(LEAST) < 0 ? LEAST : pause;
  }
}
