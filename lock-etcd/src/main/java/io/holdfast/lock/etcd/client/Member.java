/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.etcd.client;

import io.grpc.Channel;
import io.grpc.ConnectivityState;
import io.grpc.Deadline;
import io.grpc.ManagedChannel;
import io.holdfast.lock.TimeSource;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** One member of the cluster, or whatever a borrowed channel leads to. */
public final class Member {

  private static final int ENOUGH_SILENCES = 2;

  final Channel channel;

  /** Null for a borrowed channel, which is left as it is. */
  private final @Nullable ManagedChannel own;

  /** Null for a borrowed channel: when that connects is up to its owner. */
  private final @Nullable ReconnectPause pause;

  /** Known to be without TLS; nothing is known of a borrowed channel. */
  public final boolean plain;

  private final AtomicInteger silences = new AtomicInteger();

  private Member(
      Channel channel,
      @Nullable ManagedChannel own,
      @Nullable ReconnectPause pause,
      boolean plain) {
    this.channel = channel;
    this.own = own;
    this.pause = pause;
    this.plain = plain;
  }

  public static Member own(ManagedChannel channel, boolean plain, TimeSource time) {
    return new Member(channel, channel, new ReconnectPause(channel, time), plain);
  }

  public static Member borrowed(Channel channel) {
    return new Member(channel, null, null, false);
  }

  /** Host and port. */
  public String where() {
    return String.valueOf(channel.authority());
  }

  /** Whether requests wait, as its connections broke soon after they were made. */
  boolean isPausing() {
    return pause != null && pause.isOn();
  }

  void answered() {
    silences.set(0);
  }

  /** Asks at once, or when the pause or the deadline is over. */
  void ask(Deadline deadline, Runnable request) {
    if (pause == null) {
      request.run();
    } else {
      pause.afterwards(deadline, request);
    }
  }

  /** Has a connection made for the next request, by our pauses and not by gRPC's. */
  void failed() {
    if (pause != null) {
      pause.connectAgain();
    }
  }

  /**
   * A request was not answered in time. When that happens again, the connection is given up; but
   * not one that is still being made, or a slow one would never be. In a pause nothing was asked.
   */
  void silent() {
    if (isPausing()) {
      return;
    }
    if (silences.incrementAndGet() >= ENOUGH_SILENCES
        && own != null
        && own.getState(false) == ConnectivityState.READY) {
      silences.set(0);
      own.enterIdle();
    }
  }

  void close() {
    if (own != null) {
      own.shutdownNow();
    }
    if (pause != null) {
      pause.close();
    }
  }
}
