/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.postgres.table;

import io.holdfast.lock.LossReason;
import io.holdfast.lock.Share;
import io.holdfast.lock.postgres.schema.AdvisoryKey;
import io.holdfast.lock.postgres.schema.EncodedName;
import io.holdfast.lock.postgres.session.InvolvedSessions;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.ClaimSignals;
import io.holdfast.lock.spi.LockClaim;
import io.holdfast.lock.spi.ReleaseAnswer;
import io.holdfast.lock.spi.RenewalAnswer;
import io.holdfast.lock.spi.support.RequestedTime;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * One contender for a row. It may have one with its owner id, and an attempt on its way in a
 * session that was given up. That is only touched on the worker's thread.
 */
final class TableClaim implements LockClaim {

  private final TableWorker worker;
  private final ClaimRequest request;
  private final ClaimSignals signals;
  private final AdvisoryKey key;
  private final String name;
  private final RequestedTime requested = new RequestedTime(System::nanoTime);
  private volatile boolean asked;
  private volatile boolean releasing;

  /** What renewals state, so that the server does not go back to more after a fail-over. */
  private volatile int permits;

  private final InvolvedSessions involved = new InvolvedSessions();
  private boolean answered;
  private @Nullable ReleaseAnswer released;

  TableClaim(TableWorker worker, ClaimRequest request, ClaimSignals signals, AdvisoryKey key) {
    this.worker = worker;
    this.request = request;
    this.signals = signals;
    this.key = key;
    this.name = EncodedName.of(request.lockName());
    this.permits = request.share().permits();
  }

  @Override
  public CompletionStage<Attempt> attempt() {
    asked = true;
    return worker.acquire(this);
  }

  @Override
  public CompletionStage<ReleaseAnswer> release() {
    return release(Duration.ZERO);
  }

  @Override
  public CompletionStage<ReleaseAnswer> release(Duration keepFor) {
    releasing = true;
    requested.request(keepFor);
    return asked
        ? worker.release(this, keepFor)
        : CompletableFuture.completedFuture(ReleaseAnswer.NOT_OURS);
  }

  @Override
  public CompletionStage<RenewalAnswer> expireIn(Duration left) {
    // It may be a later end than all before, which the next renewal is not to take back.
    requested.request(left);
    return worker
        .expireIn(this, left)
        .thenApply(
            found ->
                found == ReleaseAnswer.FREED
                    ? new RenewalAnswer.Extended(left)
                    : new RenewalAnswer.Lost(LossReason.REVOKED));
  }

  @Override
  public CompletionStage<ReleaseAnswer> reduceTo(int kept) {
    permits = kept;
    return worker.reduce(this, kept);
  }

  Share share() {
    return request.share();
  }

  /** How many are this claim's, whatever the server has. */
  int permits() {
    return permits;
  }

  /** Whether others may have something of the name at the same time. */
  boolean isShared() {
    return request.share().mode() != Share.Mode.LOCK;
  }

  ClaimRequest request() {
    return request;
  }

  ClaimSignals signals() {
    return signals;
  }

  AdvisoryKey key() {
    return key;
  }

  /** As the table has it. */
  String name() {
    return name;
  }

  /** What was asked for; each request is noted before it is sent. */
  RequestedTime requested() {
    return requested;
  }

  boolean isReleasing() {
    return releasing;
  }

  /** Those with an attempt that was never answered. */
  InvolvedSessions involved() {
    return involved;
  }

  /** An attempt was carried out, and has left what it was granted, or that it waits. */
  void answered() {
    answered = true;
  }

  /** Whether nothing of a share can be at the server. */
  boolean hasLeftNothing() {
    return isShared() && !answered && involved.isEmpty();
  }

  @Nullable ReleaseAnswer released() {
    return released;
  }

  void released(ReleaseAnswer answer) {
    released = answer;
  }
}
