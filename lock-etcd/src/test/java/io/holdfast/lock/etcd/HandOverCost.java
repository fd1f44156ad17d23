/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.etcd;

import io.holdfast.lock.DistributedLock;
import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.servers.EtcdServer;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** Counts etcd's requests when a lock goes from hand to hand through a queue of waiting clients. */
final class HandOverCost {

  private static final int WAITERS = 16;
  private static final int HAND_OVERS = 2_000;
  static final List<String> METHODS =
      List.of("Range", "Txn", "LeaseGrant", "LeaseRevoke", "LeaseKeepAlive", "Watch");

  private HandOverCost() {}

  public static void main(String[] arguments) throws Exception {
    try (EtcdHarness scene = new EtcdHarness()) {
      Relay relay = new Relay();
      for (int i = 0; i < WAITERS; i++) {
        LockClient client = scene.client();
        relay.join(client.lock("hand over", EtcdHarness.LONG));
      }
      // Everybody has a place, streams and a lease in stock by then.
      EtcdHarness.until("the first hand-overs", () -> relay.handOvers.get() > WAITERS * 10);
      List<Double> before = received(scene);
      long began = System.nanoTime();
      long first = relay.handOvers.get();
      EtcdHarness.until("enough hand-overs", () -> relay.handOvers.get() >= first + HAND_OVERS);
      long took = System.nanoTime() - began;
      double counted = relay.handOvers.get() - first;
      List<Double> after = received(scene);
      relay.ended = true;
      System.out.printf(
          "%d waiters, %.0f hand-overs, %.0f us each; messages to etcd for each:%n",
          WAITERS, counted, took / 1_000.0 / counted);
      double all = 0;
      for (int i = 0; i < METHODS.size(); i++) {
        double each = (after.get(i) - before.get(i)) / counted;
        all += each;
        System.out.printf("  %-15s %.2f%n", METHODS.get(i), each);
      }
      System.out.printf("  %-15s %.2f%n", "all", all);
    }
  }

  /** A waiter that gets the lock gives it on, and queues again. */
  private static final class Relay {

    final AtomicLong handOvers = new AtomicLong();
    volatile boolean ended;

    void join(DistributedLock lock) {
      lock.acquireAsync()
          .thenCompose(Lease::releaseAsync)
          .thenAccept(
              released -> {
                handOvers.incrementAndGet();
                if (!ended) {
                  join(lock);
                }
              });
    }
  }

  private static List<Double> received(EtcdHarness scene) {
    return METHODS.stream().map(method -> received(scene.server, method)).toList();
  }

  /** Messages, those on streams included. */
  static double received(EtcdServer server, String method) {
    return server.metric(
        "grpc_server_msg_received_total",
        labels -> labels.contains("grpc_method=\"" + method + "\""));
  }
}
