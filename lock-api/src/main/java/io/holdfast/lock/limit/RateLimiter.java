/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.limit;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/**
 * Grants permits for keys: for each key no more than the limit within any window of its length,
 * over all processes that ask the same server with the same namespace. The window slides: there is
 * no moment at which all permits come back. Different keys do not affect each other. Limiters with
 * different limits for the same keys need different namespaces.
 *
 * <p>A key is any Unicode text of 1 to 512 bytes of UTF-8: a user, an address, an action and both.
 * For any number of threads.
 *
 * <p>Without an answer of the server nothing is thrown: the answer is {@link RateAnswer.Undecided},
 * which allows or refuses as {@link RateLimit#unanswered()} says, and the log says so at most once
 * a minute.
 */
public interface RateLimiter extends AutoCloseable {

  /**
   * The limit for each key.
   *
   * @return the terms
   */
  RateLimit limit();

  /**
   * Asks for one permit.
   *
   * @param key of what
   * @return as {@link #tryAcquire(String, int)}
   */
  RateAnswer tryAcquire(String key);

  /**
   * Asks for permits: all or none. Waits for the server's answer only, which is bounded by the
   * backend's time-outs; an interrupt does not end that, and stays set.
   *
   * @param key of what
   * @param permits how many, at least one and at most the limit
   * @return the answer
   * @throws IllegalArgumentException if the key or the number is not good
   * @throws io.holdfast.lock.LockClosedException if the limiter is closed
   */
  RateAnswer tryAcquire(String key, int permits);

  /**
   * Asks for permits; if they are refused, waits for as long as the server says, and asks again.
   * Waiters are in no order.
   *
   * @param key of what
   * @param permits how many, at least one and at most the limit
   * @param maxWait zero means to ask once
   * @return the answer; refused as soon as it is certain that no permit will be free in time
   * @throws IllegalArgumentException if the key, the number or the wait is not good
   * @throws InterruptedException if interrupted; permits that were just granted are used up
   * @throws io.holdfast.lock.LockClosedException if the limiter is closed
   */
  RateAnswer tryAcquire(String key, int permits, Duration maxWait) throws InterruptedException;

  /**
   * As {@link #tryAcquire(String, int)}, without blocking.
   *
   * @param key of what
   * @param permits how many, at least one and at most the limit
   * @return completes on the callback executor of the options
   */
  CompletableFuture<RateAnswer> tryAcquireAsync(String key, int permits);

  /**
   * As {@link #tryAcquire(String, int, Duration)}, without blocking. Cancelling the future ends the
   * wait.
   *
   * @param key of what
   * @param permits how many, at least one and at most the limit
   * @param maxWait zero means to ask once
   * @return completes on the callback executor of the options
   */
  CompletableFuture<RateAnswer> tryAcquireAsync(String key, int permits, Duration maxWait);

  /** Ends waits with an exception, and closes the connections. Granted permits stay counted. */
  @Override
  void close();
}
