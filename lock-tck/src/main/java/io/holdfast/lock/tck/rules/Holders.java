/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.rules;

import io.holdfast.lock.DistributedLock;
import io.holdfast.lock.Lease;
import io.holdfast.lock.LockHolder;
import io.holdfast.lock.Loss;
import io.holdfast.lock.LossReason;
import io.holdfast.lock.ReleaseOutcome;
import io.holdfast.lock.text.TimeText;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * Judges who holds a lock, by the words of the contract: no two leases are valid at the same
 * instant, each by its own clock. A lease that has ended and says so is no overlap with the next,
 * and a lease that once said no never says yes again; so of two that were granted, and then say yes
 * one after the other, the first was valid together with the second.
 */
final class Holders {

  private static final Set<LossReason> BY_TIME =
      Set.of(LossReason.EXPIRED, LossReason.UNREACHABLE, LossReason.SESSION_ENDED);
  private static final int TELLING_SECONDS = 3;

  private Holders() {}

  /** Somebody else has asked for a lock that is held. */
  static void refused(Lease held, Optional<Lease> other, String otherwise) {
    refused(held::isValid, other.map(lease -> lease::isValid), otherwise);
    held(held, "the holder lost its lease");
  }

  /**
   * The same, where the leases are others'.
   *
   * @param other whether it is valid; empty if it was refused
   */
  static void refused(BooleanSupplier held, Optional<BooleanSupplier> other, String otherwise) {
    if (other.isPresent() && held.getAsBoolean() && other.get().getAsBoolean()) {
      throw new Overlap(
          "expected the lock to be refused while it is held, but two leases are valid at once: "
              + otherwise);
    }
    if (other.isPresent()) {
      throw new DeadlineMissed(
          "expected the lock to be held and refused, but the first lease had ended by its own clock"
              + " when the second was granted: "
              + otherwise);
    }
  }

  /** A lease has been granted since: the one before has to have ended by then. */
  static void over(Lease before, String otherwise) {
    if (before.isValid()) {
      throw new Overlap(
          "expected the lease %s to have ended before the next was granted, but it is valid for another %s: %s"
              .formatted(before.ownerId(), TimeText.of(before.remaining()), otherwise));
    }
  }

  /** At most one of these is valid; answers those that are. */
  static List<Lease> atMostOne(List<Lease> granted) {
    List<Lease> valid = new ArrayList<>(granted);
    valid.removeIf(lease -> !lease.isValid());
    List<Lease> still = new ArrayList<>(valid);
    still.removeIf(lease -> !lease.isValid());
    if (still.size() > 1) {
      throw new Overlap(
          "expected one valid lease at most, but %d are valid at once: %s"
              .formatted(still.size(), still.stream().map(Lease::ownerId).toList()));
    }
    return valid;
  }

  /**
   * A lock that nobody may have is granted.
   *
   * @param within how long it may take; none for at once
   * @param when since when it has to be free, to end a sentence
   */
  static Lease free(RuleContext context, DistributedLock lock, Duration within, String when)
      throws InterruptedException {
    Optional<Lease> lease = within.isZero() ? lock.tryAcquire() : lock.tryAcquire(within);
    return lease.orElseThrow(
        () ->
            new AssertionError(
                "expected the lock to be free %s, but it is refused to another client%s"
                    .formatted(when, context.atTheServer())));
  }

  /** A lease is to be valid still. */
  static void held(Lease lease, String otherwise) {
    if (!lease.isValid()) {
      throw notHeld(lease, "expected a lease to be valid, but it is not: " + otherwise);
    }
  }

  /** A lease says that it is not valid any more. */
  static void ended(Lease lease, String when) {
    if (lease.isValid()) {
      throw new AssertionError(
          "expected the lease to have ended %s, but it says that it is valid".formatted(when));
    }
  }

  /** A lease was not valid any more when the next was granted. */
  static void endedBefore(long granted, long lastValid, String whose) {
    if (lastValid - granted >= 0) {
      throw new Overlap(
          "expected %s to end before the next was granted, but it was valid for %s next to it"
              .formatted(whose, TimeText.of(Duration.ofNanos(lastValid - granted))));
    }
  }

  /** The holder that an inspector tells of a lock, while a lease of it is to be valid still. */
  static LockHolder told(Optional<LockHolder> told, Lease lease) {
    if (told.isEmpty()) {
      held(lease, "nobody is told to hold its lock");
      throw new AssertionError(
          "expected the inspector to tell who holds a lock whose lease is valid, but it tells nobody");
    }
    return told.get();
  }

  /** A lease is released that is to be valid still. */
  static void released(Lease lease, String whose) {
    long validUntil = System.nanoTime() + lease.remaining().toNanos();
    ReleaseOutcome outcome = lease.release();
    boolean inTime = System.nanoTime() - validUntil < 0;
    String otherwise =
        "expected a release to answer RELEASED (%s), but it answered %s".formatted(whose, outcome);
    switch (outcome) {
      case RELEASED -> {}
      case ALREADY_LOST -> throw inTime ? notHeld(lease, otherwise) : new DeadlineMissed(otherwise);
      case UNKNOWN -> throw new DeadlineMissed(otherwise);
      case ALREADY_RELEASED -> throw new AssertionError(otherwise);
    }
  }

  /** A lease is to be valid still, of which only this is there. */
  static void notLost(CompletableFuture<Loss> loss, String otherwise) {
    if (loss.isDone()) {
      throw notHeld(
          Optional.of(loss.join().reason()), "expected a lease to be kept, but: " + otherwise);
    }
  }

  static boolean isByTime(LossReason reason) {
    return BY_TIME.contains(reason);
  }

  private static AssertionError notHeld(Lease lease, String otherwise) {
    CompletableFuture<Loss> loss = lease.loss().orTimeout(TELLING_SECONDS, TimeUnit.SECONDS);
    return notHeld(
        loss.handle((told, failure) -> Optional.ofNullable(told).map(Loss::reason)).join(),
        otherwise);
  }

  /** Only what ended by its own clock may be the machine's fault. */
  private static AssertionError notHeld(Optional<LossReason> reason, String otherwise) {
    String what =
        otherwise + reason.map(why -> "; its loss was told as " + why).orElse("; no loss was told");
    return reason.map(Holders::isByTime).orElse(true)
        ? new DeadlineMissed(what)
        : new AssertionError(what);
  }
}
