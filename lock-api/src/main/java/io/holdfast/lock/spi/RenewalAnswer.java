/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.spi;

import io.holdfast.lock.LockException;
import io.holdfast.lock.LossReason;
import java.time.Duration;

/** The answer to one {@link RenewalRequest}: extended, lost, or don't know. */
public sealed interface RenewalAnswer {

  /**
   * The claim still owns the lock.
   *
   * @param leaseTime for how long the server vouches for it, counted from no later than the moment
   *     at which the request was sent
   */
  record Extended(Duration leaseTime) implements RenewalAnswer {}

  /**
   * The server says that the claim does not own the lock any more.
   *
   * @param reason why, as far as it is known
   */
  record Lost(LossReason reason) implements RenewalAnswer {}

  /**
   * No answer, or one that does not tell. Neither extends nor loses; the engine asks again until
   * the validity ends.
   *
   * @param cause what went wrong
   */
  record Unknown(LockException cause) implements RenewalAnswer {}
}
