/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.engine;

import io.holdfast.lock.LockClosedException;
import io.holdfast.lock.LockEvent.GaveUp.Reason;
import io.holdfast.lock.LockException;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.Share;
import io.holdfast.lock.spi.Attempt;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * One waiter, and the only loop that waits: attempt, pause until a wake-up or the next poll,
 * attempt again; until granted, refused, out of time or called off. Polling is the guarantee,
 * wake-ups are hints.
 *
 * <p>Runs on the strand of its {@link LocalQueue}. However it ends without a lease, its claim is
 * released, which undoes an attempt whose outcome is unknown; and the next waiter's turn comes when
 * that has been tried.
 */
final class Acquisition implements LeaseRequest<LeaseLife> {

  private enum Phase {
    QUEUED,
    ATTEMPTING,
    PAUSED,
    ENDED
  }

  final Share share;

  private final EngineClient client;
  private final LocalQueue queue;
  private final LockOptions options;
  private final RenewalTerms terms;
  private final Wait wait;
  private final AttemptSchedule schedule;
  private final AcquisitionEvents events;
  private final LastAnswer lastAnswer;
  private final AcquisitionOutcome outcome;

  private Phase phase = Phase.QUEUED;
  private long sentAt;
  private boolean awakened;

  /** Whether another waiter was told to ask since this one has asked last. */
  private boolean othersFirst;

  private @Nullable Contender contender;

  /** The waiter whose answers decide about its other capacity, and from which attempt on. */
  private @Nullable Acquisition decidedBy;

  private int decidedFrom;

  Acquisition(
      EngineClient client,
      LocalQueue queue,
      Share share,
      LockOptions options,
      RenewalTerms terms,
      Wait wait) {
    this.client = client;
    this.share = share;
    this.queue = queue;
    this.options = options;
    this.terms = terms;
    this.wait = wait;
    this.schedule = new AttemptSchedule(client.time, queue.strand, options.retry());
    this.events = new AcquisitionEvents(client, queue.lockName, share);
    this.lastAnswer = new LastAnswer(queue, events);
    this.outcome = new AcquisitionOutcome(client, queue, options, schedule, events);
  }

  @Override
  public CompletableFuture<Optional<LeaseLife>> result() {
    return outcome.result();
  }

  boolean waits() {
    return wait.waits();
  }

  /** Whether a claim that is made now is asked again after it was told to wait. */
  boolean asksAgain() {
    return wait.waits() && !schedule.isNextLast();
  }

  void begin() {
    queue.strand.execute(
        () -> {
          if (client.isClosed()) {
            closed();
            return;
          }
          wait.limit().ifPresent(limit -> schedule.endAfter(limit, this::outOfTime));
          queue.join(this);
        });
  }

  @Override
  public void abandon() {
    queue.strand.execute(
        () -> {
          if (phase == Phase.ENDED) {
            result().thenAccept(granted -> granted.ifPresent(LeaseLife::withdraw));
          } else {
            end(Reason.CANCELLED, null);
          }
        });
  }

  /**
   * On the strand: has to wait for its turn. Where attempts are counted, the look at the local
   * queue is one.
   */
  void queued() {
    if (wait.waits() && schedule.isBounded()) {
      schedule.countOne();
      if (schedule.isLast()) {
        end(Reason.TIMED_OUT, null);
      } else {
        schedule.pauseFor(schedule.nextPause(Optional.empty()), this::stillQueued);
      }
    }
  }

  private void stillQueued() {
    if (phase == Phase.QUEUED) {
      queued();
    }
  }

  /**
   * On the strand: it is this acquisition's turn.
   *
   * @param releaseBackoff for how many nanoseconds other clients go first, if this one waits
   */
  void contend(long releaseBackoff) {
    schedule.endPause();
    contender = newContender();
    if (releaseBackoff > 0 && wait.waits()) {
      pauseFor(Duration.ofNanos(releaseBackoff));
    } else {
      attempt();
    }
  }

  /** Whether it has ended already, and is only tidying up. */
  boolean isLeaving() {
    return phase == Phase.ENDED;
  }

  /** On the strand: whether the backend has said so, and is not being asked again now. */
  boolean hasToWait() {
    return phase == Phase.PAUSED && schedule.made() > 0;
  }

  /** On the strand: has to wait, and not only as the server cannot be reached. */
  boolean isToldToWait() {
    return hasToWait() && lastAnswer.isContended();
  }

  /** On the strand: whether an answer of the backend is to come. */
  boolean isAsking() {
    return phase == Phase.ATTEMPTING;
  }

  /**
   * On the strand: asks for another capacity than the one that contends. The last answer to that
   * one, and an answer on its way, may be out of date, so it asks once more.
   *
   * @return whether an answer is to come; not if it pauses for another reason
   */
  boolean leaveDecisionTo(Acquisition asking) {
    decidedBy = asking;
    decidedFrom = asking.schedule.made() + 1;
    if (asking.isToldToWait() || asking.isAsking()) {
      asking.resume();
    }
    return asking.isAsking();
  }

  /** On the strand: has to wait, by an answer that counts for one that came meanwhile. */
  boolean isToldToWait(Acquisition behind) {
    int answered = isAsking() ? schedule.made() - 1 : schedule.made();
    return !isLeaving()
        && lastAnswer.isContended()
        && (behind.decidedBy != this || answered >= behind.decidedFrom);
  }

  /** On the strand: the lock is busy in this client, and the caller does not wait. */
  void turnedAway() {
    end(Reason.TIMED_OUT, null);
  }

