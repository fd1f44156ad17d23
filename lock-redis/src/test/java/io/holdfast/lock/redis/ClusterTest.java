/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redis;

import static io.holdfast.lock.redis.RedisHarness.LONG;
import static io.holdfast.lock.redis.RedisHarness.PATIENCE;
import static io.holdfast.lock.redis.RedisHarness.until;
import static io.holdfast.lock.servers.Conditions.stays;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.LockRejectedException;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.Locks;
import io.holdfast.lock.LossReason;
import io.holdfast.lock.ReleaseOutcome;
import io.holdfast.lock.Renewal;
import io.holdfast.lock.servers.RedisServer;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.ClaimSignals;
import io.holdfast.lock.spi.RenewalAnswer;
import io.lettuce.core.cluster.SlotHash;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Locks all over a cluster whose servers die and whose slots move. */
class ClusterTest {

  /** Outlasts a fail-over that takes several elections, and is renewed so often that it is seen. */
  private static final LockOptions HELD =
      LONG.withTtl(Duration.ofMinutes(1)).withRenewal(Renewal.every(Duration.ofMillis(300)));

  /** The rest of it just after a renewal; a fail-over takes longer than that. */
  private static final long RENEWED_MILLIS = HELD.ttl().minusSeconds(1).toMillis();

  private final ClusterHarness scene = new ClusterHarness();

  @AfterEach
  void end() {
    scene.close();
  }

  @Test
  void locksAreAtTheServersThatHaveTheirSlots() throws InterruptedException {
    LockClient client = scene.client();
    List<String> names =
        new ArrayList<>(List.of("{", "}", "{}", "{a}b", "b{a}", "{{a}}", "{}{a}", "a b"));
    for (int i = 0; i < 60; i++) {
      names.add("name-" + i);
    }
    List<Lease> leases = new ArrayList<>();
    for (String name : names) {
      leases.add(client.lock(name, HELD).acquire());
      RedisServer at = scene.primaries.get(ClusterHarness.nodeOf("lock:" + name));
      assertEquals(leases.get(leases.size() - 1).ownerId(), at.command("GET", "lock:" + name));
    }
    Duration watched = Duration.ofSeconds(2);
    stays("all are held", watched, () -> leases.stream().allMatch(Lease::isValid));
    // One that was not renewed has less left by now.
    Duration left = HELD.ttl().minus(watched);
    until(
        "each was renewed",
        () -> leases.stream().allMatch(lease -> lease.remaining().compareTo(left) > 0));
    LockClient other = scene.client();
    for (Lease lease : leases) {
      assertTrue(other.lock(lease.lockName(), HELD).tryAcquire().isEmpty(), lease.lockName());
      assertEquals(ReleaseOutcome.RELEASED, lease.release());
      try (Lease next = other.lock(lease.lockName(), HELD).acquire(PATIENCE)) {
        assertTrue(next.fencingToken() > lease.fencingToken());
      }
    }
  }

  @Test
  void aLockThatWasReplicatedOutlastsAFailOver() throws InterruptedException {
    String name = ClusterHarness.nameAt(0);
    LockClient client = scene.client();
    LockClient other = scene.client();
    Lease lease = client.lock(name, HELD).acquire();
    Lease elsewhere = client.lock(ClusterHarness.nameAt(1), HELD).acquire();
    until(
        "the replica has the lock",
        () -> scene.replica.command("INFO", "keyspace").contains("keys=2"));
    scene.failOver();
    until(
        "a renewal reaches the new primary",
        () -> Long.parseLong(scene.replica.command("PTTL", "lock:" + name)) > RENEWED_MILLIS);
    assertTrue(lease.isValid() && elsewhere.isValid());
    until(
        "the other client finds the new primary, and the lock held",
        () ->
            other
                .lock(name, HELD)
                .tryAcquireAsync()
                .handle((granted, failure) -> failure == null && granted.isEmpty())
                .join());
    assertEquals(ReleaseOutcome.RELEASED, lease.release());
    try (Lease next = other.lock(name, HELD).acquire(PATIENCE)) {
      assertTrue(next.fencingToken() > lease.fencingToken());
    }
  }

