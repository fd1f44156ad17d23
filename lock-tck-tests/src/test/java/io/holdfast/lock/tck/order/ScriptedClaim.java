/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.order;

import io.holdfast.lock.LossReason;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.ClaimSignals;
import io.holdfast.lock.spi.LockClaim;
import io.holdfast.lock.spi.ReleaseAnswer;
import io.holdfast.lock.spi.RenewalAnswer;
import io.holdfast.lock.tck.order.ScriptedServer.Kind;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** A claim at a {@link ScriptedServer}: what that has of it, and what its client knows. */
final class ScriptedClaim implements LockClaim {

  final ClaimRequest request;

  private final ScriptedServer server;
  private final ClaimSignals signals;

  /** By an administrator. */
  boolean takenAway;

  /** Whether the client was told so without asking. */
  boolean signalled;

  private boolean releaseSent;
  private boolean releaseAnswered;

  /** Until when the server keeps it, or would if it had not been taken away. */
  long keptUntil;

  /** Until when it may last, as the answers say; each counts from when it was asked for. */
  long promisedUntil;

  /** Whether the client knows that it is lost. */
  boolean knownLost;

  /** Whether a release has freed it. */
  boolean freed;

  ScriptedClaim(ScriptedServer server, ClaimRequest request, ClaimSignals signals) {
    this.server = server;
    this.request = request;
    this.signals = signals;
  }

  void signalsLoss() {
    signalled = true;
    knownLost = true;
    signals.lost(LossReason.REVOKED);
  }

  void checkMayAsk(String what) {
    if (releaseSent) {
      server.broken(what + " after its release");
    }
    if (knownLost) {
      server.broken(what + " after its loss");
    }
  }

  void tell(long sentAt, RenewalAnswer answer) {
    if (answer instanceof RenewalAnswer.Extended extended) {
      promisedUntil = Math.max(promisedUntil, sentAt + extended.leaseTime().toNanos());
    } else {
      knownLost = true;
    }
  }

  RenewalAnswer renewed(Duration ttl) {
    if (!server.owns(this)) {
      return new RenewalAnswer.Lost(LossReason.REVOKED);
    }
    keptUntil = Math.max(keptUntil, server.now() + ttl.toNanos());
    return new RenewalAnswer.Extended(ttl);
  }

  @Override
  public CompletionStage<Attempt> attempt() {
    server.count("an attempt");
    checkMayAsk("attempted");
    Optional<Duration> taken = server.takenByAnother(this);
    if (taken.isPresent()) {
      return CompletableFuture.completedFuture(new Attempt.Contended(taken));
    }
    long token = server.grant(this);
    keptUntil = server.now() + request.ttl().toNanos();
    promisedUntil = keptUntil;
    return CompletableFuture.completedFuture(new Attempt.Granted(token, request.ttl()));
  }

  @Override
  public CompletionStage<RenewalAnswer> expireIn(Duration left) {
    checkMayAsk("ended earlier");
    long sentAt = server.now();
    return server.send(Kind.END, () -> endsIn(left), answer -> tell(sentAt, answer));
  }

  private RenewalAnswer endsIn(Duration left) {
    if (!server.owns(this)) {
      return new RenewalAnswer.Lost(LossReason.REVOKED);
    }
    keptUntil = server.now() + left.toNanos();
    return new RenewalAnswer.Extended(left);
  }

  @Override
  public CompletionStage<ReleaseAnswer> release() {
    if (releaseAnswered) {
      server.broken("released again after the answer");
    }
    releaseSent = true;
    return server.send(Kind.RELEASE, this::released, answer -> releaseAnswered = true);
  }

  private ReleaseAnswer released() {
    if (!server.owns(this)) {
      return ReleaseAnswer.NOT_OURS;
    }
    server.takesBack();
    keptUntil = server.now();
    freed = true;
    return ReleaseAnswer.FREED;
  }
}
