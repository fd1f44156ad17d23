/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.etcd;

import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.etcd.jetcd.api.KeyValue;
import io.grpc.ClientInterceptor;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.holdfast.lock.LossReason;
import io.holdfast.lock.etcd.client.EtcdConnection;
import io.holdfast.lock.etcd.client.Member;
import io.holdfast.lock.etcd.lock.EtcdClaim;
import io.holdfast.lock.etcd.queue.LockKeys;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.ClaimSignals;
import io.holdfast.lock.spi.RenewalAnswer;
import io.holdfast.lock.spi.RenewalRequest;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** One claim without an engine: of its renewals, those are sent that the test sends. */
final class ClaimHarness implements AutoCloseable {

  static final ClaimSignals DEAF =
      new ClaimSignals() {
        @Override
        public void wake() {}

        @Override
        public void lost(LossReason reason) {}
      };

  final EtcdHarness harness = new EtcdHarness();
  final LaterTime time = new LaterTime();
  final LockKeys keys = new LockKeys("/holdfast", "lock");
  final EtcdConnection connection;
  final EtcdClaim claim;
  final EtcdBackend backend;

  ClaimHarness(Duration ttl, ClientInterceptor... interceptors) {
    ManagedChannel channel =
        Grpc.newChannelBuilderForAddress(
                harness.server.host(), harness.server.port(), InsecureChannelCredentials.create())
            .directExecutor()
            .intercept(interceptors)
            .build();
    connection =
        new EtcdConnection(
            List.of(Member.own(channel, true, time)), Optional.empty(), Duration.ofSeconds(10));
    backend = harness.closing(new EtcdBackend(keys, connection, time));
    claim = another("moved", ttl);
    assertInstanceOf(Attempt.Granted.class, join(claim.attempt()));
  }

  /** Of a lock by that name; sends nothing. */
  EtcdClaim another(String name, Duration ttl) {
    return backend.claim(new ClaimRequest(name, "owner-" + name, ttl), DEAF);
  }

  CompletableFuture<RenewalAnswer> renew(Duration ttl) {
    return backend
        .renew(List.of(new RenewalRequest<>(claim, ttl, Duration.ofSeconds(5))))
        .thenApply(answers -> answers.get(0))
        .toCompletableFuture();
  }

  /** How long etcd keeps the claim's key. */
  long secondsLeft() {
    KeyValue key = harness.administrator.entries(EtcdHarness.KEYS).get(0);
    return harness.administrator.secondsLeft(key.getLease());
  }

  static <T> T join(CompletionStage<T> stage) {
    return stage.toCompletableFuture().join();
  }

  @Override
  public void close() {
    harness.close();
  }
}
