/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.history;

import io.holdfast.lock.LossReason;
import io.holdfast.lock.ReleaseOutcome;
import io.holdfast.lock.Share;
import java.time.Duration;

/**
 * Something that a process did, saw, or did to others. Times are {@link System#nanoTime}: one clock
 * for all processes of a Linux host. Each kind says what its stamp means, and on which side of a
 * call it is read: so that what the checker finds is certain, whatever was suspended in between.
 *
 * <p>An attempt to get a lock, and the lease that it got, have one number, unique in their process.
 * The process that did to another, or to a server, is the one that runs the others.
 */
public sealed interface Event {

  /**
   * When, by {@link System#nanoTime}.
   *
   * @return nanoseconds of {@link System#nanoTime()}
   */
  long at();

  /**
   * The process that wrote this.
   *
   * @return its name
   */
  String process();

  /** An event of an attempt, or of the lease that it got. */
  sealed interface OfAttempt extends Event {

    /**
     * Its number.
     *
     * @return its number
     */
    long attempt();
  }

  /**
   * A process begins.
   *
   * @param pid its number at the operating system
   * @param at when, by the clock of the host
   * @param process who tells it
   */
  record Started(long at, String process, long pid) implements Event {}

  /**
   * The last of a process that came to its own end.
   *
   * @param at when, by the clock of the host
   * @param process who tells it
   */
  record Finished(long at, String process) implements Event {}

  /**
   * Is about to ask for a lock; read and written before the call.
   *
   * @param attempt unique in the process
   * @param thread who asks
   * @param maxWait {@link #NO_LIMIT} if it waits for ever
   * @param at when, by the clock of the host
   * @param process who tells it
   * @param lock its name; of several locks, each is an attempt of its own
   * @param share permits of the capacity of the name
   */
  record Asked(
      long at,
      String process,
      long attempt,
      String thread,
      String lock,
      Duration maxWait,
      Share share)
      implements OfAttempt {

    /** Waits for ever. */
    public static final Duration NO_LIMIT = Duration.ofSeconds(Long.MAX_VALUE);

    /**
     * All of a lock.
     *
     * @param at when, by the clock of the host
     * @param process who tells it
     * @param attempt unique in the process
     * @param thread who asks
     * @param lock its name
     * @param maxWait {@link #NO_LIMIT} if it waits for ever
     */
    public Asked(
        long at, String process, long attempt, String thread, String lock, Duration maxWait) {
      this(at, process, attempt, thread, lock, maxWait, Share.LOCK);
    }
  }

  /**
   * The backend said, the first time or again, that somebody else has the lock, and keeps a place
   * for this one; read after it was said. Only needed where it is promised that those who come
   * later do not pass.
   *
   * @param owner the owner id of the attempt, as {@link Granted} has it
   * @param at when, by the clock of the host
   * @param process who tells it
   * @param lock its name
   * @param share permits of the capacity of the name
   */
  record Queued(long at, String process, String lock, String owner, Share share) implements Event {

    /**
     * For all of a lock.
     *
     * @param at when, by the clock of the host
     * @param process who tells it
     * @param lock its name
     * @param owner the owner id of the attempt
     */
    public Queued(long at, String process, String lock, String owner) {
      this(at, process, lock, owner, Share.LOCK);
    }
  }

  /**
   * The limit of a wait ended while the backend had not answered: its place in a queue, if it had
   * one, may have ended as well. Only needed where who comes first is served first.
   *
   * @param owner the owner id of the attempt, as {@link Granted} has it
   * @param at when, by the clock of the host
   * @param process who tells it
   * @param lock its name
   */
  record Unanswered(long at, String process, String lock, String owner) implements Event {}

  /**
   * Was granted; read when the call has returned, and before {@code remaining} is asked for. So a
   * lease with time left was valid at that instant. To be written before anything is done with it.
   *
   * @param owner the owner id
   * @param token the fencing token, 0 if there is none
   * @param remaining the validity left
   * @param at when, by the clock of the host
   * @param process who tells it
   * @param attempt its number in the history
   * @param lock its name
   */
  record Granted(
      long at,
      String process,
      long attempt,
      String lock,
      String owner,
      long token,
      Duration remaining)
      implements OfAttempt {}

