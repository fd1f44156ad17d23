/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.history;

import java.time.Duration;

/**
 * The demands on a history: the backend's promises, and for how long things may take on this
 * machine. Suspensions of the process itself are never counted against it.
 *
 * @param fencing whether tokens grow
 * @param fifo whether who comes first is served first, between processes
 * @param tellingSlack from the end of a lease to when its holder is told
 * @param waitingSlack from the limit of a wait to when the caller has its answer
 * @param recovery from the last heal, or from when the last holder was heard of, until somebody
 *     else has the lock: more than a TTL or session time-out
 */
public record Expectations(
    boolean fencing,
    boolean fifo,
    Duration tellingSlack,
    Duration waitingSlack,
    Duration recovery) {

  /**
   * Exclusion and tokens, no order; times for a machine that does much else.
   *
   * @param ttl the longest TTL or session time-out of the run
   * @return a copy
   */
  public static Expectations of(Duration ttl) {
    return new Expectations(
        true, false, Duration.ofSeconds(1), Duration.ofSeconds(2), ttl.plus(Duration.ofSeconds(3)));
  }

  /**
   * The same, but for whether tokens grow.
   *
   * @param promised whether it is to be demanded
   * @return a copy
   */
  public Expectations withFencing(boolean promised) {
    return new Expectations(promised, fifo, tellingSlack, waitingSlack, recovery);
  }

  /**
   * The same, but for whether who comes first is served first.
   *
   * @param promised whether it is to be demanded
   * @return a copy
   */
  public Expectations withFifo(boolean promised) {
    return new Expectations(fencing, promised, tellingSlack, waitingSlack, recovery);
  }

  /**
   * The same, but for the times.
   *
   * @param telling how long after the end of a validity its loss may be told
   * @param waiting how long a waiter may wait beyond its limit
   * @param recovering how long after the last fault a lock may stay without a grant
   * @return a copy
   */
  public Expectations withTimes(Duration telling, Duration waiting, Duration recovering) {
    return new Expectations(fencing, fifo, telling, waiting, recovering);
  }
}
