/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redlock;

import static io.holdfast.lock.redlock.RedlockHarness.DEAF;
import static io.holdfast.lock.redlock.RedlockHarness.join;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.servers.RedisServer;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.ReleaseAnswer;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Nodes that have lost their numbers, and whose clocks are behind what they were: by themselves
 * they would draw numbers that are smaller than tokens that were granted.
 */
class ForgottenNumbersTest {

  private static final Duration TTL = Duration.ofMinutes(2);
  private static final String COUNTER = "lock#token:" + Math.floorMod("a".hashCode(), 1024);

  private final RedlockHarness scene = new RedlockHarness(3);
  private final RedlockBackend backend = scene.closing(scene.backend());

  @AfterEach
  void end() {
    scene.close();
  }

  /** A token is kept by a quorum, of which this one may be needed. */
  @Test
  void aNodeThatIsGivenTheLockAgainStoresItsToken() {
    clocksAreAhead();
    RedlockClaim claim = claim("owner-1");
    long token = granted(claim);
    RedlockHarness.until("all nodes have it", () -> scene.holding("a") == 3);
    scene.server(0).command("FLUSHALL");
    claim.regain(0);
    RedlockHarness.until("the node has it again", () -> scene.has(0, "a"));
    long stored = Long.parseLong(scene.server(0).command("GET", COUNTER));
    assertTrue(stored >= token, () -> stored + " is stored, of token " + token);
    join(claim.release());
  }

  @Test
  void theTokensOfAClientGrowThoughAllNodesForget() {
    clocksAreAhead();
    RedlockClaim first = claim("owner-1");
    long before = granted(first);
    assertEquals(ReleaseAnswer.FREED, join(first.release()));
    RedlockHarness.until("all nodes are free", () -> scene.holding("a") == 0);
    scene.servers.forEach(node -> node.command("FLUSHALL"));
    RedlockClaim second = claim("owner-2");
    long after = granted(second);
    assertTrue(after > before, () -> after + " was granted after " + before);
    join(second.release());
  }

  /** For a minute, until the nodes forget. */
  private void clocksAreAhead() {
    long ahead = (System.currentTimeMillis() + 60_000) * 1_000;
    for (RedisServer node : scene.servers) {
      node.command("SET", COUNTER, String.valueOf(ahead));
    }
  }

  private RedlockClaim claim(String owner) {
    return backend.claim(new ClaimRequest("a", owner, TTL), DEAF);
  }

  private static long granted(RedlockClaim claim) {
    return assertInstanceOf(Attempt.Granted.class, join(claim.attempt())).token();
  }
}
