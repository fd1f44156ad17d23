/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redlock;

import static io.holdfast.lock.redlock.RedlockHarness.LONG;
import static io.holdfast.lock.redlock.RedlockHarness.PATIENCE;
import static io.holdfast.lock.redlock.RedlockHarness.SHORT;
import static io.holdfast.lock.redlock.RedlockHarness.until;
import static io.holdfast.lock.servers.Conditions.stays;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrowsExactly;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.Loss;
import io.holdfast.lock.LossReason;
import io.holdfast.lock.ReleaseOutcome;
import io.holdfast.lock.Renewal;
import io.holdfast.lock.servers.Conditions;
import io.holdfast.lock.servers.Direction;
import io.holdfast.lock.servers.RedisServer;
import io.holdfast.lock.servers.TcpProxy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Nodes that die, hang, forget, lag and answer late. */
@Execution(ExecutionMode.CONCURRENT)
class NodeFaultTest {

  /** Where nothing may be lost: a machine that is busy can take seconds from anybody. */
  private static final LockOptions KEPT =
      SHORT.withTtl(Duration.ofSeconds(10)).withRenewal(Renewal.every(Duration.ofSeconds(2)));

  /** Where the TTL is waited for. */
  private static final LockOptions BRIEF = SHORT.withTtl(Duration.ofSeconds(6));

  /** Where an answer is waited for: as above. */
  private static final Map<String, String> PATIENT = Map.of("command-timeout", "5s");

  private RedlockHarness scene = new RedlockHarness(5);

  @AfterEach
  void end() {
    scene.close();
  }

  @Test
  void aMinorityThatDiesIsNoLoss() throws InterruptedException {
    LockClient client = scene.client(PATIENT);
    LockClient other = scene.client(PATIENT);
    Lease lease = onAllNodes(client);
    scene.server(0).kill();
    scene.server(3).kill();
    stays(
        "held and exclusive without two of five nodes",
        KEPT.ttl().plusSeconds(2),
        () -> lease.isValid() && other.lock("a", KEPT).tryAcquireAsync().join().isEmpty());
    assertEquals(ReleaseOutcome.RELEASED, lease.release());
    try (Lease next = other.lock("a", KEPT).acquire(PATIENCE)) {
      assertTrue(next.fencingToken() > lease.fencingToken());
    }
  }

  @Test
  void aMajorityThatDiesIsALossInTime() throws Exception {
    LockClient client = scene.client();
    Lease lease = client.lock("a", BRIEF).acquire();
    for (int node = 0; node < 3; node++) {
      scene.server(node).kill();
    }
    long killed = System.nanoTime();
    until("the loss", () -> !isBelievedFor(BRIEF.ttl(), lease, killed));
    Loss loss = lease.loss().get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    assertEquals(LossReason.UNREACHABLE, loss.reason());
    LockUnavailableException told =
        assertThrowsExactly(
            LockUnavailableException.class, () -> client.lock("a", SHORT).tryAcquire());
    for (int node = 0; node < 3; node++) {
      String where = ":" + scene.server(node).port();
      assertTrue(String.valueOf(told.getMessage()).contains(where), told.getMessage());
      scene.server(node).start();
    }
    try (Lease next = client.lock("a", SHORT).acquire(PATIENCE)) {
      assertTrue(next.fencingToken() > lease.fencingToken());
    }
  }

  /** The clock is read before the look, so that a machine that stands still proves nothing. */
  private static boolean isBelievedFor(Duration most, Lease lease, long since) {
    Duration after = Duration.ofNanos(System.nanoTime() - since);
    boolean valid = lease.isValid();
    assertTrue(!valid || after.compareTo(most) < 0, () -> "believed for " + after);
    return valid;
  }

  /** A client that has the votes of a quorum asks no further; the first renewal does. */
  private Lease onAllNodes(LockClient client) throws InterruptedException {
    Lease lease = client.lock("a", KEPT).acquire();
    until("on all nodes", () -> scene.holding("a") == 5);
    return lease;
  }

