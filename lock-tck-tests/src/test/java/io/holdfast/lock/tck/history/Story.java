/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.history;

import io.holdfast.lock.LossReason;
import io.holdfast.lock.ReleaseOutcome;
import io.holdfast.lock.Share;
import io.holdfast.lock.tck.history.Violation.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A history written by hand. Times are milliseconds; the lock is "a", and so is the resource. */
final class Story {

  static final Expectations DEMANDED = Expectations.of(Duration.ofSeconds(2));

  static final String LOCK = "a";
  private static final String RUNNER = "runner";
  private static final Duration LIMIT = Duration.ofSeconds(30);

  final List<Event> events = new ArrayList<>();
  private Share share = Share.LOCK;

  static long ms(long millis) {
    return 5_000_000_000L + Duration.ofMillis(millis).toNanos();
  }

  /** Asks for this share from now on. */
  Story as(Share wanted) {
    share = wanted;
    return this;
  }

  /** Asked one millisecond before, believed to the end, and released one millisecond later. */
  Story held(String process, long attempt, long from, long until, long token) {
    return believed(process, attempt, from, until, token)
        .released(process, attempt, until + 1, ReleaseOutcome.RELEASED);
  }

  /** The same, and never released. */
  Story believed(String process, long attempt, long from, long until, long token) {
    asked(process, attempt, from - 1);
    granted(process, attempt, from, token, 2_000);
    return add(new Event.Believed(ms(until), process, attempt));
  }

  Story asked(String process, long attempt, long at) {
    return asked(process, attempt, at, LIMIT);
  }

  Story asked(String process, long attempt, long at, Duration limit) {
    return add(new Event.Asked(ms(at), process, attempt, "t1", LOCK, limit, share));
  }

  Story queued(String process, long attempt, long at) {
    return add(new Event.Queued(ms(at), process, LOCK, process + "-" + attempt, share));
  }

  Story unanswered(String process, long attempt, long at) {
    return add(new Event.Unanswered(ms(at), process, LOCK, process + "-" + attempt));
  }

  Story granted(String process, long attempt, long at, long token, long remaining) {
    return granted(process, attempt, attempt, at, token, remaining);
  }

  /** Passed on within the tenure that another attempt of the process began. */
  Story passedOn(String process, long attempt, long tenure, long at, long token) {
    return granted(process, attempt, tenure, at, token, 2_000);
  }

  /** The same, when it was not certainly valid any more. */
  Story passedOnInVain(String process, long attempt, long tenure, long at, long token) {
    return granted(process, attempt, tenure, at, token, 0);
  }

  private Story granted(
      String process, long attempt, long tenure, long at, long token, long remaining) {
    return add(
        new Event.Granted(
            ms(at),
            process,
            attempt,
            LOCK,
            process + "-" + tenure,
            token,
            Duration.ofMillis(remaining)));
  }

  Story refused(String process, long attempt, long at, Refusal why) {
    return add(new Event.NotGranted(ms(at), process, attempt, LOCK, why, ""));
  }

  Story doubted(String process, long attempt, long at) {
    return add(new Event.Doubted(ms(at), process, attempt));
  }

  Story lost(String process, long attempt, long at) {
    return add(new Event.Lost(ms(at), process, attempt, LossReason.EXPIRED));
  }

  Story released(String process, long attempt, long at, ReleaseOutcome outcome) {
    return add(new Event.Released(ms(at), process, attempt, outcome));
  }

  /** Begun one millisecond before. */
  Story wrote(String process, long attempt, long at, long token, long before) {
    return writing(process, attempt, at - 1, token)
        .wrote(process, attempt, at, token, Answer.ACCEPTED, before, before + 1);
  }

  Story writing(String process, long attempt, long at, long token) {
    return add(new Event.Writing(ms(at), process, attempt, LOCK, token));
  }

  Story wrote(
      String process, long attempt, long at, long token, Answer answer, long before, long after) {
    return add(new Event.Wrote(ms(at), process, attempt, LOCK, token, answer, before, after));
  }

  Story counted(long at, long value) {
    return add(new Event.Counted(ms(at), RUNNER, LOCK, value));
  }

  Story residue(long at, String what) {
    return add(new Event.Residue(ms(at), RUNNER, what));
  }

  Story fault(long from, long until, long number, String kind) {
    return add(new Event.FaultBegun(ms(from), RUNNER, number, kind, "server"))
        .add(new Event.FaultEnded(ms(until), RUNNER, number));
  }

  Story suspended(String process, long from, long until) {
    return add(new Event.Suspended(ms(from), RUNNER, process))
        .add(new Event.Continued(ms(until), RUNNER, process));
  }

  Story killed(String process, long at) {
    return add(new Event.Killed(ms(at), RUNNER, process, "KILL")).exited(process, at + 1);
  }

  Story exited(String process, long at) {
    return add(new Event.Exited(ms(at), RUNNER, process, 137));
  }

  Story finished(String process, long at) {
    return add(new Event.Finished(ms(at), process));
  }

  Story add(Event event) {
    events.add(event);
    return this;
  }

  History history() {
    return new History(events);
  }

  List<Kind> found() {
    return found(DEMANDED);
  }

  List<Kind> found(Expectations demanded) {
    return Checker.check(history(), demanded).stream().map(Violation::kind).toList();
  }
}
