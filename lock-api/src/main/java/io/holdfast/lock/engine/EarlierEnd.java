/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.engine;

import io.holdfast.lock.Capabilities.Retention;
import io.holdfast.lock.LockEvent;
import io.holdfast.lock.LockException;
import io.holdfast.lock.LockRejectedException;
import io.holdfast.lock.spi.RenewalAnswer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Sets when a tenure of fixed time ends. A later end is an extension. An earlier one counts here at
 * once, before the server is asked.
 *
 * <p>The server may have carried out an extension before the earlier end, and answer it later. So
 * an extension that was sent before the earlier end was answered proves nothing, and while there is
 * no answer, none does. A refusal is an answer, and what was never sent needs none.
 */
final class EarlierEnd {

  private final Tenure tenure;
  private final EngineClient client;

  /** On the strand: how many may still arrive at the server: neither answered nor refused. */
  private int unanswered;

  /** On the strand: when the last answer came; when the lock was asked for, if there was none. */
  private long answeredAt;

  EarlierEnd(Tenure tenure, long grantedBy) {
    this.tenure = tenure;
    this.client = tenure.client;
    this.answeredAt = grantedBy;
  }

  /** On the strand. */
  CompletableFuture<RenewalAnswer> expireIn(Duration left) {
    long now = client.time.nanos();
    boolean fixed = tenure.terms.fixed();
    long until = fixed ? now + Validity.nanos(left) : Validity.until(now, left);
    if (!tenure.validity.endEarlier(until)) {
      return tenure.validity.extend(left);
    }
    tell();
    if (client.retention() == Retention.SERVER && tenure.isValid()) {
      return ask(left);
    }
    answeredAt = now;
    return CompletableFuture.completedFuture(new RenewalAnswer.Extended(left));
  }

  private void tell() {
    if (!tenure.leases.current().isHeld()) {
      return;
    }
    Duration remaining = tenure.remaining();
    if (remaining.isZero()) {
      // A maximum hold may have passed: that is a loss, which is told already.
      return;
    }
    if (client.events.listened()) {
      client.events.publish(
          new LockEvent.EndsEarlier(tenure.lockName, tenure.ownerId, tenure.share(), remaining));
    }
    JfrLeaseEvents.endsEarlier(tenure.lockName, tenure.ownerId, tenure.share(), remaining);
  }

  /** The server keeps the name for a minimum hold, too, though this process dies. */
  private CompletableFuture<RenewalAnswer> ask(Duration left) {
    long now = client.time.nanos();
    Duration taken = Duration.ofNanos(Math.max(0, tenure.leases.current().takenUntil() - now));
    Duration atServer = tenure.terms.withLockDelay(left);
    Duration longer = taken.compareTo(atServer) > 0 ? taken : atServer;
    CompletionStage<RenewalAnswer> sent;
    try {
      sent = tenure.claim.expireIn(longer);
    } catch (LockException e) {
      // Nothing was sent.
      client.outages.failed(e);
      answeredAt = now;
      return CompletableFuture.completedFuture(new RenewalAnswer.Unknown(e));
    } catch (RuntimeException | Error e) {
      sent = CompletableFuture.failedFuture(e);
    }
    unanswered++;
    CompletableFuture<RenewalAnswer> done = new CompletableFuture<>();
    CompletionStage<Boolean> settled = sent.handle((answer, failure) -> answer != null);
    var unused =
        Renewals.answerOf(sent)
            .thenAcceptBoth(
                settled,
                (answer, isSettled) -> tenure.onStrand(() -> answered(answer, isSettled, done)));
    return done;
  }

  private void answered(
      RenewalAnswer answer, boolean isSettled, CompletableFuture<RenewalAnswer> done) {
    if (answer instanceof RenewalAnswer.Unknown unknown) {
      client.outages.failed(unknown.cause());
    } else {
      client.outages.answered();
    }
    if (answer instanceof RenewalAnswer.Lost gone) {
      tenure.lose(gone.reason());
    } else if (isSettled || isRefusal(answer)) {
      unanswered--;
      answeredAt = client.time.nanos();
    }
    done.complete(answer);
  }

  private static boolean isRefusal(RenewalAnswer answer) {
    return answer instanceof RenewalAnswer.Unknown unknown
        && unknown.cause() instanceof LockRejectedException;
  }

  /** On the strand: whether it is not known which end the server has. */
  boolean isUnderWay() {
    return unanswered > 0;
  }

  /** On the strand: whether an extension counts that was sent then. */
  boolean counts(long sentAt) {
    return !isUnderWay() && sentAt - answeredAt >= 0;
  }
}