  @Test
  void aWaiterListensAtTheServerThatTookOver() throws InterruptedException {
    String name = ClusterHarness.nameAt(0);
    Lease lease = scene.client().lock(name, HELD).acquire();
    AtomicInteger wakeUps = new AtomicInteger();
    ClaimRequest request = new ClaimRequest(name, "waiter", Duration.ofMinutes(2));
    RedisClaim waiter = scene.backend().claim(request, counting(wakeUps));
    assertTrue(isRefused(waiter));
    until("the waiter listens", () -> listeners(scene.primaries.get(0), name) == 1);
    until(
        "the replica has the lock",
        () -> scene.replica.command("INFO", "keyspace").contains("keys=2"));
    scene.failOver();
    until("the new primary refuses the waiter, too", () -> isRefused(waiter));
    until("the waiter listens there", () -> listeners(scene.replica, name) == 1);
    until(
        "a renewal reaches the new primary",
        () -> Long.parseLong(scene.replica.command("PTTL", "lock:" + name)) > RENEWED_MILLIS);
    int before = wakeUps.get();
    assertEquals(ReleaseOutcome.RELEASED, lease.release());
    until("the release wakes the waiter", () -> wakeUps.get() > before);
  }

  /** Nobody else asks, so nobody else looks for the new primary. */
  @Test
  void anEarlierEndIsSetAtTheServerThatTookOver() {
    String name = ClusterHarness.nameAt(0);
    ClaimRequest request = new ClaimRequest(name, "owner-1", Duration.ofMinutes(2));
    RedisClaim claim = scene.backend().claim(request, RedisHarness.DEAF);
    assertInstanceOf(Attempt.Granted.class, claim.attempt().toCompletableFuture().join());
    until(
        "the replica has the lock",
        () -> scene.replica.command("INFO", "keyspace").contains("keys=2"));
    scene.failOver();
    until("the new primary sets the end", () -> isSet(claim, Duration.ofMinutes(1)));
    assertTrue(Long.parseLong(scene.replica.command("PTTL", "lock:" + name)) <= 60_000);
  }

  private static boolean isSet(RedisClaim claim, Duration left) {
    try {
      return claim
          .expireIn(left)
          .handle((answer, failure) -> answer instanceof RenewalAnswer.Extended)
          .toCompletableFuture()
          .join();
    } catch (LockUnavailableException e) {
      return false;
    }
  }

  private static boolean isRefused(RedisClaim claim) {
    return claim
        .attempt()
        .handle((answer, failure) -> answer instanceof Attempt.Contended)
        .toCompletableFuture()
        .join();
  }

  private static int listeners(RedisServer server, String lockName) {
    return Integer.parseInt(server.values("PUBSUB", "NUMSUB", "lock:" + lockName).get(1));
  }

  private static ClaimSignals counting(AtomicInteger wakeUps) {
    return new ClaimSignals() {
      @Override
      public void wake() {
        wakeUps.incrementAndGet();
      }

      @Override
      public void lost(LossReason reason) {}
    };
  }

  @Test
  void aLockWhoseSlotMovesGoesWithIt() throws InterruptedException {
    String name = ClusterHarness.nameAt(1);
    LockClient client = scene.client();
    LockClient other = scene.client();
    Lease lease = client.lock(name, HELD).acquire();
    RedisServer to = scene.primaries.get(2);
    scene.move(SlotHash.getSlot("lock:" + name), scene.primaries.get(1), to);
    assertTrue(other.lock(name, HELD).tryAcquire().isEmpty());
    until(
        "a renewal reaches the new server",
        () -> Long.parseLong(to.command("PTTL", "lock:" + name)) > RENEWED_MILLIS);
    assertEquals(ReleaseOutcome.RELEASED, lease.release());
    try (Lease next = other.lock(name, HELD).acquire(PATIENCE)) {
      assertTrue(next.fencingToken() > lease.fencingToken());
      assertEquals(next.ownerId(), to.command("GET", "lock:" + name));
    }
  }

