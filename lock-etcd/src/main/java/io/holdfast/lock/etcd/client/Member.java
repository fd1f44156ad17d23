/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.etcd.client;

import io.grpc.Channel;
import io.grpc.ConnectivityState;
import io.grpc.ManagedChannel;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** One member of the cluster, or whatever a borrowed channel leads to. */
public final class Member {

  private static final int ENOUGH_SILENCES = 2;

  final Channel channel;

  /** Null for a borrowed channel, which is left as it is. */
  private final @Nullable ManagedChannel own;

  /** Known to be without TLS; nothing is known of a borrowed channel. */
  public final boolean plain;

  private final AtomicInteger silences = new AtomicInteger();

  private Member(Channel channel, @Nullable ManagedChannel own, boolean plain) {
    this.channel = channel;
    this.own = own;
    this.plain = plain;
  }

  public static Member own(ManagedChannel channel, boolean plain) {
    return new Member(channel, channel, plain);
  }

  public static Member borrowed(Channel channel) {
    return new Member(channel, null, false);
  }

  /** Host and port. */
  public String where() {
    return String.valueOf(channel.authority());
  }

  void answered() {
    silences.set(0);
  }

  /** Has the next request make a connection at once, and not after gRPC's pause. */
  void failed() {
    if (own != null) {
      own.resetConnectBackoff();
    }
  }

  /**
   * A request was not answered in time. When that happens again, the connection is given up; but
   * not one that is still being made, or a slow one would never be.
   */
  void silent() {
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
  }
}
