/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redis;

import static io.holdfast.lock.redis.RedisHarness.DEAF;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.holdfast.lock.Share;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.ReleaseAnswer;
import io.holdfast.lock.spi.RenewalAnswer;
import io.holdfast.lock.spi.RenewalRequest;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Names that several owners share, all over a cluster: all keys of a script are in one slot. */
class ClusterSharesTest {

  private static final Duration TTL = Duration.ofMinutes(2);
  private static final int NAMES = 20;

  @Test
  void readersAndWritersOfManyNames() {
    try (ClusterHarness scene = new ClusterHarness()) {
      RedisBackend backend = scene.backend();
      List<RedisClaim> readers = claims(backend, Share.READ, "r");
      List<RedisClaim> writers = claims(backend, Share.WRITE, "w");
      readers.forEach(one -> assertInstanceOf(Attempt.Granted.class, join(one.attempt())));
      writers.forEach(one -> assertInstanceOf(Attempt.Contended.class, join(one.attempt())));
      assertEquals(
          Collections.nCopies(NAMES, new RenewalAnswer.Extended(TTL)),
          join(
              backend.renew(
                  readers.stream()
                      .map(one -> new RenewalRequest<>(one, TTL, Duration.ofSeconds(10)))
                      .toList())));
      readers.forEach(one -> assertEquals(ReleaseAnswer.FREED, join(one.release())));
      writers.forEach(one -> assertInstanceOf(Attempt.Granted.class, join(one.attempt())));
      writers.forEach(one -> assertEquals(ReleaseAnswer.FREED, join(one.reduceTo(1))));
      assertEquals(NAMES, join(backend.inspection().orElseThrow().names()).size());
    }
  }

  private static List<RedisClaim> claims(RedisBackend backend, Share share, String owner) {
    return IntStream.range(0, NAMES)
        .mapToObj(
            i -> backend.claim(new ClaimRequest("name {" + i + "}", owner + i, TTL, share), DEAF))
        .toList();
  }

  private static <T> T join(CompletionStage<T> stage) {
    return stage.toCompletableFuture().join();
  }
}
