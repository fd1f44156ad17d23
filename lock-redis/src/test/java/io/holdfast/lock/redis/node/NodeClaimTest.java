/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redis.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
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
  private final RedisNode node =
      new RedisNode(
          RedisConfig.from(new Settings("redis", Map.of("uri", "redis://127.0.0.1:1"))).get(0),
          client,
          new SetClock());

  @AfterEach
  void end() {
    OpeningSteps.shutDown(client);
  }

  /** The lease goes on as if nobody had asked for it: nothing was sent, nor will be. */
  @Test
  void anEndThatCannotBeSentIsRefusedAtOnceAndNotNoted() {
    NodeClaim claim =
        node.claim(
            new ClaimRequest("a", "owner-1", TTL),
            LockKeys.tellingAll("lock:a", TokenCounter.exact("lock#token")));
    LockUnavailableException told =
        assertThrows(
            LockUnavailableException.class, () -> claim.expireIn(TTL.multipliedBy(3)).join());
    assertTrue(
        String.valueOf(told.getMessage()).startsWith("Setting the end of lock 'a'"),
        told.getMessage());
    assertEquals(TTL, claim.keptFor());
  }
}
