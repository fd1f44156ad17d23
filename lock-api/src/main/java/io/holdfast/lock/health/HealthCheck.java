/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.health;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * Implemented by a backend, in addition to {@link io.holdfast.lock.spi.LockBackend}, that can check
 * its servers. The rules for its operations apply: nothing blocks, and a stage completes within the
 * operation time-out.
 */
public interface HealthCheck {

  /**
   * Looks for settings of the servers that would break a promise. Things that the user of this
   * client may not look at are left out, or are a finding; they are not a failure.
   *
   * @param ttl that locks will have
   * @return one report for each server that could be asked
   */
  CompletionStage<List<ServerReport>> examine(Duration ttl);
}
