/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redlock;

import static io.holdfast.lock.redlock.RedlockHarness.DEAF;
import static io.holdfast.lock.redlock.RedlockHarness.PATIENCE;
import static io.holdfast.lock.redlock.RedlockHarness.SHORT;
import static io.holdfast.lock.redlock.RedlockHarness.until;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrowsExactly;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.LockRejectedException;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.Renewal;
import io.holdfast.lock.servers.Conditions;
import io.holdfast.lock.servers.Direction;
import io.holdfast.lock.servers.RedisServer;
import io.holdfast.lock.servers.TcpProxy;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.RenewalAnswer;
import io.holdfast.lock.spi.RenewalRequest;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * A holds nodes 0, 1 and 2; node 2 restarts; B reaches 2, 3 and 4. Whether B is granted the lock
 * while A holds it is a question of what node 2 remembers, and of when it counts.
 */
class RestartDelayTest {

  private static final Duration DELAY = Duration.ofSeconds(4);
  private static final LockOptions FIXED = SHORT.withTtl(DELAY).withRenewal(Renewal.none());

  private RedlockHarness scene = new RedlockHarness(5);

  @AfterEach
  void end() {
    scene.close();
  }

  @Test
  void aNodeThatForgotDoesNotCountBeforeTheDelay() throws InterruptedException {
    LockClient b = clientOf(List.of(0, 1), DELAY);
    LockClient a = clientOf(List.of(3, 4), DELAY);
    until("the nodes count", () -> acquires(b, "warm-up") && acquires(a, "warm-up"));
    Lease held = a.lock("a", FIXED).acquire();
    scene.restart(2);
    int refused = 0;
    while (held.isValid()) {
      if (acquires(b, "a")) {
        assertFalse(held.isValid(), "two hold at once");
        break;
      }
      refused++;
    }
    assumeTrue(refused > 0, "this machine was too slow for B to be refused while A holds");
    try (Lease next = b.lock("a", FIXED).acquire(PATIENCE)) {
      assertTrue(next.fencingToken() > held.fencingToken());
    }
  }

  /**
   * B has the vote of node 0, which then forgets it and is given to A by a renewal. B's request at
   * node 1 is under way for so long that A's lock has ended there.
   */
  @Test
  void aNodeThatForgotDoesNotCountForRenewalsEither() throws InterruptedException {
    scene.close();
    scene = new RedlockHarness(3);
    Map<String, String> settings = Map.of("restart-delay", "8s", "command-timeout", "7s");
    List<TcpProxy> linksOfA = scene.links();
    List<TcpProxy> linksOfB = scene.links();
    LockClient a = scene.client(ports(linksOfA), Map.of("restart-delay", "8s"));
    LockClient b = scene.client(ports(linksOfB), settings);
    until("the nodes count", () -> acquires(b, "warm-up") && acquires(a, "warm-up"));
    numbersOfBAreAhead(b);
    linksOfA.get(0).refuse();
    Lease held = a.lock("a", SHORT).acquire();
    linksOfB.get(1).stall(Direction.TO_SERVER);
    CompletableFuture<Optional<Lease>> asked =
        b.lock("a", SHORT.withTtl(Duration.ofSeconds(8))).tryAcquireAsync();
    until("node 0 has voted for B", () -> scene.has(0, "a"));
    scene.restart(0);
    linksOfA.get(0).heal();
    until("node 0 is given to A", () -> scene.has(0, "a") || !held.isValid());
    assumeTrue(held.isValid(), "this machine was too slow for A to keep its lock");
    linksOfA.get(1).refuse();
    until("A's lock has ended at node 1", () -> !scene.has(1, "a"));
    linksOfB.get(1).heal();
    Optional<Lease> granted = asked.handle((lease, failure) -> lease).join();
    assertFalse(
        granted != null && granted.isPresent() && granted.get().isValid() && held.isValid(),
        "two hold at once");
  }

