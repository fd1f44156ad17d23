/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.etcd;

import static io.holdfast.lock.etcd.EtcdHarness.LONG;
import static io.holdfast.lock.etcd.EtcdHarness.NO_POLLS;
import static io.holdfast.lock.etcd.EtcdHarness.RENEWED;
import static io.holdfast.lock.etcd.EtcdHarness.SHORT;
import static io.holdfast.lock.etcd.EtcdHarness.get;
import static io.holdfast.lock.etcd.EtcdHarness.next;
import static io.holdfast.lock.etcd.EtcdHarness.until;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.CompactionRequest;
import io.etcd.jetcd.api.KeyValue;
import io.etcd.jetcd.api.LeaseRevokeRequest;
import io.etcd.jetcd.api.WatchGrpc;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.ClientInterceptors;
import io.grpc.ForwardingClientCall;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockEvent;
import io.holdfast.lock.LossReason;
import io.holdfast.lock.TimeSource;
import io.holdfast.lock.etcd.client.EtcdConnection;
import io.holdfast.lock.etcd.client.Member;
import io.holdfast.lock.etcd.client.Watches;
import io.holdfast.lock.servers.Conditions;
import io.holdfast.lock.servers.TcpProxy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Waiters whose watches, leases or server go away, and holders whose keys do. */
class WatchTest {

  private final EtcdHarness scene = new EtcdHarness();

  @AfterEach
  void end() {
    scene.close();
  }

  private void compact() {
    long now = revision();
    scene
        .administrator
        .kv()
        .compact(CompactionRequest.newBuilder().setRevision(now).setPhysical(true).build());
  }

  private long revision() {
    return scene.administrator.kv().range(probe()).getHeader().getRevision();
  }

  private static io.etcd.jetcd.api.RangeRequest probe() {
    return io.etcd.jetcd.api.RangeRequest.newBuilder()
        .setKey(ByteString.copyFromUtf8("probe"))
        .build();
  }

  private CompletableFuture<Lease> waiting(LockClient client, String name) throws Exception {
    CompletableFuture<LockEvent.Contended> contended = next(client, LockEvent.Contended.class);
    CompletableFuture<Lease> wanted = client.lock(name, NO_POLLS).acquireAsync();
    get(contended);
    return wanted;
  }

  @Test
  void aReleaseWakesAWaiterAlsoAfterACompaction() throws Exception {
    Lease lease = scene.client().lock("compacted", LONG).acquire();
    CompletableFuture<Lease> waiting = waiting(scene.client(), "compacted");
    for (int i = 0; i < 10; i++) {
      scene.administrator.put("other" + i, "value");
    }
    compact();
    lease.release();
    get(waiting).release();
  }

  /** The first revision to watch has been compacted when the watch is made: it has to be told. */
  @Test
  void aWatchFromACompactedRevisionTellsSo() throws Exception {
    for (int i = 0; i < 10; i++) {
      scene.administrator.put("other" + i, "value");
    }
    compact();
    TimeSource time = TimeSource.host();
    Watches watches = new Watches(link(scene.administrator.channel), time);
    try {
      assertTrue(get(told(watches, "other1", 2)));
    } finally {
      watches.close();
      time.close();
    }
  }

  private static EtcdConnection link(Channel channel) {
    return new EtcdConnection(
        List.of(Member.borrowed(channel)), Optional.empty(), Duration.ofSeconds(5));
  }

  private static CompletableFuture<Boolean> told(Watches watches, String key, long revision) {
    CompletableFuture<Boolean> told = new CompletableFuture<>();
    watches.on(ByteString.copyFromUtf8(key), revision, () -> told.complete(true));
    return told;
  }

  /** Etcd numbers watches in the order of the requests, so the last to be made is the last. */
  @Test
  void aWatchThatIsCancelledBeforeItHasANumberIsGone() throws Exception {
    TimeSource time = TimeSource.host();
    Watches watches = new Watches(link(scene.administrator.channel), time);
    try {
      for (int i = 0; i < 20; i++) {
        watches.cancel(watches.on(ByteString.copyFromUtf8("cancelled" + i), 0, () -> {}));
      }
      scene.administrator.put("key", "value");
      CompletableFuture<Boolean> last = told(watches, "key", revision() + 1);
      scene.administrator.delete(ByteString.copyFromUtf8("key"));
      assertTrue(get(last));
      until("no watch", () -> scene.server.metric("etcd_debugging_mvcc_watcher_total") == 0);
    } finally {
      watches.close();
      time.close();
    }
  }

  @Test
  void anInterceptorThatThrowsEndsNoWatchesForGood() throws Exception {
    ThrowingCalls throwing = new ThrowingCalls(WatchGrpc.getWatchMethod());
    TimeSource time = TimeSource.host();
    Watches watches =
        new Watches(
            link(ClientInterceptors.intercept(scene.administrator.channel, throwing)), time);
    try {
      assertTrue(get(told(watches, "key", 0)));
      throwing.end();
      scene.administrator.put("key", "value");
      CompletableFuture<Boolean> told = told(watches, "key", revision() + 1);
      Conditions.stays("not told", Duration.ofMillis(500), () -> !told.isDone());
      scene.administrator.delete(ByteString.copyFromUtf8("key"));
      assertTrue(get(told));
    } finally {
      watches.close();
      time.close();
    }
  }

