/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redlock;

import static io.holdfast.lock.redlock.RedlockHarness.DEAF;
import static io.holdfast.lock.redlock.RedlockHarness.join;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.LossReason;
import io.holdfast.lock.redis.node.ClaimAnswer;
import io.holdfast.lock.servers.Conditions;
import io.holdfast.lock.servers.Direction;
import io.holdfast.lock.servers.RedisServer;
import io.holdfast.lock.servers.TcpProxy;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.ReleaseAnswer;
import io.holdfast.lock.spi.RenewalAnswer;
import io.holdfast.lock.spi.RenewalRequest;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** A node that lacked the lock when it was asked, and has it when it is given it again. */
class RegainTest {

  private static final Duration LONG = Duration.ofMinutes(2);

  @Test
  void renewedTimeIsNotShortened() {
    try (RedlockHarness scene = new RedlockHarness(3);
        RedlockBackend backend = scene.backend()) {
      RedlockClaim claim =
          backend.claim(new ClaimRequest("kept", "owner-1", Duration.ofSeconds(30)), DEAF);
      assertInstanceOf(Attempt.Granted.class, join(claim.attempt()));
      // A node that had not been asked when the quorum was there gets the lock by a renewal, and
      // the longer time by the next.
      RedlockHarness.until(
          "the longer time at each node",
          () -> {
            List<RenewalRequest<RedlockClaim>> one =
                List.of(new RenewalRequest<>(claim, LONG, Duration.ofSeconds(10)));
            assertEquals(List.of(new RenewalAnswer.Extended(LONG)), join(backend.renew(one)));
            return shortestMillis(scene) > 60_000;
          });
      for (int node = 0; node < 3; node++) {
        RedisServer server = scene.server(node);
        long before = number(server);
        claim.regain(node);
        RedlockHarness.until("a new number", () -> number(server) > before);
      }
      assertTrue(shortestMillis(scene) > 60_000, shortestMillis(scene) + " ms");
      join(claim.release());
    }
  }

  /** The answer to a renewal may come when the lock has been released. */
  @Test
  void aLockThatWasReleasedIsNotTakenAgain() {
    try (RedlockHarness scene = new RedlockHarness(3);
        RedlockBackend backend = scene.backend()) {
      RedlockClaim claim = backend.claim(new ClaimRequest("freed", "owner-1", LONG), DEAF);
      assertInstanceOf(Attempt.Granted.class, join(claim.attempt()));
      RedlockHarness.until("all nodes have it", () -> scene.holding("freed") == 3);
      assertEquals(ReleaseAnswer.FREED, join(claim.release()));
      RedlockHarness.until("no node has it", () -> scene.holding("freed") == 0);
      claim.regain(0);
      Conditions.stays(
          "no node has it again", Duration.ofMillis(300), () -> scene.holding("freed") == 0);
    }
  }

  @Test
  void aClaimThatWasReleasedAsksNoNodeAgain() {
    try (RedlockHarness scene = new RedlockHarness(3);
        RedlockBackend backend = scene.backend()) {
      RedlockClaim claim = backend.claim(new ClaimRequest("ended", "owner-1", LONG), DEAF);
      join(claim.release());
      assertInstanceOf(Attempt.Contended.class, join(claim.attempt()));
      Conditions.stays("no node has it", Duration.ofMillis(300), () -> scene.holding("ended") == 0);
    }
  }

  /** Those that a node has lost are told apart from those that it has, in the order of asking. */
  @Test
  void eachLeaseOfARenewalHasItsOwnAnswer() {
    try (RedlockHarness scene = new RedlockHarness(3);
        RedlockBackend backend = scene.backend()) {
      RedlockClaim here = backend.claim(new ClaimRequest("here", "owner-1", LONG), DEAF);
      RedlockClaim gone = backend.claim(new ClaimRequest("gone", "owner-2", LONG), DEAF);
      assertInstanceOf(Attempt.Granted.class, join(here.attempt()));
      assertInstanceOf(Attempt.Granted.class, join(gone.attempt()));
      RedlockHarness.until(
          "all nodes have both", () -> scene.holding("here") == 3 && scene.holding("gone") == 3);
      scene.servers.forEach(server -> server.command("DEL", "lock:gone"));
      RenewalAnswer extended = new RenewalAnswer.Extended(LONG);
      RenewalAnswer lost = new RenewalAnswer.Lost(LossReason.REVOKED);
      assertEquals(
          List.of(extended, lost), join(backend.renew(List.of(renewal(here), renewal(gone)))));
      assertEquals(
          List.of(lost, extended), join(backend.renew(List.of(renewal(gone), renewal(here)))));
      assertEquals(0, scene.holding("gone"), "what is lost is not taken again");
      join(here.release());
    }
  }

  /** Before it is known that a quorum has the lock still. */
  @Test
  void aNodeThatIsTheFirstToAnswerIsGivenTheLockAgain() {
    try (RedlockHarness scene = new RedlockHarness(3)) {
      List<TcpProxy> links = scene.links();
      List<Integer> ports = links.stream().map(TcpProxy::port).toList();
      try (RedlockBackend backend = scene.backend(ports, Map.of("command-timeout", "20s"))) {
        RedlockClaim claim = backend.claim(new ClaimRequest("back", "owner-1", LONG), DEAF);
        RedlockClaim other = backend.claim(new ClaimRequest("other", "owner-2", LONG), DEAF);
        assertInstanceOf(Attempt.Granted.class, join(claim.attempt()));
        RedlockHarness.until("all nodes have it", () -> scene.holding("back") == 3);
        // From now on the nodes know the script.
        List<RenewalAnswer> extended = List.of(new RenewalAnswer.Extended(LONG));
        assertEquals(extended, join(backend.renew(List.of(renewal(claim)))));

        scene.server(0).command("DEL", "lock:back");
        links.get(1).stall(Direction.TO_CLIENT);
        links.get(2).stall(Direction.TO_CLIENT);
        CompletionStage<List<RenewalAnswer>> renewed = backend.renew(List.of(renewal(claim)));
        // This is answered after the renewal, which was sent before on the same connection.
        assertInstanceOf(ClaimAnswer.Taken.class, join(other.claims().acquire(0, 0)));
        links.forEach(TcpProxy::heal);
        assertEquals(extended, join(renewed));
        RedlockHarness.until("node 0 has it again", () -> scene.has(0, "back"));
        join(claim.release());
        join(other.release());
      }
    }
  }

  private static RenewalRequest<RedlockClaim> renewal(RedlockClaim claim) {
    return new RenewalRequest<>(claim, LONG, Duration.ofSeconds(10));
  }

  private static long shortestMillis(RedlockHarness scene) {
    return scene.servers.stream()
        .mapToLong(server -> RedlockHarness.millisLeft(server, "kept"))
        .min()
        .orElseThrow();
  }

  /** Not each is the token: a node that was late to vote has drawn one of its own. */
  private static long number(RedisServer server) {
    return Long.parseLong(
        server.command("GET", "lock#token:" + Math.floorMod("kept".hashCode(), 1024)));
  }
}
