/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.limit.LimiterBackend;
import io.holdfast.lock.limit.RateAnswer;
import io.holdfast.lock.limit.RateLimit;
import io.holdfast.lock.limit.RateLimit.Unanswered;
import io.holdfast.lock.limit.RateLimiter;
import io.holdfast.lock.limit.RateLimiters;
import io.holdfast.lock.testsupport.CapturedLog;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** A limiter without a server says so once a minute, however often it is asked. */
class LimiterWarningsTest {

  private static final Duration MINUTE = Duration.ofMinutes(1);

  /** Has no server. */
  private static final class Away implements LimiterBackend {

    @Override
    public CompletionStage<RateAnswer> decide(RateLimit limit, String key, int permits) {
      return CompletableFuture.failedFuture(new LockUnavailableException("away"));
    }

    @Override
    public void close() {}
  }

  private static void ask(RateLimiter limiter, int times) {
    for (int i = 0; i < times; i++) {
      limiter.tryAcquire("a");
    }
  }

  @Test
  void eachWarningCountsTheRequestsSinceTheOneBefore() {
    ManualTime time = new ManualTime();
    RateLimit limit = new RateLimit(5, MINUTE, Unanswered.REFUSE);
    try (CapturedLog log = new CapturedLog();
        RateLimiter limiter =
            RateLimiters.using(new Away(), limit, ClientOptions.defaults().withTime(time))) {
      ask(limiter, 3);
      time.advance(MINUTE.minusNanos(1));
      ask(limiter, 4);
      assertEquals(List.of("1"), counts(log));
      time.advance(Duration.ofNanos(1));
      ask(limiter, 2);
      assertEquals(List.of("1", "7"), counts(log));
    }
  }

  private static List<String> counts(CapturedLog log) {
    return log.warnings("io.holdfast.lock.limit.engine.EngineLimiter").stream()
        .map(line -> line.replaceAll(".*\\((\\d+) requests since.*", "$1"))
        .toList();
  }
}
