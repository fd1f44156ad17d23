/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.etcd;

import static io.holdfast.lock.etcd.EtcdHarness.LONG;
import static io.holdfast.lock.etcd.EtcdHarness.until;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.grpc.ManagedChannel;
import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockEvent;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.ReleaseOutcome;
import io.holdfast.lock.Renewal;
import io.holdfast.lock.servers.TcpProxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests what the backend needs of the server, and what it leaves behind. */
class FootprintTest {

  private final EtcdHarness scene = new EtcdHarness();

  @AfterEach
  void end() {
    scene.close();
  }

  private double received(String method) {
    return HandOverCost.received(scene.server, method);
  }

  @Test
  void anUncontendedLockCostsTwoTransactions() throws Exception {
    LockClient client = scene.client();
    client.lock("a", LONG).acquire().release();
    until("a lease in stock", () -> scene.leases() >= 2);
    double before = received("Txn");
    double granted = received("LeaseGrant");
    for (int i = 0; i < 200; i++) {
      client.lock("a" + i % 7, LONG).acquire().release();
    }
    assertEquals(400, received("Txn") - before);
    // A lease may come back only when the next lock has been given another one.
    assertTrue(received("LeaseGrant") - granted <= 10, "leases are used again");
    assertTrue(scene.leases() <= 12, scene.leases() + " leases");
  }

  @Test
  void manyLocksAtOnceCostFewTransactions() throws Exception {
    LockClient client = scene.client();
    List<Lease> leases = all(client, "n");
    leases.forEach(Lease::releaseAsync);
    until("the leases are in stock", () -> scene.keys().isEmpty() && scene.leases() >= 50);
    double before = received("Txn");
    List<Lease> again = all(client, "m");
    assertTrue(again.stream().allMatch(Lease::isValid));
    again.forEach(Lease::releaseAsync);
    until("no lock", () -> scene.keys().isEmpty());
    double requests = received("Txn") - before;
    assertTrue(requests <= 400, requests + " transactions for 400 locks");
  }

  /** Etcd is asked for a thousand contenders at a time. */
  @Test
  void moreLocksThanOneAnswerNamesAreListed() {
    LockClient client = scene.client();
    for (String prefix : List.of("a", "b", "c")) {
      all(client, prefix);
    }
    assertEquals(1_200, client.inspector().held(Integer.MAX_VALUE).size());
  }

  private static List<Lease> all(LockClient client, String prefix) {
    List<CompletableFuture<Lease>> asked = new ArrayList<>();
    for (int i = 0; i < 400; i++) {
      asked.add(client.lock(prefix + i, LONG).acquireAsync());
    }
    return asked.stream().map(CompletableFuture::join).toList();
  }

  @Test
  void closingLeavesNoLease() throws Exception {
    for (int i = 0; i < 5; i++) {
      LockClient client = scene.client();
      List<CompletableFuture<Lease>> held = new ArrayList<>();
      for (int j = 0; j < 50; j++) {
        held.add(client.lock("n" + j, LONG).acquireAsync());
      }
      held.forEach(CompletableFuture::join);
      held.subList(0, 25).forEach(lease -> lease.join().release());
      client.close();
      assertTrue(scene.keys().isEmpty());
      until("no lease is left", () -> scene.leases() == 0);
    }
  }

  @Test
  void anInterruptStaysSetWhenTheClientIsClosed() throws Exception {
    LockClient client = scene.client();
    client.lock("a", LONG).acquire().release();
    Thread.currentThread().interrupt();
    client.close();
    assertTrue(Thread.interrupted());
  }

  @Test
  void theStockShrinksWhenItIsNotNeeded() throws Exception {
    LockClient client = scene.client();
    LockOptions options = LONG.withTtl(Duration.ofSeconds(3));
    List<CompletableFuture<Lease>> held = new ArrayList<>();
    for (int j = 0; j < 100; j++) {
      held.add(client.lock("n" + j, options).acquireAsync());
    }
    held.forEach(lease -> lease.join().release());
    until("few leases", () -> scene.leases() <= 2);
  }

  @Test
  void aThousandLeasesAreRenewedInFewRequestsOnOneConnection() throws Exception {
    TcpProxy link = scene.link();
    LockClient client = scene.client(link, Map.of());
    AtomicInteger renewed = new AtomicInteger();
    client.addListener(
        event -> {
          if (event instanceof LockEvent.Renewed) {
            renewed.incrementAndGet();
          }
        });
    LockOptions options = LONG.withRenewal(Renewal.every(Duration.ofSeconds(2)));
    List<CompletableFuture<Lease>> asked = new ArrayList<>();
    for (int i = 0; i < 1000; i++) {
      asked.add(client.lock("n" + i, options).acquireAsync());
    }
    List<Lease> leases = asked.stream().map(CompletableFuture::join).toList();
    double before = received("Txn");
    int first = renewed.get();
    until("every lease was renewed twice", () -> renewed.get() >= first + 2000);
    double requests = received("Txn") - before;
    System.out.println(renewed.get() - first + " renewals in " + requests + " transactions");
    // A tenth, however far apart a busy machine has granted them.
    assertTrue(requests <= 200, requests + " transactions");
    assertTrue(leases.stream().allMatch(Lease::isValid));
    until("one connection", () -> link.connections() == 1);
  }

  @Test
  void aHundredWaitersShareOneStreamOfWatches() throws Exception {
    LockClient holder = scene.client();
    List<Lease> held = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      held.add(holder.lock("n" + i, LONG).acquire());
    }
    TcpProxy link = scene.link();
    LockClient client = scene.client(link, Map.of());
    List<CompletableFuture<Lease>> waiters = new ArrayList<>();
    for (Lease lease : held) {
      waiters.add(client.lock(lease.lockName(), EtcdHarness.NO_POLLS).acquireAsync());
    }
    until("100 watches", () -> scene.server.metric("etcd_debugging_mvcc_watcher_total") == 100);
    until("one stream", () -> scene.server.metric("etcd_debugging_mvcc_watch_stream_total") == 1);
    until("one connection", () -> link.connections() == 1);
    held.forEach(Lease::release);
    waiters.forEach(waiter -> assertEquals(ReleaseOutcome.RELEASED, waiter.join().release()));
    until("no watch", () -> scene.server.metric("etcd_debugging_mvcc_watcher_total") == 0);
  }

  @Test
  void aBorrowedChannelIsLeftAsItWas() throws Exception {
    ManagedChannel channel = scene.channel();
    LockClient client =
        EtcdLocks.using(
            channel,
            Map.of("namespace", "mine", "command-timeout", "10s"),
            ClientOptions.defaults().withClientName("shop"));
    Lease held = client.lock("a", LONG).acquire();
    assertEquals(
        held.ownerId(),
        scene.administrator.entries("/holdfast/mine/a/").get(0).getValue().toStringUtf8());
    CompletableFuture<Lease> waiting = client.lock("a", LONG).acquireAsync();
    client.close();
    assertThrows(CompletionException.class, waiting::join);
    assertFalse(held.isValid());
    until("no key is left", () -> scene.keys().isEmpty());
    assertFalse(channel.isShutdown());
    try (LockClient next = EtcdLocks.using(channel)) {
      next.lock("a", LONG).acquire().release();
    }
  }
}
