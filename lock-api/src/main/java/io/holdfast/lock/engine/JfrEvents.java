/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.engine;

import io.holdfast.lock.Share;
import io.holdfast.lock.text.VisibleText;
import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Threshold;
import org.jspecify.annotations.Nullable;

/**
 * Writes events of waits and holds to the JDK's flight recorder; {@link JfrLeaseEvents} has what
 * happens to a lease meanwhile. Until a first recording is started, each costs one read of a field,
 * and a JVM may lack the module {@code jdk.jfr}: then none of the nested classes is loaded. Nor is
 * an event made while no recording has its type.
 *
 * <p>Durations are of the recorder's own clock, so that they fit the other events of a recording.
 */
final class JfrEvents {

  private static final boolean PRESENT = ModuleLayer.boot().findModule("jdk.jfr").isPresent();

  static final String MODES = "LOCK, READ, WRITE or PERMITS";
  static final String PERMITS = "How many of a semaphore; 0 of others";

  private JfrEvents() {}

  static boolean isOn() {
    return PRESENT && FlightRecorder.isInitialized();
  }

  static int permits(Share share) {
    return share.mode() == Share.Mode.PERMITS ? share.permits() : 0;
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

    @Label("Mode")
    @Description(MODES)
    @Nullable String mode;

    @Label("Permits")
    @Description(PERMITS)
    int permits;

    @Label("Outcome")
    @Description("GRANTED, TIMED_OUT, CANCELLED, CLOSED or FAILED")
    @Nullable String outcome;

    @Label("Handed Over")
    @Description(
        "Whether the lock was passed on within this client, without the server, or, of a reader,"
            + " shared with others that still hold it")
    boolean handedOver;

    @Label("Attempts")
    int attempts;

    void ends(
        String lock,
        String owner,
        Share share,
        String howItEnded,
        boolean passedOn,
        int numberOfAttempts) {
      // The threshold is compared with what this sets.
      end();
      if (shouldCommit()) {
        lockName = VisibleText.of(lock);
        ownerId = owner;
        mode = share.mode().name();
        permits = permits(share);
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

    @Label("Mode")
    @Description(MODES)
    @Nullable String mode;

    @Label("Permits")
    @Description(PERMITS)
    int permits;

    @Label("Fencing Token")
    @Description("0 if the backend has none")
    long fencingToken;

    @Label("Outcome")
    @Description("RELEASED, UNKNOWN (the release was not answered) or LOST")
    @Nullable String outcome;

    void ends(String lock, String owner, Share share, long token, String howItEnded) {
      // The threshold is compared with what this sets.
      end();
      if (shouldCommit()) {
        lockName = VisibleText.of(lock);
        ownerId = owner;
        mode = share.mode().name();
        permits = permits(share);
        fencingToken = token;
        outcome = howItEnded;
        commit();
      }
    }
  }
}
