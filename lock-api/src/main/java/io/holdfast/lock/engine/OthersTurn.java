/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.engine;

import io.holdfast.lock.TimeSource;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The moment that the waiters of a client leave to another one, which the server has told to ask
 * when this client released. Without it, the client that is nearer gets the lock again each time.
 *
 * <p>One that does not wait asks at once: it has no time to give away, and of several locks, all
 * have to be asked for together.
 */
final class OthersTurn {

  /** A message and an attempt take as long on a busy machine. */
  private static final Duration LENGTH = Duration.ofMillis(3);

  private final TimeSource time;
  private final Strand strand;
  private final Runnable over;

  /** Written on the strand. */
  private final AtomicInteger underWay = new AtomicInteger();

  private boolean due;
  private long ends;

  /**
   * Not due yet.
   *
   * @param over is done on the strand when a turn is over
   */
  OthersTurn(TimeSource time, Strand strand, Runnable over) {
    this.time = time;
    this.strand = strand;
    this.over = over;
  }

  /** On the strand: it begins when the tenure ends that is being given back. */
  void isDue() {
    due = true;
  }

  /**
   * On the strand: a tenure has ended.
   *
   * @return whether it begins
   */
  boolean beginIfDue() {
    if (!due) {
      return false;
    }
    due = false;
    underWay.incrementAndGet();
    ends = time.nanos() + LENGTH.toNanos();
    time.schedule(LENGTH, () -> strand.execute(this::endOne));
    return true;
  }

  private void endOne() {
    if (underWay.get() > 0) {
      underWay.decrementAndGet();
      over.run();
    }
  }

  /** On the strand: no waiter of this client is left that could ask. */
  void end() {
    while (underWay.get() > 0) {
      endOne();
    }
  }

  /** On the strand: for how many nanoseconds it lasts; none if it is over. */
  long left() {
    return underWay.get() == 0 ? 0 : ends - time.nanos();
  }

  /** From any thread: how many tenures have ended that it is still kept for. */
  int underWay() {
    return underWay.get();
  }
}
