/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.etcd;

import static io.holdfast.lock.etcd.EtcdHarness.LONG;
import static io.holdfast.lock.etcd.EtcdHarness.NO_POLLS;
import static io.holdfast.lock.etcd.EtcdHarness.until;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.etcd.jetcd.api.KeyValue;
import io.etcd.jetcd.api.LeaseRevokeRequest;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.holdfast.lock.DistributedLock;
import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.Renewal;
import io.holdfast.lock.etcd.lease.Leases;
import io.holdfast.lock.etcd.lease.ServerLease;
import io.holdfast.lock.etcd.lock.EtcdClaim;
import io.holdfast.lock.servers.Conditions;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.ReleaseAnswer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Leases that lie in stock, and end there. */
class LeasePoolTest {

  private static final int MANY = 20;

  @Test
  void aWaiterKeepsItsPlaceWhenTheStockIsTakenAway() throws Exception {
    try (EtcdHarness scene = new EtcdHarness()) {
      Lease held = scene.client().lock("queue", LONG).acquire();
      LockClient client = scene.client();
      LockOptions options = NO_POLLS.withTtl(Duration.ofSeconds(10));
      List<CompletableFuture<Lease>> many = new ArrayList<>();
      for (int i = 0; i < 64; i++) {
        many.add(client.lock("n" + i, options).acquireAsync());
      }
      many.forEach(CompletableFuture::join);
      CompletableFuture<Lease> waiting = client.lock("queue", options).acquireAsync();
      until("a waiter", () -> scene.keys().size() == 66);
      Set<Long> leases = leases(scene, "/n");
      assertEquals(64, leases.size());
      many.forEach(lease -> lease.join().release());
      List<String> queue = scene.keys();
      leases.parallelStream().forEach(id -> revoke(scene, id));
      Conditions.stays(
          "the waiter's place", Duration.ofSeconds(15), () -> scene.keys().equals(queue));
      held.release();
      assertTrue(EtcdHarness.get(waiting).isValid());
    }
  }

  /** A key keeps the name of its first lease, so nobody else may have that in the same queue. */
  @Test
  void aLeaseThatAKeyIsNamedAfterIsNotUsedAgain() throws Exception {
    try (EtcdHarness scene = new EtcdHarness()) {
      DistributedLock permit = scene.client().semaphore("moved", MANY, EtcdHarness.SHORT).permit();
      Lease first = permit.acquire();
      long named = leases(scene, "/moved").iterator().next();
      first.extend(Duration.ofMinutes(1));
      until("the key hangs on another lease", () -> !leases(scene, "/moved").contains(named));
      List<Lease> others = new ArrayList<>();
      // In the stock the newest goes first.
      for (int i = 1; i < MANY; i++) {
        others.add(permit.acquire());
      }
      assertFalse(leases(scene, "/moved").contains(named));
      others.forEach(Lease::release);
      first.release();
    }
  }

  @Test
  void lengthsOfExtensionsAreNotInStock() throws Exception {
    try (EtcdHarness scene = new EtcdHarness()) {
      Lease lease = scene.client().lock("a", LONG.withRenewal(Renewal.none())).acquire();
      for (int minutes = 3; minutes < 6; minutes++) {
        lease.extend(Duration.ofMinutes(minutes));
      }
      until("that of the key, and one in stock", () -> scene.leases() == 2);
      lease.release();
      // Soon: a stock that nobody takes from is emptied later.
      Conditions.until("one in stock", Duration.ofSeconds(5), () -> scene.leases() == 1);
    }
  }

  /** Its leases would be kept alive for as long as the client lives. */
  @Test
  void aStockThatNobodyUsesIsEmptied() {
    Duration ttl = Duration.ofSeconds(4);
    try (ClaimHarness scene = new ClaimHarness(ttl)) {
      ClaimHarness.join(scene.claim.release());
      // When that was granted, the client did not know the term of etcd.
      until("none of an earlier term", () -> scene.harness.leases() == 0);
      EtcdClaim claim = scene.another("used", ttl);
      assertInstanceOf(Attempt.Granted.class, ClaimHarness.join(claim.attempt()));
      ClaimHarness.join(claim.release());
      Conditions.stays("a stock", Duration.ofSeconds(2), () -> scene.harness.leases() > 0);
      scene.time.pass(Duration.ofSeconds(61));
      until("none", () -> scene.harness.leases() == 0);
    }
  }

