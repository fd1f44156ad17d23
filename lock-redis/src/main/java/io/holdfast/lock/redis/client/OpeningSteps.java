/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redis.client;

import io.holdfast.lock.LockException;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.text.TimeText;
import io.lettuce.core.RedisClient;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The steps of opening and closing a backend that wait. */
public final class OpeningSteps {

  private static final Logger LOG = LoggerFactory.getLogger(OpeningSteps.class);
  private static final Duration SHUT_DOWN = Duration.ofSeconds(2);

  /**
   * For how long Netty's threads have to have nothing to do before they end, if a connection is
   * being made. Otherwise they may begin to connect after they have closed all that there was, and
   * leave that open. It takes a tenth of a second.
   */
  private static final Duration QUIET = Duration.ofMillis(20);

  private OpeningSteps() {}

  /**
   * Waits for a step.
   *
   * @param operation the beginning of the message if it fails
   * @param stage the step
   * @param limit for how long
   * @param <T> of the result
   * @return the result
   * @throws LockException what the step failed with, typed; or that it took too long
   */
  public static <T> T await(String operation, CompletableFuture<T> stage, Duration limit) {
    try {
      return stage.get(limit.toNanos(), TimeUnit.NANOSECONDS);
    } catch (ExecutionException e) {
      LockException typed = RedisFailures.typed(operation, e);
      throw typed;
    } catch (TimeoutException e) {
      throw new LockUnavailableException(
          operation + " failed: no answer within " + TimeText.of(limit), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new LockUnavailableException(operation + " was interrupted", e);
    }
  }

  /**
   * Ends a client, and with it the threads that are its own. An interrupt does not cut that short,
   * and stays set.
   *
   * @param client one that this library made
   */
  public static void shutDown(RedisClient client) {
    boolean connecting = client instanceof AsyncRedisClient own && own.isConnecting();
    long quiet = connecting ? QUIET.toMillis() : 0;
    if (!finish(
        client.shutdownAsync(quiet, SHUT_DOWN.toMillis(), TimeUnit.MILLISECONDS),
        SHUT_DOWN.multipliedBy(2))) {
      LOG.warn("Lettuce did not shut down in time");
    }
  }

  /**
   * Waits for a step of closing. An interrupt does not cut that short, and stays set.
   *
   * @param stage the step
   * @param limit for how long
   * @return whether it ended well within the limit
   */
  public static boolean finish(CompletableFuture<?> stage, Duration limit) {
    boolean interrupted = false;
    long end = System.nanoTime() + limit.toNanos();
    try {
      while (true) {
        try {
          stage.get(end - System.nanoTime(), TimeUnit.NANOSECONDS);
          return true;
        } catch (InterruptedException e) {
          interrupted = true;
        } catch (ExecutionException | TimeoutException e) {
          return false;
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
