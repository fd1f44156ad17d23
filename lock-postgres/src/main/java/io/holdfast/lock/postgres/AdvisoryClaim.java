/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.postgres;

import io.holdfast.lock.LossReason;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.ClaimSignals;
import io.holdfast.lock.spi.LockClaim;
import io.holdfast.lock.spi.ReleaseAnswer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One contender for an advisory lock. What it has at the server, it has in one session: the lock,
 * or a mark that it waits, or both. That is only touched on the worker's thread.
 */
final class AdvisoryClaim implements LockClaim {

  private final AdvisoryBackend backend;
  private final ClaimRequest request;
  private final ClaimSignals signals;
  private final AdvisoryKey key;
  private volatile boolean asked;
  private volatile boolean releasing;

  private @Nullable AdvisorySession session;
  private long token;
  private boolean marked;
  private @Nullable ReleaseAnswer released;

  /** Sessions that may still carry out an attempt of this claim, as it was never answered. */
  private List<AdvisorySession> unanswered = List.of();

  AdvisoryClaim(
      AdvisoryBackend backend, ClaimRequest request, ClaimSignals signals, AdvisoryKey key) {
    this.backend = backend;
    this.request = request;
    this.signals = signals;
    this.key = key;
  }

  @Override
  public CompletionStage<Attempt> attempt() {
    asked = true;
    return backend.acquire(this);
  }

  @Override
  public CompletionStage<ReleaseAnswer> release() {
    releasing = true;
    return asked
        ? backend.release(this)
        : CompletableFuture.completedFuture(ReleaseAnswer.NOT_OURS);
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

  void sent(AdvisorySession in) {
    unanswered = Stream.concat(unanswered.stream(), Stream.of(in)).distinct().toList();
  }

  /** Answered, or undone. */
  void settled(AdvisorySession in) {
    unanswered = unanswered.stream().filter(other -> other != in).toList();
  }

  /** Sessions, other than the present one, in which it has or may get something. */
  List<AdvisorySession> before(AdvisorySession present) {
    return Stream.concat(unanswered.stream(), Stream.ofNullable(session))
        .filter(other -> other != present)
        .distinct()
        .toList();
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
    goesOnIn(by);
    token = number;
  }

  void waits(AdvisorySession in) {
    goesOnIn(in);
    token = 0;
    marked = true;
  }

  /** What it has in another session ends when that has gone. */
  private void goesOnIn(AdvisorySession next) {
    AdvisorySession last = session;
    if (last != null && last != next) {
      sent(last);
    }
    session = next;
  }

  /** Nothing of it is in a session that has gone. */
  void forget() {
    session = null;
    token = 0;
    marked = false;
  }

  @Nullable ReleaseAnswer released() {
    return released;
  }

  void released(ReleaseAnswer answer) {
    released = answer;
    forget();
  }

  void sessionEnded() {
    if (!releasing) {
      signals.lost(LossReason.SESSION_ENDED);
    }
  }
}
