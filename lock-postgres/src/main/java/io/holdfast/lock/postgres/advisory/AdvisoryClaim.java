/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.postgres.advisory;

import io.holdfast.lock.LossReason;
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

  boolean holds() {
    return token > 0;
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
  }

  void sessionEnded() {
    if (!releasing) {
      signals.lost(LossReason.SESSION_ENDED);
    }
  }
}
