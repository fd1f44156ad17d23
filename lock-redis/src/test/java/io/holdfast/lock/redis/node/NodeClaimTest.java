/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redis.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.redis.SetClock;
import io.holdfast.lock.redis.client.OpeningSteps;
import io.holdfast.lock.redis.client.RedisConfig;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.Settings;
import io.lettuce.core.RedisClient;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests a claim while there is no connection. */
class NodeClaimTest {

  private static final Duration TTL = Duration.ofSeconds(10);

  private final RedisClient client = RedisClient.create();
  private final SetClock time = new SetClock();
  private final RedisNode node =
      new RedisNode(
          RedisConfig.from(new Settings("redis", Map.of("uri", "redis://127.0.0.1:1"))).get(0),
          client,
          time);

  @AfterEach
  void end() {
    OpeningSteps.shutDown(client);
  }

  private NodeClaim claim() {
    return node.claim(new ClaimRequest("a", "owner-1", TTL), TokenCounter.exact("lock#token"));
  }

  /** A clean-up at a server that is away is tried for so long. */
  @Test
  void aServerKeepsALockForWhatWasAskedForAndNoLessThanTheTtl() {
    NodeClaim claim = claim();
    assertEquals(TTL, claim.keptFor());
    assertFalse(claim.release(TTL.multipliedBy(3)).join(), "nothing of it can be there");
    assertEquals(TTL.multipliedBy(3), claim.keptFor());
    time.pass(TTL);
    assertEquals(TTL.multipliedBy(2), claim.keptFor());
    time.pass(TTL.multipliedBy(5));
    assertEquals(TTL, claim.keptFor());
  }

  /** The lease goes on as if nobody had asked for it: nothing was sent, nor will be. */
  @Test
  void anEndThatCannotBeSentIsRefusedAtOnceAndNotNoted() {
    NodeClaim claim = claim();
    LockUnavailableException told =
        assertThrows(
            LockUnavailableException.class, () -> claim.expireIn(TTL.multipliedBy(3)).join());
    assertTrue(
        String.valueOf(told.getMessage()).startsWith("Setting the end of lock 'a'"),
        told.getMessage());
    assertEquals(TTL, claim.keptFor());
  }
}
