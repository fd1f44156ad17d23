/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.postgres.advisory;

import io.holdfast.lock.LossReason;
import io.holdfast.lock.Share;
import io.holdfast.lock.postgres.schema.AdvisoryKey;
import io.holdfast.lock.postgres.session.InvolvedSessions;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.ClaimSignals;
import io.holdfast.lock.spi.LockClaim;
import io.holdfast.lock.spi.ReleaseAnswer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * One contender for an advisory lock. What it has at the server, it has in one session: the lock,
 * or a mark that it waits, or both. That is only touched on the worker's thread.
 */
final class AdvisoryClaim implements LockClaim {

  private final AdvisoryWorker worker;
  private final ClaimRequest request;
  private final ClaimSignals signals;
  private final AdvisoryKey key;
  private volatile boolean asked;
  private volatile boolean releasing;

  private final InvolvedSessions involved = new InvolvedSessions();
  private @Nullable AdvisorySession session;
  private long token;
  private boolean marked;
  private boolean turn;
  private boolean reduced;
  private @Nullable ReleaseAnswer released;

  AdvisoryClaim(
      AdvisoryWorker worker, ClaimRequest request, ClaimSignals signals, AdvisoryKey key) {
    this.worker = worker;
    this.request = request;
    this.signals = signals;
    this.key = key;
  }

  @Override
  public CompletionStage<Attempt> attempt() {
    asked = true;
    return worker.acquire(this);
  }

  @Override
  public CompletionStage<ReleaseAnswer> release() {
    releasing = true;
    return asked ? worker.release(this) : CompletableFuture.completedFuture(ReleaseAnswer.NOT_OURS);
  }

  @Override
  public CompletionStage<ReleaseAnswer> reduceTo(int kept) {
    return worker.reduce(this);
  }

  Share share() {
    return request.share();
  }

  /** Whether it is a reader, or a writer of a read-write lock. */
  boolean isShared() {
    return request.share().mode() != Share.Mode.LOCK;
  }

  /** Whether it is a writer, and has not become a reader. */
  boolean writes() {
    return request.share().mode() == Share.Mode.WRITE && !reduced;
  }

  boolean waits() {
    return request.waits();
  }

  boolean fitsBeside(AdvisoryClaim other) {
    return this == other || (!writes() && !other.writes());
  }

  String lockName() {
    return request.lockName();
  }

  AdvisoryKey key() {
    return key;
  }

  ClaimSignals signals() {
    return signals;
  }

  boolean isReleasing() {
    return releasing;
  }

  /** The session in which this claim has something at the server. */
  @Nullable AdvisorySession session() {
    return session;
  }

  /** Those in which it has or may get something, the present one included. */
  InvolvedSessions involved() {
    return involved;
  }

  /** A mark ends with the session that it was made in, though the claim goes on in another. */
  boolean isMarkedIn(AdvisorySession asking) {
    return marked && session == asking;
  }

  /** Whether those who come later wait for this one, in the same way. */
  boolean hasTurnIn(AdvisorySession asking) {
    return turn && session == asking;
  }

  boolean holds() {
    return token > 0;
  }

  boolean holdsIn(AdvisorySession asking) {
    return holds() && session == asking;
  }

  /** Whether it holds, or those who come later wait for it. */
  boolean keepsOut() {
    return holds() || turn;
  }

  long token() {
    return token;
  }

  void granted(AdvisorySession by, long number, boolean alsoMarked) {
    marked = alsoMarked || isMarkedIn(by);
    session = by;
    token = number;
  }

  void waits(AdvisorySession in) {
    session = in;
    token = 0;
    marked = true;
  }

  /** A mark is given back with the grant. */
  void grantedShare(AdvisorySession by, long number) {
    session = by;
    token = number;
    marked = false;
    turn = false;
  }

  void waitsForShare(AdvisorySession in, boolean hasTurn) {
    waits(in);
    turn = hasTurn;
  }

  void reduced() {
    reduced = true;
  }

  void leftNothing(AdvisorySession in) {
    forget();
    involved.remove(in);
  }

  /** An attempt has left nothing there, but for the mark of an earlier one. */
  void gotNothingIn(AdvisorySession in) {
    if (!isMarkedIn(in)) {
      involved.remove(in);
    }
  }

  @Nullable ReleaseAnswer released() {
    return released;
  }

  /** Nothing of it is in its session any more. */
  void released(ReleaseAnswer answer) {
    released = answer;
    if (session != null) {
      involved.remove(session);
    }
    forget();
  }

  /** Nothing of it is anywhere; what its release has found. */
  ReleaseAnswer over() {
    if (released == null) {
      released = ReleaseAnswer.NOT_OURS;
    }
    forget();
    return released;
  }

  private void forget() {
    session = null;
    token = 0;
    marked = false;
    turn = false;
  }

  void sessionEnded() {
    if (!releasing) {
      signals.lost(LossReason.SESSION_ENDED);
    }
  }
}
