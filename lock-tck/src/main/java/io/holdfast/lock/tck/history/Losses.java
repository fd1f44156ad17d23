/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.history;

import io.holdfast.lock.ReleaseOutcome;
import io.holdfast.lock.tck.history.Violation.Kind;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** A loss is told once, in time, and only where there was one. */
final class Losses {

  /** So many times what is allowed is beyond any excuse. */
  private static final int NEVER = 5;

  private Losses() {}

  static void check(IndexedHistory run, Expectations demanded, List<Violation> found) {
    for (Attempt attempt : run.attempts) {
      if (attempt.losses.size() > 1) {
        String sentence = lease(attempt) + " was told as lost " + attempt.losses.size() + " times";
        found.add(new Violation(Kind.LOST_TWICE, sentence, List.copyOf(attempt.losses)));
      }
      releasedAndLost(run, attempt, found);
      attempt.ended().ifPresent(end -> told(run, attempt, end, demanded.tellingSlack(), found));
    }
  }

  private static void releasedAndLost(IndexedHistory run, Attempt attempt, List<Violation> found) {
    Event.Released released = attempt.released;
    if (released == null
        || released.outcome() != ReleaseOutcome.RELEASED
        || attempt.losses.isEmpty()) {
      return;
    }
    Event.Lost lost = attempt.losses.get(0);
    String sentence =
        "%s was released at %s, and told as lost (%s) at %s"
            .formatted(lease(attempt), run.time(released.at()), lost.reason(), run.time(lost.at()));
    found.add(new Violation(Kind.RELEASED_AND_LOST, sentence, List.of(released, lost)));
  }

  private static void told(
      IndexedHistory run, Attempt attempt, Event end, Duration slack, List<Violation> found) {
    Optional<Event.Lost> told = attempt.losses.stream().findFirst();
    long until =
        told.map(Event::at)
            .orElseGet(() -> run.lives.end(attempt.process).map(Event::at).orElse(run.end()));
    long late = run.lives.awake(attempt.process, end.at(), until);
    if (late <= slack.toNanos()) {
      return;
    }
    String sentence =
        "%s had ended at %s, and its holder was told %s"
            .formatted(
                lease(attempt),
                run.time(end.at()),
                told.map(lost -> Times.millis(late) + " later").orElse("nothing"));
    List<Event> events = told.map(lost -> List.of(end, lost)).orElseGet(() -> List.of(end));
    boolean never = told.isEmpty() && late > NEVER * slack.toNanos();
    found.add(new Violation(never ? Kind.NEVER_TOLD : Kind.NOT_TOLD, sentence, events));
  }

  private static String lease(Attempt attempt) {
    return "%s's lease of %s".formatted(attempt.who(), attempt.lock());
  }
}
