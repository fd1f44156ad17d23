/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.bench;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.api.Compare;
import io.etcd.jetcd.api.DeleteRangeRequest;
import io.etcd.jetcd.api.KVGrpc;
import io.etcd.jetcd.api.LeaseGrantRequest;
import io.etcd.jetcd.api.LeaseGrpc;
import io.etcd.jetcd.api.PutRequest;
import io.etcd.jetcd.api.RequestOp;
import io.etcd.jetcd.api.TxnRequest;
import io.etcd.jetcd.support.CloseableClient;
import io.etcd.jetcd.support.Observers;
import io.grpc.CallOptions;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.stub.ClientCalls;
import io.holdfast.lock.bench.Entry.Kind;
import io.holdfast.lock.bench.Entry.Trait;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** Etcd: two transactions, and jetcd's client of etcd's own lock service. */
final class Etcd {

  private static final long TTL_SECONDS = 30;

  private Etcd() {}

  static Map<String, String> settings(Address address) {
    return Map.of("endpoints", "http://" + address.first());
  }

  static Entry limit() {
    return new Entry(
        "etcd",
        Kind.LIMIT,
        "put + delete",
        "gRPC's client, one channel: put if absent in a transaction, with a lease that is there;"
            + " delete",
        Set.of(),
        Bare::new);
  }

  static Entry jetcd() {
    return new Entry(
        "etcd",
        Kind.PEER,
        "jetcd Lock",
        "Client.builder().endpoints(...); for each thread a lease of 30 s, granted once and kept"
            + " alive, as one lease is one owner",
        EnumSet.of(Trait.WAITS),
        Jetcd::new);
  }

  private static final class Bare implements Contestant {

    private static final long FOR_THE_RUN_SECONDS = 36_000;

    private final ManagedChannel channel;
    private final long lease;

    Bare(Address address) throws Exception {
      channel =
          Grpc.newChannelBuilder(address.first(), InsecureChannelCredentials.create())
              .directExecutor()
              .build();
      lease =
          call(
                  LeaseGrpc.getLeaseGrantMethod(),
                  LeaseGrantRequest.newBuilder().setTTL(FOR_THE_RUN_SECONDS).build())
              .getID();
    }

    @Override
    public Held take(String key) throws Exception {
      ByteString bytes = ByteString.copyFromUtf8("/bare/" + key);
      call(
          KVGrpc.getTxnMethod(),
          TxnRequest.newBuilder()
              .addCompare(
                  Compare.newBuilder()
                      .setKey(bytes)
                      .setTarget(Compare.CompareTarget.CREATE)
                      .setResult(Compare.CompareResult.EQUAL)
                      .setCreateRevision(0))
              .addSuccess(
                  RequestOp.newBuilder()
                      .setRequestPut(
                          PutRequest.newBuilder()
                              .setKey(bytes)
                              .setValue(ByteString.copyFromUtf8("somebody"))
                              .setLease(lease)))
              .build());
      return () ->
          call(
              KVGrpc.getDeleteRangeMethod(), DeleteRangeRequest.newBuilder().setKey(bytes).build());
    }

    private <Q, A> A call(MethodDescriptor<Q, A> method, Q request) throws Exception {
      return ClientCalls.futureUnaryCall(channel.newCall(method, CallOptions.DEFAULT), request)
          .get(5, TimeUnit.SECONDS);
    }

    @Override
    public void close() {
      channel.shutdownNow();
    }
  }

  private static final class Jetcd implements Contestant {

    private final Client client;
    private final Map<Thread, Long> leases = new ConcurrentHashMap<>();
    private final Set<CloseableClient> kept = ConcurrentHashMap.newKeySet();

    Jetcd(Address address) {
      client = Client.builder().endpoints("http://" + address.first()).build();
    }

    @Override
    public Held take(String key) throws Exception {
      ByteSequence name = ByteSequence.from(key, StandardCharsets.UTF_8);
      long lease = leases.computeIfAbsent(Thread.currentThread(), thread -> grant());
      ByteSequence held = client.getLockClient().lock(name, lease).get().getKey();
      return () -> client.getLockClient().unlock(held).get();
    }

    private long grant() {
      long lease = client.getLeaseClient().grant(TTL_SECONDS).join().getID();
      kept.add(client.getLeaseClient().keepAlive(lease, Observers.observer(response -> {})));
      return lease;
    }

    @Override
    public void close() {
      kept.forEach(CloseableClient::close);
      client.close();
    }
  }
}
