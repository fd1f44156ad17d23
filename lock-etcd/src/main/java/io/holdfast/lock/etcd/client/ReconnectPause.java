/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.etcd.client;

import io.grpc.ConnectivityState;
import io.grpc.ManagedChannel;
import io.holdfast.lock.TimeSource;
import io.holdfast.lock.spi.support.DoublingPause;
import java.time.Duration;

/**
 * The pause before a channel may connect again. gRPC has one after a connection that could not be
 * made, but none after one that was made and then broke: the next request makes another. A server
 * that accepts connections and then ends them would be stormed.
 *
 * <p>There is no pause after a connection that lasted, nor after the first that did not.
 */
final class ReconnectPause {

  private static final Duration FIRST_PAUSE = Duration.ofMillis(20);

  /** Requests fail meanwhile, so this is short beside the TTLs that are used. */
  private static final Duration LONGEST_PAUSE = Duration.ofMillis(250);

  /** How long a connection has to last for the next one to be made at once. */
  private static final Duration LASTING = Duration.ofSeconds(1);

  private final ManagedChannel channel;
  private final TimeSource time;

  /** Used by one call of {@link #follow} after another. */
  private long madeAt;

  private Duration pause = Duration.ZERO;
  private volatile long notBefore;

  ReconnectPause(ManagedChannel channel, TimeSource time) {
    this.channel = channel;
    this.time = time;
    this.notBefore = time.nanos();
    follow(ConnectivityState.IDLE);
  }

  /** Whether there is no connection, and it is too early for a request to make one. */
  boolean isOn() {
    return time.nanos() - notBefore < 0 && channel.getState(false) != ConnectivityState.READY;
  }

  /** Looks at each change of the channel; gRPC tells of one change only for each call. */
  private void follow(ConnectivityState before) {
    ConnectivityState now = channel.getState(false);
    if (before != ConnectivityState.READY && now == ConnectivityState.READY) {
      madeAt = time.nanos();
    } else if (before == ConnectivityState.READY && now != ConnectivityState.READY) {
      broke();
    }
    channel.notifyWhenStateChanged(now, () -> follow(now));
  }

  private void broke() {
    long now = time.nanos();
    if (now - madeAt >= LASTING.toNanos()) {
      pause = Duration.ZERO;
    }
    notBefore = now + pause.toNanos();
    pause = pause.isZero() ? FIRST_PAUSE : DoublingPause.after(pause, LONGEST_PAUSE);
  }
}
