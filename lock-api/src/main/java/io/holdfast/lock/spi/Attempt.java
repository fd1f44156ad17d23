/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.spi;

import io.holdfast.lock.Capabilities;
import java.time.Duration;
import java.util.Optional;

/** The answer to {@link LockClaim#attempt()}. */
public sealed interface Attempt {

  /**
   * The claim holds the lock.
   *
   * @param token a positive number below 2<sup>53</sup>, greater than that of every earlier grant
   *     of this lock (the engine makes the fencing token of it). Of a name that is shared: greater
   *     than that of every earlier grant with which it does not fit into the capacity together; 0
   *     where {@link Capabilities#fencing()} is {@link Capabilities.Fencing#NONE}
   * @param leaseTime for how long the server vouches for the grant, counted from no later than the
   *     moment at which the attempt was sent; the engine subtracts its margin
   */
  record Granted(long token, Duration leaseTime) implements Attempt {}

  /**
   * Somebody else holds the lock, or too much of the name, or is ahead in the queue.
   *
   * @param askAgainIn after what time another attempt may succeed at the earliest if nobody
   *     releases, where the server can tell (the remaining TTL of the holder); the engine asks then
   *     if it would not have asked before anyhow
   */
  record Contended(Optional<Duration> askAgainIn) implements Attempt {}
}
