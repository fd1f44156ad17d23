/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.etcd.client;

import io.grpc.ConnectivityState;
import io.grpc.Deadline;
import io.grpc.ManagedChannel;
import io.holdfast.lock.TimeSource;
import io.holdfast.lock.spi.support.DoublingPause;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The pause before a channel may connect again. gRPC has none after a connection that was made and
 * then broke: the next request makes another. A server that accepts connections and then ends them
 * would be stormed. After a connection that could not be made, gRPC's own pauses are too long for
 * locks (up to two minutes); these replace them.
 *
 * <p>There is no pause after a connection that lasted, nor after the first that did not.
 */
final class ReconnectPause {

  private static final Duration FIRST_PAUSE = Duration.ofMillis(20);

  /** Requests wait meanwhile, so this is short compared with the TTLs that are used. */
  private static final Duration LONGEST_PAUSE = Duration.ofMillis(500);

  /** How long a connection has to last for the next one to be made at once. */
  private static final Duration LASTING = Duration.ofSeconds(1);

  private final ManagedChannel channel;
  private final TimeSource time;
  private final Set<Runnable> waiting = ConcurrentHashMap.newKeySet();
  private final ReentrantLock lock = new ReentrantLock();
  private Duration pause = Duration.ZERO;
  private long madeAt;
  private long notBefore;
  private volatile boolean closed;

  ReconnectPause(ManagedChannel channel, TimeSource time) {
    this.channel = channel;
    this.time = time;
    this.notBefore = time.nanos();
    follow(ConnectivityState.IDLE);
  }

  /** Whether there is no connection, and it is too early for a request to make one. */
  boolean isOn() {
    return left() > 0;
  }

  /** Runs this at once, or when the pause or the deadline is over. */
  void afterwards(Deadline deadline, Runnable request) {
    long left = left();
    if (left <= 0) {
      request.run();
      return;
    }
    waiting.add(request);
    long wait = Math.min(left, deadline.timeRemaining(TimeUnit.NANOSECONDS));
    time.schedule(Duration.ofNanos(wait), () -> go(request));
    if (closed) {
      go(request);
    }
  }

  private void go(Runnable request) {
    if (waiting.remove(request)) {
      request.run();
    }
  }

  /** Lets waiting requests go on, to be refused by a channel that is shut down. */
  void close() {
    closed = true;
    Set.copyOf(waiting).forEach(this::go);
  }

  /**
   * A channel that is connecting lets requests wait by itself, and one that failed refuses them.
   */
  private long left() {
    if (closed || channel.getState(false) != ConnectivityState.IDLE) {
      return 0;
    }
    lock.lock();
    try {
      return notBefore - time.nanos();
    } finally {
      lock.unlock();
    }
  }

  /** After a request that failed: has the channel connect now, unless it is too early. */
  void connectAgain() {
    if (channel.getState(false) != ConnectivityState.TRANSIENT_FAILURE) {
      return;
    }
    lock.lock();
    try {
      if (notBefore - time.nanos() > 0) {
        return;
      }
      lengthen();
    } finally {
      lock.unlock();
    }
    channel.resetConnectBackoff();
  }

  /** Looks at each change of the channel; gRPC tells of one change only for each call. */
  private void follow(ConnectivityState before) {
    ConnectivityState now = channel.getState(false);
    lock.lock();
    try {
      if (before != ConnectivityState.READY && now == ConnectivityState.READY) {
        madeAt = time.nanos();
      } else if (before == ConnectivityState.READY && now != ConnectivityState.READY) {
        if (time.nanos() - madeAt >= LASTING.toNanos()) {
          pause = Duration.ZERO;
        }
        lengthen();
      }
    } finally {
      lock.unlock();
    }
    channel.notifyWhenStateChanged(now, () -> follow(now));
  }

  private void lengthen() {
    notBefore = time.nanos() + pause.toNanos();
    pause = pause.isZero() ? FIRST_PAUSE : DoublingPause.after(pause, LONGEST_PAUSE);
  }
}
