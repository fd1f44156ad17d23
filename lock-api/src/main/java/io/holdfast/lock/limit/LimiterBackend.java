/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.limit;

import java.util.concurrent.CompletionStage;

/** Counts permits at a server. For any number of threads; nothing here waits or repeats. */
public interface LimiterBackend {

  /**
   * Grants permits if no window of the limit's length then has more than the limit; in one atomic
   * step, by the server's clock. A refusal leaves nothing at the server.
   *
   * @param limit the terms
   * @param key a good name
   * @param permits from one to the limit's
   * @return {@link RateAnswer.Granted} or {@link RateAnswer.Refused}; fails with a {@link
   *     io.holdfast.lock.LockException} if there is no answer within this backend's deadline
   */
  CompletionStage<RateAnswer> decide(RateLimit limit, String key, int permits);

  /** Ends what was opened, also what is under way. */
  void close();
}
