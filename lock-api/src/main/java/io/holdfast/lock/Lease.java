/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock;

import io.holdfast.lock.text.VisibleText;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * One period of holding a lock: it begins when it is granted, and ends when it is released or lost.
 * It belongs to the code that has this object, not to a thread.
 *
 * <p><b>Validity</b> is counted on this JVM's monotonic clock from before the request that bought
 * it was sent, less a margin for drift, and computed when asked. So it ends before the backend can
 * give the lock to somebody else, also when the backend cannot be reached, and also on the first
 * look after the process was paused. A lease that is not valid never becomes valid again.
 *
 * <p>A check of validity and a later write are two steps, and a pause fits between them. Where that
 * matters, send {@link #fencingToken()} along with every write, and let the resource refuse smaller
 * ones.
 *
 * <p><b>Keep a reference until its release.</b> Nobody can release a renewed lease to which nothing
 * in the JVM refers any more. When the garbage collector has found such a lease, the next renewal
 * releases it instead, with a warning that names the place where it was acquired. To hold a lock
 * for as long as the client lives, register {@link #onLoss} or keep {@link #loss()}: both keep the
 * lease, and so do {@link #onRenewalFailing} and {@link #unwrap}.
 */
public interface Lease extends AutoCloseable {

  /**
   * The lock's name. For several locks ({@link LockClient#allOf}), their names in one text, for
   * people; programs use {@link #lockNames()}.
   *
   * @return the name
   */
  String lockName();

  /**
   * The names of all locks of this lease, in the order in which they were taken.
   *
   * @return mostly one
   */
  default List<String> lockNames() {
    return List.of(lockName());
  }

  /**
   * The share that this lease holds: a lock, a side of a read-write lock, or permits.
   *
   * @return the share
   */
  Share share();

  /**
   * The owner, as the backend shows it to a person who looks: unique for every lease, but shared by
   * those that a client passes on among its own waiters ({@link HandOver}). For several locks, one
   * for each, in one text, in the order of {@link #lockNames()}.
   *
   * @return the owner id
   */
  String ownerId();

  /**
   * A positive number, strictly greater than that of every earlier lease of the same lock. Never
   * changes.
   *
   * @return the fencing token
   * @throws UnsupportedOperationException if the backend has no tokens, or this is a lease of
   *     several locks, which has a token for each ({@link #fencingToken(String)})
   */
  long fencingToken();

  /**
   * The token of one of the locks of this lease, on the terms of {@link #fencingToken()}.
   *
   * @param lockName one of {@link #lockNames()}
   * @return the fencing token
   * @throws UnsupportedOperationException if the backend has no tokens
   * @throws IllegalArgumentException if this is not a lease of that lock
   */
  default long fencingToken(String lockName) {
    if (!lockName.equals(lockName())) {
      throw new IllegalArgumentException(
          "The lease of lock '%s' is not of lock '%s'"
              .formatted(VisibleText.of(lockName()), VisibleText.of(lockName)));
    }
    return fencingToken();
  }

  /**
   * Whether the lock is certainly ours now. Does not ask the backend.
   *
   * @return false after release, loss, or the end of the validity
   */
  boolean isValid();

  /**
   * For how long {@link #isValid()} stays true if no renewal succeeds.
   *
   * @return zero if not valid
   */
  Duration remaining();

  /**
   * For use before a step that needs the lock.
   *
   * @throws LockLostException if the lease is not valid
   */
  void ensureValid();

  /**
   * Makes the lease last for at least this long from now: moves the end of a lease of fixed time,
   * and buys time ahead otherwise (later renewals go on with the TTL of the options). Never
   * shortens, and never moves the end beyond {@link HoldTimes#maximum()}. On a backend with
   * sessions, a lease with automatic renewal lasts as the session does. Waits for the answer, at
   * most for about the backend's operation time-out; an interrupt does not end it, and stays set.
   *
   * @param ttl 100 ms to 365 days
   * @throws LockLostException if the lease is not valid, or is found to be lost
   * @throws LockUnavailableException if there is no answer, or an earlier end was set before there
   *     was one; the lease stays as it was
   */
  void extend(Duration ttl);

  /**
   * As {@link #extend}, without waiting.
   *
   * @param ttl 100 ms to 365 days
   * @return completes when extended, or fails as {@link #extend} throws: on the client's callback
   *     executor, or before this returns if that is known by then
   */
  CompletableFuture<Void> extendAsync(Duration ttl);

  /**
   * Sets the end of a lease of fixed time ({@link Renewal#none()}) to this long from now, earlier
   * or later than before. An earlier end counts here at once, and at the server when it answers: a
   * server that has a TTL for each lock frees the lock then, even if this process dies; elsewhere
   * the client releases it then. A minimum hold is kept where the server keeps it. Waits as {@link
   * #extend} does.
   *
   * @param left 100 ms to 365 days
   * @throws IllegalStateException if the lease is renewed, as its next renewal would move its end;
   *     release it instead
   * @throws LockLostException if the lease is not valid, or is found to be lost
   * @throws LockUnavailableException if there is no answer; an earlier end counts here all the
   *     same, and the lock is given back then
   */
  void expireIn(Duration left);

  /**
   * As {@link #expireIn}, without waiting.
   *
   * @param left 100 ms to 365 days
   * @return completes when the end is moved, or fails as {@link #expireIn} throws, where {@link
   *     #extendAsync} does
   */
  CompletableFuture<Void> expireInAsync(Duration left);

  /**
   * Ends this lease of a writer and returns the lease of a reader, in one step at the server, so
   * that no other writer gets the lock in between. From then on further readers are granted leases.
   * Waits for the answer, at most for the backend's operation time-out, and through interrupts,
   * which stay set. Without an answer, the lease of the reader is valid all the same, and others
   * are kept out until the server can be reached. A minimum and a maximum hold still count from the
   * grant of this lease.
   *
   * @return the lease of the reader, with a greater token and the same owner id
   * @throws IllegalStateException if this is not a lease of the write side of a read-write lock
   * @throws LockLostException if this lease is not valid, or the server says so
   */
  Lease downgrade();

  /**
   * As {@link #downgrade()}, without blocking.
   *
   * @return completes on the client's callback executor
   */
  CompletableFuture<Lease> downgradeAsync();

  /**
   * Gives the lock back. Harmless when repeated, and when the lease was lost. Waits for the answer,
   * at most for about the backend's operation time-out; an interrupt does not end it, and stays
   * set. If there is no answer, the engine goes on trying in the background.
   *
   * @return what happened; the lease is not valid any more in any case
   */
  ReleaseOutcome release();

  /**
   * As {@link #release}, without waiting. The lease is not valid any more when this returns.
   *
   * @return completes with the outcome, and never fails: on the client's callback executor, or
   *     before this returns if the outcome is known by then
   */
  CompletableFuture<ReleaseOutcome> releaseAsync();

  /**
   * As {@link #release}, but throws nothing, so that it never hides an exception of the body. If a
   * transaction belongs to the lease, it is rolled back, as JDBC does when a connection is closed;
   * to commit it, call {@link #release}.
   */
  @Override
  void close();

  /**
   * Something of the backend that belongs to this lease: the {@code java.sql.Connection} in whose
   * transaction a lock of {@code postgres-row} is held. Not to be used after the lease has ended.
   *
   * @param type what is wanted
   * @param <T> what is wanted
   * @return empty if the lease has no such thing
   */
  <T> Optional<T> unwrap(Class<T> type);

  /**
   * Completes when the lease is lost, with the reason, on the client's callback executor. Never
   * completes if it is released. Each call gives a future of its own; cancelling it changes nothing
   * else.
   *
   * <p>If the lease is lost already, the future is complete when this returns. Then what the caller
   * adds to it runs on the caller's thread, as with every complete future; use the methods whose
   * names end in {@code Async}, or {@link #onLoss}, if that thread must not run it. {@code
   * loss().getNow(null)} asks without waiting, but only {@link #isValid()} says whether the lock is
   * ours: a loss may not have been found yet.
   *
   * @return the loss to come
   */
  CompletableFuture<Loss> loss();

  /**
   * Registers a callback for the loss of the lease. It runs once, after {@link #isValid()} has
   * become false, on the client's callback executor, where it may block. It runs at once if the
   * lease is lost already, and never if it was released.
   *
   * @param callback what to do
   */
  void onLoss(Consumer<? super Loss> callback);

  /**
   * Registers a callback for failing renewals. It runs when no more than this much validity is left
   * while a renewal has had no answer, or one that does not say whether the lock is still held. It
   * runs once for each such episode, while the lease is still valid, on the client's callback
   * executor, where it may block; never while renewals succeed, and never for a lease that is not
   * renewed. If renewals fail and no more is left already, it runs at once. For several locks, it
   * runs for each lock whose renewals fail. Use it to end work in time, before {@link #onLoss}
   * would stop it.
   *
   * @param left less than the TTL, so that at least one renewal is due before
   * @param callback what to do; it gets the validity that is left, and why renewals fail
   */
  void onRenewalFailing(Duration left, Consumer<? super LockEvent.RenewalFailed> callback);

  /**
   * As {@link #onRenewalFailing(Duration, Consumer)}, with {@link LockOptions#earlyWarning()}.
   *
   * @param callback what to do; it gets the validity that is left, and why renewals fail
   * @throws IllegalStateException if the options of this lease have no early warning
   */
  void onRenewalFailing(Consumer<? super LockEvent.RenewalFailed> callback);
}
