/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redis.node;

import io.holdfast.lock.LockException;
import io.holdfast.lock.LockUnavailableException;
import io.lettuce.core.RedisClient;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.LoggerFactory;

/** The steps of opening and closing a backend that wait. */
public final class Opening {

  private Opening() {}

  /**
   * Waits for a step.
   *
   * @param doing the beginning of the message if it fails
   * @param stage the step
   * @param limit for how long
   * @param <T> of the result
   * @return the result
   * @throws LockException what the step failed with, typed; or that it took too long
   */
  public static <T> T await(String doing, CompletableFuture<T> stage, Duration limit) {
    try {
      return stage.get(limit.toNanos(), TimeUnit.NANOSECONDS);
    } catch (ExecutionException e) {
      LockException typed = RedisFailures.typed(doing, e);
      throw typed;
    } catch (TimeoutException e) {
      throw new LockUnavailableException(doing + " failed: no answer within " + limit, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new LockUnavailableException(doing + " was interrupted", e);
    }
  }

  /**
   * Shuts a client of Lettuce down, with its threads and connections.
   *
   * @param client one that this library made
   */
  public static void shutDown(RedisClient client) {
    try {
      client
          .shutdownAsync(0, Duration.ofSeconds(2).toMillis(), TimeUnit.MILLISECONDS)
          .get(5, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException | TimeoutException e) {
      LoggerFactory.getLogger(Opening.class).warn("Lettuce did not shut down in time", e);
    }
  }
}