  @Test
  void whileASlotMovesItsLocksAreWaitedFor() throws InterruptedException {
    String name = ClusterHarness.nameAt(1);
    LockClient client = scene.client();
    long before;
    try (Lease lease = client.lock(name, HELD).acquire()) {
      before = lease.fencingToken();
    }
    int slot = SlotHash.getSlot("lock:" + name);
    scene.beginToMove(slot, scene.primaries.get(1), scene.primaries.get(2));
    LockUnavailableException told =
        assertThrows(LockUnavailableException.class, () -> client.lock(name, HELD).tryAcquire());
    assertTrue(String.valueOf(told.getMessage()).contains("being moved"), told.getMessage());
    CompletableFuture<Lease> waiting = client.lock(name, HELD).acquireAsync();
    scene.endToMove(slot, scene.primaries.get(1), scene.primaries.get(2));
    try (Lease lease = waiting.orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS).join()) {
      assertTrue(lease.fencingToken() > before);
    }
  }

  @Test
  void aServerThatHasLeftTheClusterIsNotBelieved() throws InterruptedException {
    LockClient client = scene.client();
    int leaving = scene.firstAsked();
    int staying = (leaving + 1) % 3;
    Lease held = client.lock(ClusterHarness.nameAt(staying), HELD).acquire();
    scene.remove(leaving, staying);
    client.lock(ClusterHarness.nameAt(leaving), HELD).acquire(PATIENCE).release();
    client.lock(ClusterHarness.nameAt((leaving + 2) % 3), HELD).acquire(PATIENCE).release();
    assertTrue(held.isValid());
    scene.primaries.get(leaving).kill();
    assertEquals(1, client.inspector().held(10).size(), "the others have all names");
    assertEquals(ReleaseOutcome.RELEASED, held.release());
  }

  private static void assertTakenAt(
      RedisServer server, LockClient client, String name, Duration patience)
      throws InterruptedException {
    try (Lease lease = client.lock(name, HELD).acquire(patience)) {
      assertEquals(lease.ownerId(), server.command("GET", "lock:" + name));
    }
  }

  /** Its address is that of a server in the map that the client has. */
  @Test
  void aMemberOfAnotherClusterThatHasGotTheAddressIsGivenNoLock() throws InterruptedException {
    LockClient client = scene.client();
    int leaving = 1;
    int staying = 2;
    scene.remove(leaving, staying);
    RedisServer stranger = scene.makeAnotherCluster(leaving);
    stranger.command("CONFIG", "RESETSTAT");
    ClusterHarness.endConnections(stranger);
    until(
        "it is connected to, refused, and tried again",
        () -> ClusterHarness.connectionsMade(stranger) >= 2);
    assertTakenAt(scene.primaries.get(staying), client, ClusterHarness.nameAt(leaving), PATIENCE);
    assertEquals("0", stranger.command("DBSIZE"));
  }

  /** It has the newest epoch, and answers over a connection that was made before it left. */
  @Test
  void aMemberOfAnotherClusterIsNotBelievedWhoHasASlot() throws InterruptedException {
    LockClient client = scene.client();
    int leaving = 1;
    int staying = 2;
    scene.remove(leaving, staying);
    RedisServer stranger = scene.makeAnotherCluster(leaving);
    String moved = ClusterHarness.nameAt(staying);
    RedisServer to = scene.primaries.get(0);
    scene.move(SlotHash.getSlot("lock:" + moved), scene.primaries.get(staying), to);
    assertTakenAt(to, client, moved, PATIENCE);
    assertTakenAt(scene.primaries.get(staying), client, ClusterHarness.nameAt(leaving), PATIENCE);
    assertEquals("0", stranger.command("DBSIZE"));
  }

  @Test
  void aClusterThatIsBuiltAnewAtTheSameAddressesIsTakenInTheEnd() throws InterruptedException {
    LockClient client = scene.client();
    client.lock(ClusterHarness.nameAt(0), HELD).acquire().release();
    scene.rebuild();
    assertThrows(
        LockUnavailableException.class,
        () -> client.lock(ClusterHarness.nameAt(1), HELD).tryAcquire(),
        "not at once: it may be another cluster");
    for (int node = 0; node < 3; node++) {
      assertTakenAt(
          scene.primaries.get(node), client, ClusterHarness.nameAt(node), Duration.ofMinutes(2));
    }
  }

  @Test
  void aServerThatHangsIsNoLossAtTheOthers() throws InterruptedException {
    scene.primaries.forEach(one -> one.command("CONFIG", "SET", "cluster-node-timeout", "60000"));
    LockOptions brief = LONG.withTtl(Duration.ofSeconds(7));
    LockClient client = scene.client();
    Lease there = client.lock(ClusterHarness.nameAt(1), brief).acquire();
    List<Lease> elsewhere =
        List.of(
            client.lock(ClusterHarness.nameAt(0), brief).acquire(),
            client.lock(ClusterHarness.nameAt(2), brief).acquire());
    scene.primaries.get(1).suspend();
    try {
      until("the lock at the server that hangs is lost", () -> !there.isValid());
      stays(
          "the others are held",
          Duration.ofSeconds(4),
          () -> elsewhere.stream().allMatch(Lease::isValid));
    } finally {
      scene.primaries.get(1).resume();
    }
  }

  @Test
  void theWrongSchemeIsRefusedAndTheRightOneNamed() {
    RedisServer node = scene.primaries.get(0);
    String where = "://" + node.host() + ":" + node.port();
    LockRejectedException told =
        assertThrows(
            LockRejectedException.class, () -> Locks.open("redis", Map.of("uri", "redis" + where)));
    assertTrue(String.valueOf(told.getMessage()).contains("redis-cluster://"), told.getMessage());
  }
}