  @Test
  void nobodyWaitsForAMinorityThatHangs() throws InterruptedException {
    LockClient client = scene.client();
    client.lock("a", SHORT).acquire().release();
    scene.server(1).suspend();
    scene.server(4).suspend();
    try {
      long begin = System.nanoTime();
      for (int i = 0; i < 10; i++) {
        client.lock("a", LONG).acquire().release();
      }
      Duration took = Duration.ofNanos(System.nanoTime() - begin);
      // Each would wait for a second, the time-out of a command.
      assertTrue(took.toSeconds() < 8, () -> "ten times took " + took);
    } finally {
      scene.server(1).resume();
      scene.server(4).resume();
    }
    nothingIsLeftFor(Duration.ofMillis(700));
  }

  @Test
  void aNodeThatGaveTheLockToAStrangerDelaysNobody() throws InterruptedException {
    LockClient client = scene.client();
    client.lock("a", SHORT).acquire().release();
    for (int node : new int[] {0, 3}) {
      scene.server(node).command("SET", "lock:a", "stranger", "PX", "60000");
    }
    long begin = System.nanoTime();
    for (int i = 0; i < 10; i++) {
      client.lock("a", LONG).acquire().release();
    }
    Duration took = Duration.ofNanos(System.nanoTime() - begin);
    // Each would wait for a second, the time-out of a command.
    assertTrue(took.toSeconds() < 8, () -> "ten times took " + took);
    until("the strangers' locks are all that is left", () -> scene.holding("a") == 2);
    for (int node : new int[] {0, 3}) {
      assertEquals("stranger", scene.server(node).command("GET", "lock:a"));
    }
  }

  /** It would keep the name for the rest of the extension, and be missing to everybody else. */
  @Test
  void aNodeThatRefusesForLongerThanTheTtlKeepsNothingOfAnExtension() throws InterruptedException {
    LockClient client = scene.client(PATIENT);
    Lease lease = onAllNodes(client);
    lease.extend(LONG.ttl());
    scene.server(4).command("ACL", "SETUSER", "default", "-del");
    assertEquals(ReleaseOutcome.RELEASED, lease.release());
    stays("kept by the node that refuses", KEPT.ttl().plusSeconds(2), () -> scene.has(4, "a"));
    scene.server(4).command("ACL", "SETUSER", "default", "+del");
    until("it is freed there", () -> scene.holding("a") == 0);
  }

  @Test
  void aNodeThatHangsForLongerThanTheTtlKeepsNothing() throws InterruptedException {
    LockOptions options = LONG.withTtl(Duration.ofSeconds(6));
    LockClient client = scene.client();
    client.lock("a", options).acquire().release();
    scene.server(4).suspend();
    client.lock("a", options).acquire().release();
    LockSupport.parkNanos(Duration.ofSeconds(8).toNanos());
    scene.server(4).resume();
    long begin = System.nanoTime();
    until("nothing is left", () -> scene.holding("a") == 0);
    Duration after = Duration.ofNanos(System.nanoTime() - begin);
    assertTrue(after.toMillis() < 5_500, () -> "gone after " + after);
  }

  @Test
  void aLateRequestIsUndone() throws InterruptedException {
    List<TcpProxy> links = scene.links();
    LockClient client = scene.client(links);
    client.lock("before", LONG).acquire().release();
    links.subList(0, 3).forEach(link -> link.stall(Direction.TO_SERVER));
    assertThrowsExactly(LockUnavailableException.class, () -> client.lock("a", LONG).tryAcquire());
    links.forEach(TcpProxy::heal);
    nothingIsLeftFor(Duration.ofSeconds(1));
  }

  /** A key that comes late is there for a moment. */
  private void nothingIsLeftFor(Duration length) {
    Conditions.settles("nothing is left", PATIENCE, length, () -> scene.holding("a") == 0);
  }

