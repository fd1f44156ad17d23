/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.engine;

import io.holdfast.lock.LossReason;
import io.holdfast.lock.text.VisibleText;
import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Threshold;
import jdk.jfr.Timespan;
import org.jspecify.annotations.Nullable;

/**
 * What the JDK's flight recorder is told. Until a first recording is started, each costs one read
 * of a field, and a JVM may lack the module {@code jdk.jfr}: then none of the nested classes is
 * loaded. Nor is an event made while no recording has its type.
 *
 * <p>Durations are of the recorder's own clock, so that they fit the other events of a recording.
 */
final class JfrEvents {

  private static final boolean PRESENT = ModuleLayer.boot().findModule("jdk.jfr").isPresent();

  private JfrEvents() {}

  private static boolean isOn() {
    return PRESENT && FlightRecorder.isInitialized();
  }

  /** Asked whether their types are recorded; never committed. */
  private static final class Probes {

    static final LockWait WAIT = new LockWait();
    static final LockHold HOLD = new LockHold();

    private Probes() {}
  }

  /** An acquisition begins; null if nobody records. */
  static @Nullable LockWait waitBegins() {
    if (!isOn() || !Probes.WAIT.isEnabled()) {
      return null;
    }
    LockWait event = new LockWait();
    event.begin();
    return event;
  }

  /** A lease begins; null if nobody records. */
  static @Nullable LockHold holdBegins() {
    if (!isOn() || !Probes.HOLD.isEnabled()) {
      return null;
    }
    LockHold event = new LockHold();
    event.begin();
    return event;
  }

  static void lost(String lockName, String ownerId, LossReason reason) {
    if (isOn()) {
      LockLoss event = new LockLoss();
      if (event.shouldCommit()) {
        event.lockName = VisibleText.of(lockName);
        event.ownerId = ownerId;
        event.reason = reason.name();
        event.commit();
      }
    }
  }

  static void renewalFailed(String lockName, String ownerId, Throwable cause, long remaining) {
    if (isOn()) {
      RenewalFailure event = new RenewalFailure();
      if (event.shouldCommit()) {
        event.lockName = VisibleText.of(lockName);
        event.ownerId = ownerId;
        event.cause = cause.getMessage();
        event.remaining = remaining;
        event.commit();
      }
    }
  }

  /** From the request for a lock to its end. Committed once. */
  @Name("holdfast.LockWait")
  @Label("Lock Wait")
  @Category("Holdfast")
  @Description("From asking for a lock until it was granted, or the caller gave up")
  @Threshold("10 ms")
  @StackTrace(false)
  static final class LockWait extends Event {

    @Label("Lock Name")
    @Nullable String lockName;

    @Label("Owner Id")
    @Description("Of the lease, or of the attempts; empty if there was none")
    @Nullable String ownerId;

    @Label("Outcome")
    @Description("GRANTED, TIMED_OUT, CANCELLED, CLOSED or FAILED")
    @Nullable String outcome;

    @Label("Handed Over")
    @Description("Whether the lock was passed on within this client, without the server")
    boolean handedOver;

    @Label("Attempts")
    int attempts;

    void ends(
        String lock, String owner, String howItEnded, boolean passedOn, int numberOfAttempts) {
      // The threshold is compared with what this sets.
      end();
      if (shouldCommit()) {
        lockName = VisibleText.of(lock);
        ownerId = owner;
        outcome = howItEnded;
        handedOver = passedOn;
        attempts = numberOfAttempts;
        commit();
      }
    }
  }

  /** From the grant to the end of a lease. Committed once. */
  @Name("holdfast.LockHold")
  @Label("Lock Hold")
  @Category("Holdfast")
  @Description("From the grant of a lease until it was released or lost")
  @Threshold("10 ms")
  @StackTrace(false)
  static final class LockHold extends Event {

    @Label("Lock Name")
    @Nullable String lockName;

    @Label("Owner Id")
    @Nullable String ownerId;

    @Label("Fencing Token")
    @Description("0 if the backend has none")
    long fencingToken;

    @Label("Outcome")
    @Description("RELEASED, UNKNOWN (the release was not answered) or LOST")
    @Nullable String outcome;

    void ends(String lock, String owner, long token, String howItEnded) {
      // The threshold is compared with what this sets.
      end();
      if (shouldCommit()) {
        lockName = VisibleText.of(lock);
        ownerId = owner;
        fencingToken = token;
        outcome = howItEnded;
        commit();
      }
    }
  }

  /** A lease was lost. */
  @Name("holdfast.LockLoss")
  @Label("Lock Loss")
  @Category("Holdfast")
  @Description("A lease ended that was not released")
  @StackTrace(false)
  static final class LockLoss extends Event {

    @Label("Lock Name")
    @Nullable String lockName;

    @Label("Owner Id")
    @Nullable String ownerId;

    @Label("Reason")
    @Nullable String reason;
  }

  /** A renewal was not answered. */
  @Name("holdfast.RenewalFailure")
  @Label("Renewal Failure")
  @Category("Holdfast")
  @Description("A renewal was not answered; it is tried again until the validity ends")
  @StackTrace(false)
  static final class RenewalFailure extends Event {

    @Label("Lock Name")
    @Nullable String lockName;

    @Label("Owner Id")
    @Nullable String ownerId;

    @Label("Cause")
    @Nullable String cause;

    @Label("Remaining Validity")
    @Timespan(Timespan.NANOSECONDS)
    long remaining;
  }
}