  /**
   * The votes of nodes that count are one too few; no ballot of another claim has a say in that.
   */
  @Test
  void aNodeThatIsGivenTheLockAgainIsNotCountedBeforeTheDelay() {
    scene.close();
    scene = new RedlockHarness(3);
    try (RedlockBackend backend = scene.backend(Map.of("restart-delay", "6s"))) {
      RedlockClaim claim =
          backend.claim(new ClaimRequest("a", "owner-1", Duration.ofSeconds(6)), DEAF);
      until("the nodes count", () -> RedlockHarness.isGranted(claim));
      scene.restart(0);
      long startedAt = System.nanoTime();
      until(
          "node 0 is given the lock again",
          () -> {
            renewed(backend, claim);
            return scene.has(0, "a");
          });
      scene.server(1).command("DEL", "lock:a");
      RenewalAnswer answer = renewed(backend, claim);
      assumeTrue(
          System.nanoTime() - startedAt < TimeUnit.SECONDS.toNanos(5),
          "this machine was too slow for node 0 not to count");
      assertFalse(answer instanceof RenewalAnswer.Extended, answer.toString());
    }
  }

  /**
   * A lock that they granted when they counted is still there, so the delay protects nobody from
   * it.
   */
  @Test
  void nodesThatRememberTheLockCountForRenewalsAtOnce() {
    scene.close();
    scene = new RedlockHarness(3, "--appendonly", "yes", "--appendfsync", "always");
    try (RedlockBackend backend = scene.backend(Map.of("restart-delay", "10s"))) {
      Conditions.until(
          "all nodes count",
          Duration.ofSeconds(40),
          () -> scene.servers.stream().allMatch(node -> RedlockHarness.secondsUp(node) > 10));
      RedlockClaim claim =
          backend.claim(new ClaimRequest("a", "owner-1", Duration.ofSeconds(10)), DEAF);
      until(
          "it is granted by all", () -> RedlockHarness.isGranted(claim) && scene.holding("a") == 3);
      scene.restart(0);
      scene.restart(1);
      until("it is renewed", () -> renewed(backend, claim) instanceof RenewalAnswer.Extended);
      assertTrue(
          RedlockHarness.secondsUp(scene.server(0)) < 10, "it was renewed only after the delay");
    }
  }

  private static RenewalAnswer renewed(RedlockBackend backend, RedlockClaim claim) {
    Duration ttl = Duration.ofSeconds(6);
    return backend
        .renew(List.of(new RenewalRequest<>(claim, ttl, ttl)))
        .toCompletableFuture()
        .join()
        .get(0);
  }

  /** As if a node's clock were ahead: then all nodes draw the same numbers for B. */
  private void numbersOfBAreAhead(LockClient b) {
    long ahead = (System.currentTimeMillis() + 60_000) * 1_000;
    int bucket = Math.floorMod("other".hashCode(), 1024);
    scene.servers.forEach(node -> node.command("SET", "lock#token:" + bucket, "" + ahead));
    assertTrue(acquires(b, "other"));
  }

  @Test
  void withoutTheDelayANodeMustNotForget() throws InterruptedException {
    LockClient b = clientOf(List.of(0, 1), Duration.ZERO);
    LockOptions forLong = FIXED.withTtl(Duration.ofMinutes(1));
    Lease held = clientOf(List.of(3, 4), Duration.ZERO).lock("a", forLong).acquire();
    scene.restart(2);
    until("the servers forget, and nothing else protects", () -> acquires(b, "a"));
    assertTrue(held.isValid());
  }

  @Test
  void aNodeThatWritesBeforeItAnswersNeedsNoDelay() throws InterruptedException {
    scene.close();
    scene = new RedlockHarness(5, "--appendonly", "yes", "--appendfsync", "always");
    LockClient b = clientOf(List.of(0, 1), Duration.ZERO);
    Lease held = clientOf(List.of(3, 4), Duration.ZERO).lock("a", FIXED).acquire();
    scene.restart(2);
    until("the nodes answer again", () -> acquires(b, "other"));
    boolean granted = acquires(b, "a");
    assertFalse(granted && held.isValid(), "two hold at once");
  }

  @Test
  void newServersGrantNothingBeforeTheDelayAndSayWhy() {
    LockClient client = scene.client(Map.of("restart-delay", "1m"));
    LockUnavailableException told =
        assertThrowsExactly(
            LockUnavailableException.class, () -> client.lock("a", SHORT).tryAcquire());
    assertTrue(String.valueOf(told.getMessage()).contains("restart-delay"), told.getMessage());
    until("what the nodes granted is undone", () -> scene.holding("a") == 0);
  }

  @Test
  void aTtlAboveTheDelayIsRefused() {
    LockClient client = scene.client(Map.of("restart-delay", "2s"));
    LockOptions tooLong = SHORT.withTtl(Duration.ofSeconds(3));
    LockRejectedException told =
        assertThrowsExactly(
            LockRejectedException.class, () -> client.lock("a", tooLong).tryAcquire());
    assertTrue(String.valueOf(told.getMessage()).contains("restart-delay"), told.getMessage());
  }