  @Test
  void aWaiterWhoseConnectionBreaksWatchesAnew() throws Exception {
    TcpProxy link = scene.link();
    Lease lease = scene.client().lock("broken", LONG).acquire();
    CompletableFuture<Lease> waiting = waiting(scene.client(link, Map.of()), "broken");
    until("a watch", () -> HandOverCost.received(scene.server, "Watch") > 0);
    for (int i = 0; i < 3; i++) {
      // How many watchers there are says nothing: etcd may not know yet that one has gone.
      double asked = HandOverCost.received(scene.server, "Watch");
      link.cut();
      until("a new watch", () -> HandOverCost.received(scene.server, "Watch") > asked);
    }
    lease.release();
    get(waiting).release();
  }

  /** As by a gateway that lets no streams through; locks work without, by polls. */
  @Test
  void streamsThatAreRefusedAreOpenedAnewWithGrowingPauses() throws Exception {
    AtomicInteger opened = new AtomicInteger();
    Channel refusing =
        ClientInterceptors.intercept(scene.administrator.channel, new RefusingWatches(opened));
    Lease lease = scene.client().lock("refused", LONG).acquire();
    try (LockClient client = EtcdLocks.using(refusing)) {
      CompletableFuture<Lease> waiting = client.lock("refused", SHORT).acquireAsync();
      Conditions.stays(
          "few streams", Duration.ofSeconds(6), () -> opened.get() <= 9 && lease.isValid());
      assertTrue(opened.get() >= 3, opened + " streams");
      lease.release();
      get(waiting).release();
    }
  }

  private record RefusingWatches(AtomicInteger opened) implements ClientInterceptor {

    @Override
    public <Q, A> ClientCall<Q, A> interceptCall(
        MethodDescriptor<Q, A> method, CallOptions options, Channel next) {
      ClientCall<Q, A> call = next.newCall(method, options);
      if (!method.equals(WatchGrpc.getWatchMethod())) {
        return call;
      }
      opened.incrementAndGet();
      return new ForwardingClientCall.SimpleForwardingClientCall<>(call) {
        @Override
        public void start(Listener<A> listener, Metadata headers) {
          super.start(listener, headers);
          cancel("refused by the test", null);
        }
      };
    }
  }

  @Test
  void aWaiterWhoseLeaseWasRevokedQueuesAnew() throws Exception {
    LockClient holder = scene.client();
    Lease lease = holder.lock("revoked", LONG).acquire();
    CompletableFuture<Lease> waiting = scene.client().lock("revoked", SHORT).acquireAsync();
    until("two contenders", () -> scene.keys().size() == 2);
    KeyValue second = scene.administrator.entries(EtcdHarness.KEYS).get(1);
    scene
        .administrator
        .lease()
        .leaseRevoke(LeaseRevokeRequest.newBuilder().setID(second.getLease()).build());
    until(
        "another place",
        () -> {
          List<KeyValue> queue = scene.administrator.entries(EtcdHarness.KEYS);
          return queue.size() == 2 && queue.get(1).getCreateRevision() > second.getCreateRevision();
        });
    assertFalse(waiting.isDone());
    lease.release();
    get(waiting).release();
  }

  @Test
  void aHolderWhoseLeaseWasRevokedIsTold() throws Exception {
    LockClient client = scene.client();
    CompletableFuture<LockEvent.Lost> lost = next(client, LockEvent.Lost.class);
    Lease lease = client.lock("revoked", RENEWED).acquire();
    KeyValue own = scene.administrator.entries(EtcdHarness.KEYS).get(0);
    scene
        .administrator
        .lease()
        .leaseRevoke(LeaseRevokeRequest.newBuilder().setID(own.getLease()).build());
    assertEquals(LossReason.REVOKED, get(lost).reason());
    assertFalse(lease.isValid());
    client.lock("revoked", SHORT).acquire().release();
  }

  @Test
  void waitersKeepTheirPlaceLongerThanTheirTtl() throws Exception {
    Lease lease = scene.client().lock("place", LONG).acquire();
    CompletableFuture<Lease> first =
        scene.client().lock("place", NO_POLLS.withTtl(Duration.ofSeconds(5))).acquireAsync();
    until("two contenders", () -> scene.keys().size() == 2);
    List<String> queue = scene.keys();
    Conditions.stays("the place", Duration.ofSeconds(8), () -> scene.keys().equals(queue));
    lease.release();
    try (Lease next = get(first)) {
      assertTrue(next.remaining().toSeconds() >= 2, next.remaining() + " of 5 s");
    }
  }

  @Test
  void stockLeasesThatTheServerHasLostAreNoHindrance() throws Exception {
    LockClient client = scene.client(Map.of("command-timeout", "1s"));
    client.lock("stock", LONG).acquire().release();
    until("a lease in stock", () -> scene.leases() >= 1);
    scene.server.stop();
    scene.server.wipe();
    scene.server.start();
    client.lock("stock", LONG).acquire(EtcdHarness.PATIENCE).release();
  }

  @Test
  void aRestartOfTheServerLosesNoLease() throws Exception {
    LockClient client = scene.client(Map.of("command-timeout", "1s"));
    Lease lease = client.lock("restart", SHORT.withTtl(Duration.ofSeconds(15))).acquire();
    scene.server.kill();
    scene.server.start();
    Conditions.stays("held", Duration.ofSeconds(17), lease::isValid);
    lease.release();
    until("no key is left", () -> scene.keys().isEmpty());
  }
}
