/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.spi;

import io.holdfast.lock.Capabilities;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * One namespace of one server or cluster of servers, as the engine sees it.
 *
 * <p><b>Rules for every operation that returns a {@link CompletionStage}.</b> It never blocks the
 * caller. It completes within {@link #operationTimeout()}, on any thread; the engine does only
 * short, non-blocking work there. It fails with a {@link io.holdfast.lock.LockException} and
 * nothing else: {@link io.holdfast.lock.LockUnavailableException} where asking again may help,
 * {@link io.holdfast.lock.LockRejectedException} where it will not, and its message names the lock
 * that it is about. Nothing is sent later than the caller was told, unless {@link
 * LockClaim#release()} undoes it.
 *
 * @param <C> its claims: what {@link #claim} makes is what {@link #renew} is given
 */
public interface LockBackend<C extends LockClaim> extends AutoCloseable {

  /**
   * Describes what this backend promises. Constant from open to close, and answered without asking
   * the server.
   *
   * @return the facts
   */
  Capabilities capabilities();

  /**
   * The longest time after which any operation here has completed, one way or the other.
   *
   * @return a positive duration
   */
  Duration operationTimeout();

  /**
   * Makes a contender for a lock. Sends nothing. The engine has at most one live claim for a lock
   * at a time (a claim being released does not count as live). Of a name that is shared it may have
   * several that were granted, and one that was not; all of them fit into the capacity together. So
   * claims of one client never wait for each other.
   *
   * @param request the lock, the owner and the terms; already validated
   * @param signals how the backend speaks to the engine about this claim
   * @return a new claim
   */
  C claim(ClaimRequest request, ClaimSignals signals);

  /**
   * Prolongs leases that were granted to claims of this backend: atomically, and only where the
   * claim still owns the lock. Never brings back a lock that is gone, and never shortens what the
   * claim has: a request that arrives late, or for a shorter TTL, does no harm. As few requests as
   * the server allows.
   *
   * @param requests one or more renewals, each of a different claim
   * @return one answer for each request, in their order; a failed stage means unknown for all
   */
  CompletionStage<List<RenewalAnswer>> renew(List<RenewalRequest<C>> requests);

  /**
   * Where the lease of a claim is kept, if a backend has several places that can fail one by one.
   * The leases of one place are renewed together, and none waits for the answer of another place.
   *
   * @param claim of this backend
   * @return equal for the same place
   */
  default Object placeOf(C claim) {
    return this;
  }

  /**
   * Whether attempts that are made within one {@code Batcher.together} are decided in one step of
   * the server, so that of two clients that want the same locks one gets all of them. Several locks
   * are asked for at once then; elsewhere one after another, in the order of their names.
   *
   * @return false unless the server decides all of them at one moment
   */
  default boolean decidesTogether() {
    return false;
  }

  /**
   * Gives access to questions about locks that anybody holds.
   *
   * @return empty if nothing can, and {@link Capabilities#inspection()} says so
   */
  default Optional<LockInspection> inspection() {
    return Optional.empty();
  }

  /**
   * Ends every thread and connection that this backend opened, and nothing that was handed to it.
   * The engine has released all claims before, as far as the server could be reached. May block for
   * about the operation time-out. Idempotent, and throws nothing.
   */
  @Override
  void close();
}