  @Test
  void norIsALockRenewedForLongerThanTheDelay() {
    try (RedlockBackend backend = scene.backend(Map.of("restart-delay", "2s"))) {
      RedlockClaim claim =
          backend.claim(new ClaimRequest("a", "owner-1", Duration.ofSeconds(2)), DEAF);
      until("the nodes count", () -> RedlockHarness.isGranted(claim));
      RenewalAnswer.Unknown told =
          assertInstanceOf(RenewalAnswer.Unknown.class, renewed(backend, claim));
      assertInstanceOf(LockRejectedException.class, told.cause());
    }
  }

  @Test
  void badSettingsAreRefused() {
    refused(Map.of("restart-delay", "1s"), "restart-delay");
    refused(Map.of("restart-delay", "never"), "restart-delay");
    refused(Map.of("uris", "redis://a:1,redis://b:2,redis://a:1"), "a:1");
    refused(Map.of("uris", "redis://a:1,http://b:2"), "uris");
    refused(Map.of("uris", "redis://a:1,redis-sentinel://b:2/0#main"), "without sentinels");
    refused(Map.of("uris", ""), "uris");
    refused(Map.of("uri", "redis://a:1"), "uris");
  }

  @Test
  void oneServerIsNotTakenForTwo() {
    int port = scene.server(0).port();
    String uris = "redis://127.0.0.1:%d,redis://localhost:%d,redis://127.0.0.1:%d";
    LockRejectedException told =
        assertThrowsExactly(
            LockRejectedException.class,
            () -> scene.client(Map.of("uris", uris.formatted(port, port, scene.server(1).port()))));
    assertTrue(String.valueOf(told.getMessage()).contains("localhost:" + port), told.getMessage());
  }

  @Test
  void aServerThatTurnsOutToBeAnotherDoesNotCountTwice() {
    List<TcpProxy> links = scene.links().subList(0, 2);
    TcpProxy twin = scene.closing(TcpProxy.to(scene.server(0).host(), scene.server(0).port()));
    twin.refuse();
    LockClient client =
        scene.client(List.of(links.get(0).port(), twin.port(), links.get(1).port()), Map.of());
    links.get(1).refuse();
    twin.heal();
    Conditions.stays(
        "one server is no quorum", Duration.ofSeconds(3), () -> !acquires(client, "a"));
  }

  @Test
  void aMinorityMayBeDownAtOpen() {
    scene.server(0).kill();
    scene.server(1).suspend();
    try {
      LockClient client = scene.client();
      until("the others are enough", () -> acquires(client, "a"));
    } finally {
      scene.server(1).resume();
    }
  }

  @Test
  void aMajorityThatIsDownAtOpenIsNamed() {
    scene.servers.subList(0, 3).forEach(RedisServer::kill);
    LockUnavailableException told =
        assertThrowsExactly(LockUnavailableException.class, () -> scene.client());
    for (RedisServer down : scene.servers.subList(0, 3)) {
      assertTrue(String.valueOf(told.getMessage()).contains(":" + down.port()), told.getMessage());
    }
  }

  private void refused(Map<String, String> settings, String named) {
    LockConfigurationException told =
        assertThrowsExactly(LockConfigurationException.class, () -> scene.client(settings));
    assertTrue(String.valueOf(told.getMessage()).contains(named), told.getMessage());
  }

  /** A client that cannot reach some nodes. */
  private LockClient clientOf(List<Integer> unreachable, Duration delay) {
    List<TcpProxy> links = scene.links();
    unreachable.forEach(node -> links.get(node).refuse());
    String text = delay.isZero() ? "none" : delay.toString();
    return scene.client(ports(links), Map.of("restart-delay", text));
  }

  private static List<Integer> ports(List<TcpProxy> links) {
    return links.stream().map(TcpProxy::port).toList();
  }

  private static boolean acquires(LockClient client, String name) {
    try {
      return client
          .lock(name, FIXED)
          .tryAcquireAsync()
          .join()
          .map(
              lease -> {
                lease.release();
                return true;
              })
          .orElse(false);
    } catch (CompletionException e) {
      assertInstanceOf(LockUnavailableException.class, e.getCause());
      return false;
    }
  }
}
