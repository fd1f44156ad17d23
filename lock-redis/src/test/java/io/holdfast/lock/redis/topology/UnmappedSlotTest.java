/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redis.topology;

import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.redis.SetClock;
import io.holdfast.lock.redis.client.OpeningSteps;
import io.holdfast.lock.redis.client.RedisConfig;
import io.holdfast.lock.redis.node.NodeClaim;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.Settings;
import io.lettuce.core.RedisClient;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A lock whose slot has no server, as when a part of a cluster is gone. */
class UnmappedSlotTest {

  private final RedisClient client = RedisClient.create();
  private final Cluster cluster =
      new Cluster(
          RedisConfig.from(new Settings("redis", Map.of("uri", "redis-cluster://127.0.0.1:1"))),
          client,
          new SetClock());

  @AfterEach
  void end() {
    OpeningSteps.shutDown(client);
  }

  /** Some server of the cluster says where it is now, or that it is nowhere. */
  @Test
  void itIsAskedForAtAServerThatIsKnown() {
    NodeClaim claim = cluster.claim(new ClaimRequest("a", "owner-1", Duration.ofSeconds(10)));
    assertNotNull(cluster.placeOf(claim));
    CompletableFuture<?> answer = claim.acquire(0, false);
    ExecutionException told =
        assertThrows(ExecutionException.class, () -> answer.get(30, TimeUnit.SECONDS));
    assertInstanceOf(LockUnavailableException.class, told.getCause());
  }
}
