/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.spi;

import io.holdfast.lock.Capabilities;
import io.holdfast.lock.LockRejectedException;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.text.TimeText;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * One contender for one lock, from its first attempt to its release. It may keep a place in a queue
 * at the server between attempts. The engine never has two attempts of one claim in flight, and may
 * call {@link #release()} at any moment, also during an attempt and from another thread.
 */
public interface LockClaim {

  /**
   * Asks once for the lock, or for its {@linkplain ClaimRequest#share() share} of the name: granted
   * if it fits into the capacity together with all that is held, and if no claim that has asked
   * before and still waits would be overtaken. So a writer is served though readers keep coming,
   * and a big request though small ones do. Where the server keeps no queue, a claim that waits
   * leaves a mark there, which its next attempt renews, its release removes, and a TTL ends: what
   * is ahead of it may then be as late as that. A claim that {@linkplain ClaimRequest#waits() does
   * not wait} has left neither a mark nor a place in a queue when it answers that it is refused.
   * Fails with a {@link io.holdfast.lock.LockCapacityException} if the name is in use with another
   * capacity. A lock (1 of 1) that nobody shares has no mark, and costs what it costs without any
   * of this.
   *
   * <p>Asked again by a claim that holds already (its first answer was lost, say), it grants again,
   * with the same token or a greater one.
   *
   * @return granted or contended
   */
  CompletionStage<Attempt> attempt();

  /**
   * Ends this claim: frees the lock if this claim owns it, leaves the queue if it waits, and undoes
   * an attempt whose outcome is unknown. When the stage has completed normally, nothing of this
   * claim is at the server, and nothing of it that was sent earlier can arrive there later, except
   * for what a server removes by itself when it ends a session that is over already. When the stage
   * has failed, the engine calls again. Atomic, and never touches what another owner holds. After
   * the first call no attempt follows.
   *
   * @return what was found
   */
  CompletionStage<ReleaseAnswer> release();

  /**
   * As {@link #release()}, but if this claim owns the lock, the server leaves it taken for this
   * long from now, longer or shorter than before, and frees it then by itself; in the same atomic
   * step that compares the owner. The claim is over: it prolongs nothing any more. Waiters may be
   * woken, so that they ask when to come back. Only asked of a backend whose {@link
   * Capabilities#retention()} is {@link Capabilities.Retention#SERVER}, and of a claim that was
   * granted; asked again where the stage has failed, with what is left by then.
   *
   * @param keepFor positive
   * @return {@link ReleaseAnswer#FREED} if the claim owned the lock
   */
  default CompletionStage<ReleaseAnswer> release(Duration keepFor) {
    throw new UnsupportedOperationException(
        "This backend cannot keep a lock for %s; see Capabilities.retention()"
            .formatted(TimeText.of(keepFor)));
  }

  /**
   * Has the server free the lock by itself in this long from now, if this claim owns it: longer or
   * shorter than before, in the same atomic step that compares the owner. A renewal that was asked
   * for before does not undo it. The claim goes on: it may be renewed and released. Asked as {@link
   * #release(Duration)} is.
   *
   * <p>A request whose outcome is unknown may be carried out later, so the lease cannot be extended
   * after it. There is no such doubt if this method throws, if the stage fails with a {@link
   * LockRejectedException}, or if its answer is {@link RenewalAnswer.Unknown}, and says why nothing
   * was sent.
   *
   * @param left positive
   * @return extended by as much, or lost; {@link RenewalAnswer.Unknown} if this was not sent, nor
   *     will be; a failed stage means unknown, or refused if it is a {@link LockRejectedException}:
   *     then nothing can be carried out later
   * @throws LockUnavailableException if nothing was sent, nor will be
   */
  default CompletionStage<RenewalAnswer> expireIn(Duration left) {
    throw new UnsupportedOperationException(
        "This backend cannot end a lock in %s; see Capabilities.retention()"
            .formatted(TimeText.of(left)));
  }

  /**
   * Gives a part of its permits back, and keeps the others: a writer becomes a reader without
   * letting another writer in between. In the same atomic step that compares the owner; the claim
   * goes on as if it had been granted that. Asked again where the stage has failed; of a claim that
   * has no more than this already, it changes nothing. Waiters are woken. A server that may lose
   * what it has answered is told again with each renewal. Only asked where {@link
   * Capabilities#sharing()} is not {@link Capabilities.Sharing#NONE}, and of a claim that was
   * granted.
   *
   * @param kept fewer than were granted; 1 for a reader
   * @return {@link ReleaseAnswer#FREED} if the claim owns them
   */
  default CompletionStage<ReleaseAnswer> reduceTo(int kept) {
    throw new UnsupportedOperationException(
        "This backend cannot keep a part of a lock; see Capabilities.sharing()");
  }

  /**
   * As {@link #release()}, and undoes what was done under the lock in a transaction that belongs to
   * it: the lease was lost, or its holder did not come to a good end. Where a lock stands for
   * itself there is nothing to undo.
   *
   * @return what was found
   */
  default CompletionStage<ReleaseAnswer> discard() {
    return release();
  }

  /**
   * Something of the backend that belongs to this claim while it holds the lock, for the holder.
   * Asked from any thread.
   *
   * @param type what is wanted
   * @param <T> what is wanted
   * @return empty if there is no such thing
   */
  default <T> Optional<T> unwrap(Class<T> type) {
    return Optional.empty();
  }
}
