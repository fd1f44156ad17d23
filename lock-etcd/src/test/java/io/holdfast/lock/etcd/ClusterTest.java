/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.etcd;

import static io.holdfast.lock.etcd.EtcdHarness.SHORT;
import static io.holdfast.lock.etcd.EtcdHarness.endpoints;
import static io.holdfast.lock.etcd.EtcdHarness.get;
import static io.holdfast.lock.etcd.EtcdHarness.open;
import static io.holdfast.lock.etcd.EtcdHarness.until;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.etcd.jetcd.api.KeyValue;
import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockEvent;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.LossReason;
import io.holdfast.lock.Renewal;
import io.holdfast.lock.servers.Conditions;
import io.holdfast.lock.servers.EtcdCluster;
import io.holdfast.lock.servers.EtcdServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Three members, of which one leads. */
class ClusterTest {

  /** Outlasts an election, and several where the machine is so busy that votes come too late. */
  private static final LockOptions LASTING =
      SHORT.withTtl(Duration.ofSeconds(12)).withRenewal(Renewal.every(Duration.ofSeconds(2)));

  private static final Duration LONGER_THAN_THE_TTL = LASTING.ttl().plusSeconds(1);
  private static final Map<String, String> IMPATIENT = Map.of("command-timeout", "2s");
  private static final Duration SOON = Duration.ofSeconds(20);

  private EtcdCluster cluster;

  @BeforeEach
  void start() {
    cluster = EtcdCluster.launch(3);
  }

  @AfterEach
  void stop() {
    cluster.close();
  }

  private LockClient client() {
    return open(endpoints(cluster.members()), IMPATIENT);
  }

  private EtcdServer leader() {
    until("a leader", () -> cluster.leader().isPresent());
    return cluster.leader().orElseThrow();
  }

  @Test
  void leasesOutliveTheLeaderAndStayExclusive() throws Exception {
    try (LockClient client = client();
        LockClient other = client()) {
      List<Lease> held = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        held.add(client.lock("n" + i, LASTING).acquire(SOON));
      }
      List<CompletableFuture<Lease>> waiting =
          held.stream().map(one -> other.lock(one.lockName(), LASTING).acquireAsync()).toList();
      BlockingQueue<Object> ended = new LinkedBlockingQueue<>();
      held.forEach(lease -> lease.loss().thenAccept(ended::add));
      waiting.forEach(
          wait ->
              wait.whenComplete((lease, failure) -> ended.add(failure == null ? lease : failure)));
      for (int change = 0; change < 2; change++) {
        EtcdServer leader = leader();
        leader.kill();
        leader();
        assertNull(ended.poll(LONGER_THAN_THE_TTL.toSeconds(), TimeUnit.SECONDS));
        assertTrue(held.stream().allMatch(Lease::isValid));
        leader.start();
      }
      for (int i = 0; i < held.size(); i++) {
        Lease before = held.get(i);
        before.release();
        try (Lease next = get(waiting.get(i))) {
          assertTrue(next.fencingToken() > before.fencingToken());
        }
      }
    }
  }

  /** The key then hangs on a lease of the new term, which was asked for with a shorter renewal. */
  @Test
  void anExtensionOutlivesTheLeader() throws Exception {
    try (LockClient client = client()) {
      Lease lease = client.lock("extended", LASTING.withRenewal(Renewal.none())).acquire(SOON);
      lease.extend(LASTING.ttl().multipliedBy(5));
      EtcdServer leader = leader();
      leader.kill();
      leader();
      until("an answer to an extension", () -> isExtended(lease));
      EtcdServer other =
          cluster.members().stream().filter(one -> !one.equals(leader)).findAny().orElseThrow();
      try (Administrator administrator = new Administrator(other.host(), other.port())) {
        KeyValue key = administrator.entries("/holdfast/lock/extended/").get(0);
        long kept = administrator.secondsLeft(key.getLease());
        Duration believed = lease.remaining();
        assertTrue(
            believed.compareTo(LASTING.ttl().multipliedBy(2)) > 0, "extended to " + believed);
        assertTrue(
            kept >= believed.toSeconds(), "believed for " + believed + ", and kept for " + kept);
      }
    }
  }

  /** The first request may still be sent to the member that was killed. */
  private static boolean isExtended(Lease lease) {
    try {
      lease.extend(LASTING.ttl());
      return true;
    } catch (LockUnavailableException e) {
      return false;
    }
  }

  @Test
  void aMemberThatHangsIsLeftForAnother() throws Exception {
    EtcdServer first = cluster.members().get(0);
    try (LockClient client = client()) {
      Lease lease = client.lock("hang", LASTING).acquire(SOON);
      first.suspend();
      Conditions.stays("the lease is held", LONGER_THAN_THE_TTL, lease::isValid);
      client.lock("another", LASTING).acquire(SOON).close();
      lease.release();
      first.resume();
    }
  }

  /** The clock is read before the look, so that a machine that stands still proves nothing. */
  private static boolean isBelievedFor(Duration most, Lease lease, long since) {
    Duration after = Duration.ofNanos(System.nanoTime() - since);
    boolean valid = lease.isValid();
    assertTrue(!valid || after.compareTo(most) < 0, () -> "believed for " + after);
    return valid;
  }

  /** Its clients can still reach it, and nothing that it says counts. */
  @Test
  void aLeaderWithoutAMajorityKeepsNobodyBelieving() throws Exception {
    EtcdServer leader = leader();
    List<EtcdServer> others =
        cluster.members().stream().filter(member -> member.port() != leader.port()).toList();
    try (LockClient cutOff = open(endpoints(List.of(leader)), IMPATIENT);
        LockClient majority = open(endpoints(others), IMPATIENT)) {
      Lease lease = cutOff.lock("cut", SHORT).acquire(SOON);
      CompletableFuture<LockEvent.Lost> lost = EtcdHarness.next(cutOff, LockEvent.Lost.class);
      others.forEach(EtcdServer::suspend);
      long began = System.nanoTime();
      until("the loss", () -> !isBelievedFor(SHORT.ttl(), lease, began));
      assertEquals(LossReason.UNREACHABLE, get(lost).reason());
      leader.suspend();
      others.forEach(EtcdServer::resume);
      try (Lease next = majority.lock("cut", LASTING).acquire(SOON)) {
        assertTrue(next.fencingToken() > lease.fencingToken());
        leader.resume();
        Conditions.stays("nobody takes it away", Duration.ofSeconds(3), next::isValid);
      }
    }
  }

  @Test
  void waitersAreServedAfterTheMajorityWasLostAndFound() throws Exception {
    try (LockClient client = client();
        LockClient other = client()) {
      Lease lease = client.lock("majority", LASTING).acquire(SOON);
      CompletableFuture<Lease> waiting = other.lock("majority", LASTING).acquireAsync();
      List<EtcdServer> two = cluster.members().subList(0, 2);
      two.forEach(EtcdServer::kill);
      until("the lease is lost", () -> !lease.isValid());
      assertFalse(waiting.isDone());
      CompletableFuture<Void> back = CompletableFuture.runAsync(two.get(1)::start);
      two.get(0).start();
      back.join();
      try (Lease next = get(waiting)) {
        assertTrue(next.fencingToken() > lease.fencingToken());
      }
    }
  }
}
