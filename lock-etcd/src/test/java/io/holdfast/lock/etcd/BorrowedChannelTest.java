/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.etcd;

import static io.holdfast.lock.etcd.EtcdHarness.NO_POLLS;
import static io.holdfast.lock.etcd.EtcdHarness.until;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.ForwardingClientCall;
import io.grpc.ForwardingClientCallListener;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.LockOptions;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A channel of the application's, which goes on when our client ends. */
class BorrowedChannelTest {

  /** Counts the streams that are open. */
  private static final class OpenStreams implements ClientInterceptor {

    final AtomicInteger open = new AtomicInteger();

    @Override
    public <Q, A> ClientCall<Q, A> interceptCall(
        MethodDescriptor<Q, A> method, CallOptions options, Channel next) {
      ClientCall<Q, A> call = next.newCall(method, options);
      if (method.getType() != MethodDescriptor.MethodType.BIDI_STREAMING) {
        return call;
      }
      open.incrementAndGet();
      return new ForwardingClientCall.SimpleForwardingClientCall<>(call) {
        @Override
        public void start(Listener<A> listener, Metadata headers) {
          super.start(
              new ForwardingClientCallListener.SimpleForwardingClientCallListener<>(listener) {
                @Override
                public void onClose(Status status, Metadata trailers) {
                  open.decrementAndGet();
                  super.onClose(status, trailers);
                }
              },
              headers);
        }
      };
    }
  }

  private final EtcdHarness scene = new EtcdHarness();
  private final OpenStreams streams = new OpenStreams();
  private final ManagedChannel channel = scene.channel(streams);

  @AfterEach
  void end() {
    scene.close();
  }

  /** They would stay for as long as the application does. */
  @Test
  void noStreamIsLeftOnIt() throws Exception {
    LockClient client = EtcdLocks.using(channel);
    LockOptions options = NO_POLLS.withTtl(Duration.ofSeconds(5));
    scene.client().lock("a", options).acquire();
    CompletableFuture<?> waiting = client.lock("a", options).acquireAsync();
    until("one of watches and one that keeps leases alive", () -> streams.open.get() == 2);
    client.close();
    assertTrue(waiting.isCompletedExceptionally());
    until("none", () -> streams.open.get() == 0);
  }

  /** Those of connections among them, as it has one. */
  @Test
  void aSettingThatIsNotKnownIsRefused() {
    for (String key : new String[] {"comand-timeout", "endpoints", "connect-timeout"}) {
      Map<String, String> settings = Map.of(key, "10s");
      LockConfigurationException told =
          assertThrows(
              LockConfigurationException.class,
              () -> EtcdLocks.using(channel, settings, ClientOptions.defaults()));
      assertTrue(told.toString().contains(key), told::toString);
    }
  }
}
