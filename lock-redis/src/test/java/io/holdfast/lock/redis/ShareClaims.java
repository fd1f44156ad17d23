/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redis;

import static io.holdfast.lock.redis.RedisHarness.DEAF;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.holdfast.lock.LockCapacityException;
import io.holdfast.lock.LockHolder;
import io.holdfast.lock.Share;
import io.holdfast.lock.servers.RedisServer;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.ReleaseAnswer;
import io.holdfast.lock.spi.RenewalAnswer;
import io.holdfast.lock.spi.RenewalRequest;
import io.holdfast.lock.spi.Settings;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;

/** Claims to shares of a name at one server, made of the backend itself. */
abstract class ShareClaims {

  static final Duration LONG = Duration.ofMinutes(2);
  static final Duration SHORT = Duration.ofMillis(2_500);
  static final Share TWO_OF_FIVE = Share.of(2, 5);

  private final AtomicInteger owners = new AtomicInteger();
  final RedisServer server = RedisServer.launch();
  final RedisBackend backend = open(server);

  private static RedisBackend open(RedisServer server) {
    Map<String, String> settings =
        new HashMap<>(RedisFixture.settings(server.host(), server.port()));
    settings.remove("provider");
    settings.put("command-timeout", "5s");
    return (RedisBackend) new RedisLockProvider().open(new Settings("redis", settings));
  }

  @AfterEach
  void end() {
    backend.close();
    server.close();
  }

  /** How often waiters were told, by scripts too; they are also woken now and then without it. */
  long published() {
    return RedisHarness.info(server, "commandstats", "cmdstat_publish:calls=");
  }

  List<LockHolder> holders() {
    return join(backend.inspection().orElseThrow().holders("a"));
  }

  List<RenewalAnswer> renew(RedisClaim... claims) {
    return join(
        backend.renew(
            List.of(claims).stream()
                .map(claim -> new RenewalRequest<>(claim, LONG, Duration.ofSeconds(10)))
                .toList()));
  }

  static void assertCapacities(RedisClaim claim, int asked, int inUse) {
    CompletionException told = assertThrows(CompletionException.class, () -> join(claim.attempt()));
    LockCapacityException why = assertInstanceOf(LockCapacityException.class, told.getCause());
    assertEquals(asked, why.askedFor());
    assertEquals(inUse, why.inUse());
    assertEquals(ReleaseAnswer.NOT_OURS, join(claim.release()));
  }

  String owner() {
    return "owner-" + owners.incrementAndGet();
  }

  RedisClaim claim(Share share, Duration ttl) {
    return backend.claim(new ClaimRequest("a", owner(), ttl, share), DEAF);
  }

  /** One that does not wait. */
  RedisClaim trying(Share share) {
    return backend.claim(new ClaimRequest("a", owner(), LONG, share, false), DEAF);
  }

  RedisClaim named(String name, Share share) {
    return backend.claim(new ClaimRequest(name, owner(), SHORT, share), DEAF);
  }

  static long granted(RedisClaim claim) {
    return assertInstanceOf(Attempt.Granted.class, join(claim.attempt())).token();
  }

  static Attempt.Contended contended(RedisClaim claim) {
    return assertInstanceOf(Attempt.Contended.class, join(claim.attempt()));
  }

  static <T> T join(CompletionStage<T> stage) {
    return stage.toCompletableFuture().join();
  }
}
