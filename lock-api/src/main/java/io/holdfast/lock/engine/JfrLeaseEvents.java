/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.engine;

import io.holdfast.lock.LockEvent;
import io.holdfast.lock.LossReason;
import io.holdfast.lock.Share;
import io.holdfast.lock.text.VisibleText;
import java.time.Duration;
import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;
import org.jspecify.annotations.Nullable;

/**
 * Writes events of a lease that is held to the JDK's flight recorder, on the same terms as {@link
 * JfrEvents}.
 */
final class JfrLeaseEvents {

  private JfrLeaseEvents() {}

  /** As those of {@link JfrEvents}. */
  private static final class Probes {

    static final LockLoss LOSS = new LockLoss();
    static final RenewalFailure RENEWAL_FAILURE = new RenewalFailure();
    static final EarlyWarning EARLY_WARNING = new EarlyWarning();
    static final EarlierEnd EARLIER_END = new EarlierEnd();

    private Probes() {}
  }

  static void lost(String lockName, String ownerId, Share share, LossReason reason) {
    if (JfrEvents.isOn() && Probes.LOSS.isEnabled()) {
      LockLoss event = new LockLoss();
      if (event.shouldCommit()) {
        event.lockName = VisibleText.of(lockName);
        event.ownerId = ownerId;
        event.mode = share.mode().name();
        event.permits = JfrEvents.permits(share);
        event.reason = reason.name();
        event.commit();
      }
    }
  }

  static void renewalFailed(
      String lockName, String ownerId, Share share, Throwable cause, long remaining) {
    if (JfrEvents.isOn() && Probes.RENEWAL_FAILURE.isEnabled()) {
      RenewalFailure event = new RenewalFailure();
      if (event.shouldCommit()) {
        event.lockName = VisibleText.of(lockName);
        event.ownerId = ownerId;
        event.mode = share.mode().name();
        event.permits = JfrEvents.permits(share);
        event.cause = cause.getMessage();
        event.remaining = remaining;
        event.commit();
      }
    }
  }

  static void warned(LockEvent.RenewalFailed told) {
    if (JfrEvents.isOn() && Probes.EARLY_WARNING.isEnabled()) {
      EarlyWarning event = new EarlyWarning();
      if (event.shouldCommit()) {
        event.lockName = VisibleText.of(told.lockName());
        event.ownerId = told.ownerId();
        event.mode = told.share().mode().name();
        event.permits = JfrEvents.permits(told.share());
        event.cause = told.cause().getMessage();
        event.remaining = told.remaining().toNanos();
        event.commit();
      }
    }
  }

  static void endsEarlier(String lockName, String ownerId, Share share, Duration remaining) {
    if (JfrEvents.isOn() && Probes.EARLIER_END.isEnabled()) {
      EarlierEnd event = new EarlierEnd();
      if (event.shouldCommit()) {
        event.lockName = VisibleText.of(lockName);
        event.ownerId = ownerId;
        event.mode = share.mode().name();
        event.permits = JfrEvents.permits(share);
        event.remaining = remaining.toNanos();
        event.commit();
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

    @Label("Mode")
    @Description(JfrEvents.MODES)
    @Nullable String mode;

    @Label("Permits")
    @Description(JfrEvents.PERMITS)
    int permits;

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

    @Label("Mode")
    @Description(JfrEvents.MODES)
    @Nullable String mode;

    @Label("Permits")
    @Description(JfrEvents.PERMITS)
    int permits;

    @Label("Cause")
    @Nullable String cause;

    @Label("Remaining Validity")
    @Timespan(Timespan.NANOSECONDS)
    long remaining;
  }

  /** Little validity is left, and renewals fail. */
  @Name("holdfast.EarlyWarning")
  @Label("Early Warning")
  @Category("Holdfast")
  @Description("No more validity is left than the early warning of the options, and renewals fail")
  @StackTrace(false)
  static final class EarlyWarning extends Event {

    @Label("Lock Name")
    @Nullable String lockName;

    @Label("Owner Id")
    @Nullable String ownerId;

    @Label("Mode")
    @Description(JfrEvents.MODES)
    @Nullable String mode;

    @Label("Permits")
    @Description(JfrEvents.PERMITS)
    int permits;

    @Label("Cause")
    @Nullable String cause;

    @Label("Remaining Validity")
    @Timespan(Timespan.NANOSECONDS)
    long remaining;
  }

  /** The holder has set an earlier end. */
  @Name("holdfast.EarlierEnd")
  @Label("Earlier End")
  @Category("Holdfast")
  @Description("The holder of a lease of fixed time has set an earlier end")
  @StackTrace(false)
  static final class EarlierEnd extends Event {

    @Label("Lock Name")
    @Nullable String lockName;

    @Label("Owner Id")
    @Nullable String ownerId;

    @Label("Mode")
    @Description(JfrEvents.MODES)
    @Nullable String mode;

    @Label("Permits")
    @Description(JfrEvents.PERMITS)
    int permits;

    @Label("Remaining Validity")
    @Timespan(Timespan.NANOSECONDS)
    long remaining;
  }
}
