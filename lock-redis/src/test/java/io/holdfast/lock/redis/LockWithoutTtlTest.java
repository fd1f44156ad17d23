/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redis;

import static io.holdfast.lock.redis.RedisHarness.DEAF;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.holdfast.lock.LockHolder;
import io.holdfast.lock.servers.RedisServer;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.Settings;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A lock that never ends, as a program makes it that dies before it sets the TTL. */
class LockWithoutTtlTest {

  private final RedisServer server = RedisServer.launch();
  private final RedisBackend backend = open(server);

  private static RedisBackend open(RedisServer server) {
    Map<String, String> settings =
        new HashMap<>(RedisFixture.settings(server.host(), server.port()));
    settings.remove("provider");
    settings.put("command-timeout", "10s");
    server.command("SET", "lock:a", "stranger");
    return (RedisBackend) new RedisLockProvider().open(new Settings("redis", settings));
  }

  @AfterEach
  void end() {
    backend.close();
    server.close();
  }

  /** That would be a request after another, without a pause. */
  @Test
  void itsEndIsNotWaitedFor() {
    RedisClaim claim = backend.claim(new ClaimRequest("a", "owner-1", Duration.ofMinutes(2)), DEAF);
    assertEquals(
        new Attempt.Contended(Optional.empty()), claim.attempt().toCompletableFuture().join());
    claim.release().toCompletableFuture().join();
  }

  @Test
  void itIsToldWithoutAnEnd() {
    LockHolder holder =
        backend.inspection().orElseThrow().holder("a").toCompletableFuture().join().orElseThrow();
    assertEquals(Optional.of("stranger"), holder.ownerId());
    assertEquals(Optional.empty(), holder.expiresIn());
  }
}