  /**
   * Was not granted; read when the call has returned or thrown.
   *
   * @param exception the class of what was thrown, else empty
   * @param at when, by the clock of the host
   * @param process who tells it
   * @param attempt its number in the history
   * @param lock its name
   * @param why why not
   */
  record NotGranted(
      long at, String process, long attempt, String lock, Refusal why, String exception)
      implements OfAttempt {}

  /**
   * {@code isValid} said yes; read before the call, so the lease was valid until then at least.
   *
   * @param at when, by the clock of the host
   * @param process who tells it
   * @param attempt its number in the history
   */
  record Believed(long at, String process, long attempt) implements OfAttempt {}

  /**
   * {@code isValid} said no, and the holder has not begun to release; read after the call, so the
   * lease had ended by then.
   *
   * @param at when, by the clock of the host
   * @param process who tells it
   * @param attempt its number in the history
   */
  record Doubted(long at, String process, long attempt) implements OfAttempt {}

  /**
   * The callback for the loss of a lease was called; read as the first thing in it.
   *
   * @param at when, by the clock of the host
   * @param process who tells it
   * @param attempt its number in the history
   * @param reason why it was lost
   */
  record Lost(long at, String process, long attempt, LossReason reason) implements OfAttempt {}

  /**
   * {@code release} has returned; read after the call.
   *
   * @param at when, by the clock of the host
   * @param process who tells it
   * @param attempt its number in the history
   * @param outcome what came of the release
   */
  record Released(long at, String process, long attempt, ReleaseOutcome outcome)
      implements OfAttempt {}

  /**
   * Is about to read and write a resource under a lock; read and written before the first of it.
   *
   * @param token what it will send along, 0 if the resource does not ask for tokens
   * @param at when, by the clock of the host
   * @param process who tells it
   * @param attempt its number in the history
   * @param resource its name
   */
  record Writing(long at, String process, long attempt, String resource, long token)
      implements OfAttempt {}

  /**
   * Has written, or was refused; read when the resource has answered.
   *
   * @param token what was sent along, 0 if the resource does not ask for tokens
   * @param before what was there; 0 if not accepted
   * @param after what was written in its place; 0 if not accepted
   * @param at when, by the clock of the host
   * @param process who tells it
   * @param attempt its number in the history
   * @param resource its name
   * @param answer what the resource said
   */
  record Wrote(
      long at,
      String process,
      long attempt,
      String resource,
      long token,
      Answer answer,
      long before,
      long after)
      implements OfAttempt {}

  /**
   * The value of a resource before or after everything: read when nobody wrote any more.
   *
   * @param at when, by the clock of the host
   * @param process who tells it
   * @param resource its name
   * @param value what was counted
   */
  record Counted(long at, String process, String resource, long value) implements Event {}

  /**
   * Something was left in the store that should not be there.
   *
   * @param what in words
   * @param at when, by the clock of the host
   * @param process who tells it
   */
  record Residue(long at, String process, String what) implements Event {}

  /**
   * A fault begins; read before it is caused.
   *
   * @param fault a number for this and its end
   * @param kind what, in a word or few
   * @param target what it is done to
   * @param at when, by the clock of the host
   * @param process who tells it
   */
  record FaultBegun(long at, String process, long fault, String kind, String target)
      implements Event {}

  /**
   * A fault has ended; read when all is as it was.
   *
   * @param at when, by the clock of the host
   * @param process who tells it
   * @param fault its name
   */
  record FaultEnded(long at, String process, long fault) implements Event {}

  /**
   * A process is suspended; read before the signal.
   *
   * @param at when, by the clock of the host
   * @param process who tells it
   * @param target the process that it is about
   */
  record Suspended(long at, String process, String target) implements Event {}

  /**
   * A process goes on; read after the signal.
   *
   * @param at when, by the clock of the host
   * @param process who tells it
   * @param target the process that it is about
   */
  record Continued(long at, String process, String target) implements Event {}

  /**
   * A process is made to end; read before the signal.
   *
   * @param signal KILL, TERM
   * @param at when, by the clock of the host
   * @param process who tells it
   * @param target the process that it is about
   */
  record Killed(long at, String process, String target, String signal) implements Event {}

  /**
   * A process has ended, by itself or not; read when that was seen.
   *
   * @param at when, by the clock of the host
   * @param process who tells it
   * @param target the process that it is about
   * @param code how it ended
   */
  record Exited(long at, String process, String target, long code) implements Event {}
}
