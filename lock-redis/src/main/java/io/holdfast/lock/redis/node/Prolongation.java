/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redis.node;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/**
 * A claim to be prolonged, and for how long from now: see {@link NodeClaim#prolongation}.
 *
 * @param claim taken
 * @param ttl the least that is to be left
 * @param asked how often the end of the lock had been set
 */
public record Prolongation(NodeClaim claim, Duration ttl, long asked) {

  /** Whether it may be sent: it does not undo an end that was set since. */
  boolean begin(CompletableFuture<?> answered) {
    return claim.renewals().begin(asked, answered);
  }
}