  @Test
  void answersThatComeLateAreUndone() throws InterruptedException {
    List<TcpProxy> links = scene.links();
    LockClient client = scene.client(links);
    client.lock("before", LONG).acquire().release();
    links.subList(0, 3).forEach(link -> link.stall(Direction.TO_CLIENT));
    assertThrowsExactly(LockUnavailableException.class, () -> client.lock("a", LONG).tryAcquire());
    until("nothing is left where the answers came", () -> !scene.has(3, "a") && !scene.has(4, "a"));
    links.forEach(TcpProxy::heal);
    until("nothing is left", () -> scene.holding("a") == 0);
  }

  @Test
  void aLockOutlastsTheRestartOfEveryNodeInTurn() throws InterruptedException {
    LockClient client = scene.client(PATIENT);
    Lease lease = onAllNodes(client);
    for (int node = 0; node < 5; node++) {
      int restarted = node;
      scene.restart(node);
      until("the node has the lock again", () -> scene.has(restarted, "a"));
      assertTrue(lease.isValid());
    }
    assertTrue(scene.client(PATIENT).lock("a", KEPT).tryAcquire().isEmpty());
    assertEquals(ReleaseOutcome.RELEASED, lease.release());
    until("nothing is left", () -> scene.holding("a") == 0);
  }

  @Test
  void aLockThatIsDeletedAtAMajorityIsNotBroughtBack() throws InterruptedException {
    Lease lease = scene.client().lock("a", KEPT).acquire();
    CompletableFuture<Loss> loss = lease.loss();
    // A request between two deletions finds a majority, and brings the first one back.
    until(
        "lost",
        () -> {
          for (int node = 0; node < 3; node++) {
            scene.server(node).command("DEL", "lock:a");
          }
          return loss.isDone();
        });
    assertEquals(LossReason.REVOKED, loss.join().reason());
    until("nothing is left", () -> scene.holding("a") == 0);
    stays("nothing comes back", BRIEF.ttl(), () -> scene.holding("a") == 0);
  }

  @Test
  void tokensGrowWhileNodesLagAndForget() throws InterruptedException {
    LockClient client = scene.client();
    long last = 0;
    for (int round = 0; round < 10; round++) {
      int out = round % 5;
      int forgets = (round + 2) % 5;
      scene.server(out).suspend();
      try {
        scene.restart(forgets);
        for (int i = 0; i < 5; i++) {
          last = grows(i % 2 == 0 ? client : scene.client(), last);
        }
      } finally {
        scene.server(out).resume();
      }
      last = grows(client, last);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3, 4})
  void othersNumbersOfNodesWork(int nodes) throws InterruptedException {
    scene.close();
    scene = new RedlockHarness(nodes);
    LockClient one = scene.client(PATIENT);
    LockClient two = scene.client(PATIENT);
    long last = 0;
    for (int i = 0; i < 20; i++) {
      LockClient holder = i % 2 == 0 ? one : two;
      LockClient other = i % 2 == 0 ? two : one;
      try (Lease lease = holder.lock("a", KEPT).acquire(PATIENCE)) {
        assertTrue(other.lock("a", SHORT).tryAcquire().isEmpty());
        assertTrue(lease.fencingToken() > last);
        last = lease.fencingToken();
      }
    }
    int dispensable = nodes - (nodes / 2 + 1);
    scene.servers.subList(0, dispensable).forEach(RedisServer::kill);
    last = grows(one, last);
    scene.server(dispensable).kill();
    assertThrowsExactly(LockUnavailableException.class, () -> one.lock("a", SHORT).tryAcquire());
    scene.server(dispensable).start();
    grows(one, last);
  }

  private static long grows(LockClient client, long last) throws InterruptedException {
    try (Lease lease = client.lock("a", KEPT).acquire(PATIENCE)) {
      assertTrue(lease.fencingToken() > last, () -> lease.fencingToken() + " after " + last);
      assertFalse(lease.remaining().isZero());
      return lease.fencingToken();
    }
  }
}
