/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.etcd;

import io.grpc.ClientInterceptor;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockEvent;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.Locks;
import io.holdfast.lock.Renewal;
import io.holdfast.lock.Retry;
import io.holdfast.lock.servers.Conditions;
import io.holdfast.lock.servers.EtcdServer;
import io.holdfast.lock.servers.OpenResources;
import io.holdfast.lock.servers.Server;
import io.holdfast.lock.servers.TcpProxy;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;

/** A server, the clients of one test, and patience. */
final class EtcdHarness extends OpenResources {

  static final Duration PATIENCE = Duration.ofSeconds(20);
  static final String KEYS = "/holdfast/";

  /** So long that nothing ends by itself within a test. */
  static final LockOptions LONG = LockOptions.defaults().withTtl(Duration.ofMinutes(2));

  /** A message has to come, as no poll will in time. */
  static final LockOptions NO_POLLS =
      LONG.withRetry(Retry.defaults().withPauses(Duration.ofMinutes(1), Duration.ofMinutes(1)));

  /** Not so short that a busy machine takes it away. */
  static final LockOptions SHORT =
      LockOptions.defaults()
          .withTtl(Duration.ofSeconds(4))
          .withRetry(Retry.defaults().withPauses(Duration.ofMillis(10), Duration.ofMillis(200)));

  /** Renewed so often that a test sees it; a machine that is busy for seconds takes none away. */
  static final LockOptions RENEWED =
      SHORT.withTtl(Duration.ofSeconds(12)).withRenewal(Renewal.every(Duration.ofSeconds(1)));

  /** So that a busy machine is no outage, and has no request sent again. */
  static final Map<String, String> PATIENT = Map.of("command-timeout", "60s");

  final EtcdServer server;
  final Administrator administrator;

  EtcdHarness(String... serverArgs) {
    server = closing(EtcdServer.launch(serverArgs));
    administrator = closing(new Administrator(server.host(), server.port()));
  }

  TcpProxy link() {
    return closing(TcpProxy.to(server.host(), server.port()));
  }

  /** A channel as an application would have it; it is shut down at the end of the test. */
  ManagedChannel channel(ClientInterceptor... interceptors) {
    ManagedChannel channel =
        Grpc.newChannelBuilderForAddress(
                server.host(), server.port(), InsecureChannelCredentials.create())
            .intercept(interceptors)
            .build();
    closing(channel::shutdownNow);
    return channel;
  }

  LockClient client() {
    return client(Map.of());
  }

  LockClient client(Map<String, String> more) {
    return client("http://" + server.host() + ":" + server.port(), more);
  }

  LockClient client(TcpProxy link, Map<String, String> more) {
    return client("http://" + link.host() + ":" + link.port(), more);
  }

  LockClient client(String endpoints, Map<String, String> more) {
    return closing(open(endpoints, more));
  }

  static LockClient open(String endpoints, Map<String, String> more) {
    Map<String, String> settings = new HashMap<>();
    settings.put("provider", "etcd");
    settings.put("endpoints", endpoints);
    settings.put("command-timeout", "5s");
    settings.putAll(more);
    return Locks.open(settings);
  }

  static String endpoints(List<? extends Server> members) {
    return members.stream()
        .map(member -> "http://" + member.host() + ":" + member.port())
        .collect(Collectors.joining(","));
  }

  /** The keys of contenders. */
  List<String> keys() {
    return administrator.keys(KEYS);
  }

  /** How many leases there are at the server. */
  long leases() {
    return (long)
        (server.metric("etcd_debugging_lease_granted_total")
            - server.metric("etcd_debugging_lease_revoked_total"));
  }

  /** Completes when a client next tells of such an event. */
  static <E extends LockEvent> CompletableFuture<E> next(LockClient client, Class<E> type) {
    CompletableFuture<E> told = new CompletableFuture<>();
    client.addListener(
        event -> {
          if (type.isInstance(event)) {
            told.complete(type.cast(event));
          }
        });
    return told;
  }

  static <T> T get(CompletableFuture<T> future) throws Exception {
    return future.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
  }

  static void until(String what, BooleanSupplier condition) {
    Conditions.until(what, PATIENCE, condition);
  }

  static String messages(Throwable failure) {
    StringBuilder all = new StringBuilder();
    for (Throwable at = failure; at != null; at = at.getCause()) {
      all.append(at).append('\n');
    }
    return all.toString();
  }

  /** How many the server has been asked for until now. */
  double transactions() {
    return HandOverCost.received(server, "Txn");
  }
}
