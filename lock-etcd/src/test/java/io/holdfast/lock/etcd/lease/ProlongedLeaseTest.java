/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.etcd.lease;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.LeaseKeepAliveResponse;
import io.etcd.jetcd.api.RangeResponse;
import io.etcd.jetcd.api.ResponseHeader;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.ClientInterceptors;
import io.grpc.MethodDescriptor;
import io.holdfast.lock.etcd.client.EtcdConnection;
import io.holdfast.lock.etcd.client.FakeChannel;
import io.holdfast.lock.etcd.client.Member;
import io.holdfast.lock.etcd.client.SetTime;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Since when a lease counts that is kept alive. */
class ProlongedLeaseTest {

  private static final Duration TTL = Duration.ofSeconds(60);
  private static final Duration SLOW = Duration.ofSeconds(7);

  private final SetTime time = new SetTime();
  private final FakeChannel channel = FakeChannel.answering();

  /** As a process does that is suspended just then. */
  private final ClientInterceptor standsStill =
      new ClientInterceptor() {
        @Override
        public <Q, A> ClientCall<Q, A> interceptCall(
            MethodDescriptor<Q, A> method, CallOptions options, Channel next) {
          time.now += SLOW.toNanos();
          return next.newCall(method, options);
        }
      };

  private final EtcdConnection link =
      new EtcdConnection(
          List.of(Member.borrowed(ClientInterceptors.intercept(channel, standsStill))),
          Optional.empty(),
          TTL);
  private final Leases leases = new Leases(link, ByteString.copyFromUtf8("/holdfast/lock/"), time);

  /** Its holder would believe in it for longer than etcd keeps it. */
  @Test
  void itCountsFromBeforeTheRequestIsSent() {
    ServerLease lease = new ServerLease(7, TTL.toSeconds(), TTL, 3, 0);
    time.now = Duration.ofSeconds(30).toNanos();
    long asked = time.now;
    CompletableFuture<RenewalProof.State> proven = leases.prolong(lease, link.deadline());
    ResponseHeader header = ResponseHeader.newBuilder().setRaftTerm(3).build();
    channel
        .lastCall()
        .answer(
            LeaseKeepAliveResponse.newBuilder()
                .setHeader(header)
                .setID(lease.id)
                .setTTL(TTL.toSeconds())
                .build());
    channel.lastCall().answer(RangeResponse.newBuilder().setHeader(header).build());
    assertEquals(RenewalProof.State.PROVEN, proven.getNow(RenewalProof.State.ENDED));
    assertEquals(TTL, lease.leftAt(asked));
  }
}
