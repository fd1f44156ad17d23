/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redis.node;

import java.time.Duration;
import java.util.Optional;

/** The answer of a server to {@link NodeClaim#acquire}. */
public sealed interface ClaimAnswer {

  /**
   * The lock is this claim's.
   *
   * @param number drawn for it
   */
  record Taken(long number) implements ClaimAnswer {}

  /**
   * The lock is another's.
   *
   * @param owner whose
   * @param askAgainIn what is left of its TTL; empty if it has none
   */
  record Refused(String owner, Optional<Duration> askAgainIn) implements ClaimAnswer {}

  /**
   * The name is in use with another capacity; of a lock, it is 1.
   *
   * @param inUse which
   */
  record OtherCapacity(int inUse) implements ClaimAnswer {}
}