  /** The first were granted before the client knew the term of etcd, and would last for minutes. */
  @Test
  void leasesInStockOfAnEarlierTermAreRevoked() {
    try (ClaimHarness scene = new ClaimHarness(LONG.ttl())) {
      assertEquals(ReleaseAnswer.FREED, ClaimHarness.join(scene.claim.release()));
      until("none", () -> scene.harness.leases() == 0);
    }
  }

  /** It is of no use, as a leader that was deposed unawares may count it down. */
  @Test
  void aLeaseOfAnEarlierTermThatComesBackIsRevoked() {
    try (ClaimHarness scene = new ClaimHarness(LONG.ttl())) {
      // So it is kept alive before it would go into the stock.
      scene.time.pass(LONG.ttl().dividedBy(2));
      assertEquals(ReleaseAnswer.FREED, ClaimHarness.join(scene.claim.release()));
      until("none", () -> scene.harness.leases() == 0);
    }
  }

  /** It is used again only if etcd still keeps it, which has not been answered yet. */
  @Test
  void aLeaseThatIsComingBackWhenTheClientIsClosedIsRevoked() {
    DelayedAnswers keptAlive = DelayedAnswers.keepAlives();
    try (ClaimHarness scene = new ClaimHarness(LONG.ttl(), keptAlive)) {
      scene.time.pass(LONG.ttl().dividedBy(2));
      assertEquals(ReleaseAnswer.FREED, ClaimHarness.join(scene.claim.release()));
      scene.backend.close();
      until("no lease is left", () -> scene.harness.leases() == 0);
    }
  }

  /** One is asked for with the first that is taken, for the next. */
  @Test
  void aLeaseThatIsGrantedWhenTheClientHasBeenClosedIsRevoked() {
    Duration ttl = Duration.ofMinutes(1);
    DelayedAnswers held = DelayedAnswers.grants(Leases.seconds(ttl));
    try (ClaimHarness scene = new ClaimHarness(Duration.ofSeconds(4), held)) {
      ClaimHarness.join(scene.claim.release());
      until("none of another length", () -> scene.harness.leases() == 0);
      Leases leases = new Leases(scene.connection, scene.keys.base(), scene.time);
      CompletableFuture<ServerLease> taken = leases.take(ttl, scene.connection.deadline());
      CompletableFuture<Void> closed = leases.close();
      until("both are granted", () -> scene.harness.leases() == 2);
      held.release.complete(null);
      leases.giveBack(taken.join());
      closed.join();
      until("no lease is left", () -> scene.harness.leases() == 0);
    }
  }

  /** The leases of waiters are kept alive several times a second, as those in stock are. */
  @Test
  void theLeasesOfThoseWhoWereServedAreNotKeptAlive() throws Exception {
    try (EtcdHarness scene = new EtcdHarness()) {
      LockClient holder = scene.client();
      LockClient client = scene.client();
      LockOptions options = NO_POLLS.withTtl(Duration.ofSeconds(5));
      List<Lease> held = new ArrayList<>();
      List<CompletableFuture<Lease>> waiting = new ArrayList<>();
      for (int i = 0; i < MANY; i++) {
        held.add(holder.lock("n" + i, options).acquire());
        waiting.add(client.lock("n" + i, options).acquireAsync());
      }
      until("all wait", () -> scene.keys().size() == 2 * MANY);
      held.forEach(Lease::release);
      for (CompletableFuture<Lease> served : waiting) {
        EtcdHarness.get(served).release();
      }
      until("few leases", () -> scene.leases() <= 4);
      double before = keptAlive(scene);
      Conditions.stays(
          "few are kept alive", Duration.ofSeconds(5), () -> keptAlive(scene) - before < 150);
    }
  }

  private static double keptAlive(EtcdHarness scene) {
    return HandOverCost.received(scene.server, "LeaseKeepAlive");
  }

  /** On which keys with such a part of their names hang. */
  private static Set<Long> leases(EtcdHarness scene, String part) {
    return scene.administrator.entries(EtcdHarness.KEYS).stream()
        .filter(entry -> entry.getKey().toStringUtf8().contains(part))
        .map(KeyValue::getLease)
        .collect(Collectors.toSet());
  }

  private static void revoke(EtcdHarness scene, long id) {
    try {
      scene.administrator.lease().leaseRevoke(LeaseRevokeRequest.newBuilder().setID(id).build());
    } catch (StatusRuntimeException e) {
      // The client needs ever fewer, and may have been quicker.
      assertEquals(Status.Code.NOT_FOUND, e.getStatus().getCode());
    }
  }
}