  /** On the strand: the share cannot be had, however long one waits for it. */
  void refused(LockException why) {
    end(Reason.FAILED, why);
  }

  /** On the strand: the client is closed. */
  void closed() {
    end(
        Reason.CLOSED,
        new LockClosedException(
            "The lock client was closed while lock '" + queue.lockName + "' was being acquired"));
  }

  private Contender newContender() {
    return new Contender(client, queue, share, keptByServer(), this);
  }

  /**
   * The TTL to ask the server for; it also bounds how long the server keeps a claim that it refuses
   * to take back.
   */
  Duration keptByServer() {
    return terms.withLockDelay(options.ttl());
  }

  private void attempt() {
    Contender asking = contender;
    if (asking == null) {
      return;
    }
    phase = Phase.ATTEMPTING;
    awakened = false;
    othersFirst = false;
    asking.lost = false;
    schedule.countOne();
    events.attempted(asking.ownerId, schedule.made());
    sentAt = client.time.nanos();
    asking
        .ask()
        .whenComplete(
            (answer, failure) ->
                queue.strand.execute(
                    () -> {
                      if (asking == contender && phase == Phase.ATTEMPTING) {
                        answered(asking, answer, failure);
                      }
                    }));
  }

  private void answered(Contender asking, @Nullable Attempt answer, @Nullable Throwable failure) {
    if (answer instanceof Attempt.Granted granted) {
      granted(asking, granted);
    } else if (answer instanceof Attempt.Contended contended) {
      client.outages.answered();
      lastAnswer.contended(asking);
      retry(contended.askAgainIn(), null);
    } else {
      LockException known = asking.failure(failure);
      client.outages.failed(known);
      failed(asking, known);
    }
  }

  private void granted(Contender asking, Attempt.Granted granted) {
    client.outages.answered();
    long now = client.time.nanos();
    Duration leaseTime = terms.withoutLockDelay(granted.leaseTime());
    long validUntil = Validity.until(sentAt, leaseTime);
    if (asking.lost || validUntil - now <= 0) {
      // Too late to be of use: its place is given up, and the next attempt is another claim's.
      client.cleanup.release(asking.claim, keptByServer());
      contender = newContender();
      failed(asking, asking.tooLate());
      return;
    }
    Tenure tenure = outcome.begin(asking, granted.token(), terms, sentAt, now, leaseTime);
    take(tenure.leases.current(), false);
    queue.proceed(0);
  }

  /** On the strand: the first in the queue has a lease of a tenure of this client, if it may. */
  boolean inherit(Tenure tenure, boolean besideOthers) {
    if (!tenure.leases.suit(share, terms, options.handOver())) {
      return false;
    }
    take(besideOthers ? tenure.leases.beside() : tenure.leases.next(), true);
    return true;
  }

  private void take(LeaseLife granted, boolean handedOver) {
    phase = Phase.ENDED;
    outcome.granted(granted, handedOver);
  }

  private void failed(Contender asking, LockException failure) {
    lastAnswer.failed(asking, failure);
    if (failure instanceof LockUnavailableException) {
      retry(Optional.empty(), failure);
    } else {
      end(Reason.FAILED, failure);
    }
  }

  /** Pauses before the next attempt, or ends if there is none. */
  private void retry(Optional<Duration> askAgainIn, @Nullable LockException failure) {
    if (!wait.waits() || schedule.isLast()) {
      end(failure == null ? Reason.TIMED_OUT : Reason.FAILED, failure);
    } else {
      if (awakened && failure == null) {
        attempt();
      } else {
        pauseFor(schedule.nextPause(askAgainIn));
        leaveTurn();
      }
      // Also if it asks again at once: wake-ups may keep coming for as long as it waits.
      queue.hasToWait();
    }
  }

  private void pauseFor(Duration time) {
    phase = Phase.PAUSED;
    schedule.pauseFor(time, this::resume);
  }

  /** The pause is over, or a wake-up came. */
  private void resume() {
    if (phase == Phase.PAUSED) {
      schedule.endPause();
      attempt();
    } else {
      awakened = true;
    }
  }

  /** On the strand: the backend suggests to ask again now. */
  void woken(Contender by) {
    if (contender == by && phase != Phase.ENDED) {
      resume();
    }
  }

  /**
   * On the strand: the backend has told another waiter to ask. That may be known before the answer
   * to an attempt that came before the release.
   */
  void othersFirst(Contender by) {
    if (contender == by) {
      othersFirst = true;
      leaveTurn();
    }
  }

  private void leaveTurn() {
    if (othersFirst && isToldToWait()) {
      schedule.endPause();
      pauseFor(schedule.othersTurn(client.time.nanos() - sentAt));
    }
  }

  /** On the strand: what was not granted yet cannot be relied on any more. */
  void lostBefore(Contender by) {
    if (contender == by && phase != Phase.ENDED) {
      by.lost = true;
      resume();
    }
  }

  /**
   * An attempt that is under way may only be slow: the server is unavailable if the last answer was
   * a failure.
   */
  private void outOfTime() {
    LockException failure = lastAnswer.failure();
    end(failure == null ? Reason.TIMED_OUT : Reason.FAILED, failure);
  }

  /** Ends without a lease: with a failure, or (without one) as somebody else's lock. */
  private void end(Reason reason, @Nullable LockException failure) {
    if (phase == Phase.ENDED) {
      return;
    }
    phase = Phase.ENDED;
    Contender ended = contender;
    contender = null;
    outcome.gaveUp(this, ended, reason, failure);
  }
}
