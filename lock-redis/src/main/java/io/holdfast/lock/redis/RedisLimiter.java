/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redis;

import io.holdfast.lock.limit.LimiterBackend;
import io.holdfast.lock.limit.RateAnswer;
import io.holdfast.lock.limit.RateLimit;
import io.holdfast.lock.redis.node.Script;
import io.lettuce.core.ScriptOutputType;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Permits that are counted by a Redis server, or all over a cluster. The grants for a key are the
 * list {@code <namespace>#rate:<key>}, with one entry for each grant, its time and its number of
 * permits; so a key needs no more entries than the limit, and none once a window has passed. A
 * refusal writes nothing.
 *
 * <p><b>What can go wrong.</b> The clock is the server's wall clock: a step forward frees permits
 * early. After a step back, permits come back late, by as much as it went back or by a window,
 * whichever is less. A server that loses its data, or a replica that is promoted without the newest
 * grants, has forgotten them; {@code wait-replicas} has replicas confirm each answer. A request
 * without an answer may have been counted.
 */
final class RedisLimiter implements LimiterBackend {

  private static final Script LIMIT =
      Script.read(
          RedisLimiter.class.getResourceAsStream("limit.lua"), "limit.lua", ScriptOutputType.MULTI);

  private final OpenServers opened;

  RedisLimiter(OpenServers opened) {
    this.opened = opened;
  }

  /** Writes what is gone a moment later, to a key that nobody uses, as no key is empty. */
  static CompletableFuture<?> trial(OpenServers opened) {
    return ask(opened, "", 1, Duration.ofMillis(1), 1);
  }

  @Override
  public CompletableFuture<RateAnswer> decide(RateLimit limit, String key, int permits) {
    return ask(opened, key, limit.permits(), limit.window(), permits);
  }

  private static CompletableFuture<RateAnswer> ask(
      OpenServers opened, String key, int limit, Duration window, int permits) {
    return opened
        .servers
        .<List<Long>>call(
            "Limiting '" + key + "'",
            LIMIT,
            // No namespace has a hash sign, so no lock has this key.
            opened.config.namespace() + "#rate:" + key,
            String.valueOf(limit),
            String.valueOf(window.toNanos() / 1000),
            String.valueOf(permits))
        .thenApply(RedisLimiter::toAnswer);
  }

  private static RateAnswer toAnswer(List<Long> answer) {
    return answer.get(0) == 1
        ? new RateAnswer.Granted(answer.get(1).intValue())
        : new RateAnswer.Refused(Duration.of(answer.get(1), ChronoUnit.MICROS));
  }

  @Override
  public void close() {
    opened.close();
  }
}
