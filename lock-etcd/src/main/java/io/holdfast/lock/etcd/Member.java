/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.etcd;

import io.grpc.Channel;
import io.grpc.ManagedChannel;
import org.jspecify.annotations.Nullable;

/** One member of the cluster, or whatever a borrowed channel leads to. */
final class Member {

  final Channel channel;

  /** Null for a borrowed channel, which is left as it is. */
  private final @Nullable ManagedChannel own;

  private volatile long answeredAt = System.nanoTime();

  private Member(Channel channel, @Nullable ManagedChannel own) {
    this.channel = channel;
    this.own = own;
  }

  static Member own(ManagedChannel channel) {
    return new Member(channel, channel);
  }

  static Member borrowed(Channel channel) {
    return new Member(channel, null);
  }

  void answered() {
    answeredAt = System.nanoTime();
  }

  /** Has the next request find a new connection, or try to make one at once. */
  void failed(long sentAt, boolean silent) {
    if (own == null) {
      return;
    }
    if (silent && answeredAt - sentAt < 0) {
      own.enterIdle();
    }
    own.resetConnectBackoff();
  }

  void close() {
    if (own != null) {
      own.shutdownNow();
    }
  }
}
