/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock;

import java.time.Duration;

/**
 * A step in the life of an acquisition or a lease. Sealed, so that a {@code switch} over it can be
 * exhaustive. Names of locks and clients are raw in the components, and escaped in {@code
 * toString()}.
 */
public sealed interface LockEvent {

  /**
   * The lock's name.
   *
   * @return the name
   */
  String lockName();

  /**
   * The owner id of the acquisition and of its lease; empty for an acquisition that ended before it
   * asked the backend.
   *
   * @return the owner id
   */
  String ownerId();

  /**
   * The share that was asked for: a lock, a side of a read-write lock, or permits.
   *
   * @return the share
   */
  Share share();

  /**
   * The backend was asked.
   *
   * @param lockName the lock
   * @param ownerId the owner
   * @param share what was asked for
   * @param number 1 for the first attempt of this acquisition
   */
  record Attempted(String lockName, String ownerId, Share share, int number) implements LockEvent {
    @Override
    public String toString() {
      return EventText.of(this, "number", number);
    }
  }

  /**
   * Somebody else holds the lock.
   *
   * @param lockName the lock
   * @param ownerId the owner that has to wait
   * @param share what was asked for
   */
  record Contended(String lockName, String ownerId, Share share) implements LockEvent {
    @Override
    public String toString() {
      return EventText.of(this);
    }
  }

  /**
   * An attempt failed.
   *
   * @param lockName the lock
   * @param ownerId the owner
   * @param share what was asked for
   * @param cause why
   */
  record AttemptFailed(String lockName, String ownerId, Share share, LockException cause)
      implements LockEvent {
    @Override
    public String toString() {
      return EventText.of(this, "cause", cause);
    }
  }

  /**
   * A lease began.
   *
   * @param lockName the lock
   * @param ownerId the owner
   * @param share what was asked for
   * @param fencingToken its token, or 0 if the backend has none
   * @param waited since the caller asked
   * @param handedOver whether the lock was passed on within this client, without the server, or, of
   *     a reader, shared with others that still hold it; if not, this was the answer to an attempt
   */
  record Granted(
      String lockName,
      String ownerId,
      Share share,
      long fencingToken,
      Duration waited,
      boolean handedOver)
      implements LockEvent {
    @Override
    public String toString() {
      return EventText.of(
          this, "fencingToken", fencingToken, "waited", waited, "handedOver", handedOver);
    }
  }

  /**
   * An acquisition ended without a lease.
   *
   * @param lockName the lock
   * @param ownerId the owner
   * @param share what was asked for
   * @param reason why
   * @param waited since the caller asked
   */
  record GaveUp(String lockName, String ownerId, Share share, Reason reason, Duration waited)
      implements LockEvent {

    /** Why an acquisition ended without a lease. */
    public enum Reason {
      /**
       * The time limit, or the limit of attempts, was reached; or the caller did not want to wait.
       */
      TIMED_OUT,
      /** The caller was interrupted, or cancelled the future. */
      CANCELLED,
      /** The client was closed. */
      CLOSED,
      /** The backend failed. */
      FAILED
    }

    @Override
    public String toString() {
      return EventText.of(this, "reason", reason, "waited", waited);
    }
  }

  /**
   * A lease was renewed or extended.
   *
   * @param lockName the lock
   * @param ownerId the owner
   * @param share what was asked for
   * @param remaining its validity from now
   */
  record Renewed(String lockName, String ownerId, Share share, Duration remaining)
      implements LockEvent {
    @Override
    public String toString() {
      return EventText.of(this, "remaining", remaining);
    }
  }

  /**
   * A renewal was not answered; it is tried again until the validity ends.
   *
   * @param lockName the lock
   * @param ownerId the owner
   * @param share what was asked for
   * @param cause why
   * @param remaining the validity that is left
   */
  record RenewalFailed(
      String lockName, String ownerId, Share share, LockException cause, Duration remaining)
      implements LockEvent {
    @Override
    public String toString() {
      return EventText.of(this, "cause", cause, "remaining", remaining);
    }
  }

  /**
   * No more validity of a lease is left than {@link LockOptions#earlyWarning()}, and renewals fail:
   * a renewal was not answered, or has had no answer for too long. Comes once for each lease and
   * episode; an episode ends with a renewal that succeeds. Leases of readers of one client may have
   * the same owner id; there is an event for each of them.
   *
   * @param lockName the lock
   * @param ownerId the owner
   * @param share what was asked for
   * @param cause why renewals fail
   * @param remaining the validity that is left
   */
  record EarlyWarning(
      String lockName, String ownerId, Share share, LockException cause, Duration remaining)
      implements LockEvent {
    @Override
    public String toString() {
      return EventText.of(this, "cause", cause, "remaining", remaining);
    }
  }

  /**
   * The holder of a lease of fixed time has set an earlier end ({@link Lease#expireIn}). It counts
   * from now on, whatever the server answers.
   *
   * @param lockName the lock
   * @param ownerId the owner
   * @param share what was asked for
   * @param remaining the validity that is left
   */
  record EndsEarlier(String lockName, String ownerId, Share share, Duration remaining)
      implements LockEvent {
    @Override
    public String toString() {
      return EventText.of(this, "remaining", remaining);
    }
  }

  /**
   * A lease was lost.
   *
   * @param lockName the lock
   * @param ownerId the owner
   * @param share what was asked for
   * @param reason why
   * @param held since the grant
   */
  record Lost(String lockName, String ownerId, Share share, LossReason reason, Duration held)
      implements LockEvent {
    @Override
    public String toString() {
      return EventText.of(this, "reason", reason, "held", held);
    }
  }

  /**
   * A lease was released by its holder, or by the close of its client.
   *
   * @param lockName the lock
   * @param ownerId the owner
   * @param share what was asked for
   * @param outcome what the backend said
   * @param held since the grant
   */
  record Released(
      String lockName, String ownerId, Share share, ReleaseOutcome outcome, Duration held)
      implements LockEvent {
    @Override
    public String toString() {
      return EventText.of(this, "outcome", outcome, "held", held);
    }
  }
}
