/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.history;

import io.holdfast.lock.tck.history.Violation.Kind;
import java.util.List;
import java.util.Optional;

/**
 * Checks that each request is answered, in time and as the contract says, and that nothing is left
 * behind.
 */
final class Answers {

  private Answers() {}

  static void check(IndexedHistory run, Expectations demanded, List<Violation> found) {
    for (String process : run.lives.processes()) {
      died(run, process, found);
    }
    for (Attempt attempt : run.attempts) {
      Optional<Event> answer = attempt.answer();
      if (answer.isPresent()) {
        late(run, attempt, answer.get(), demanded.waitingSlack().toNanos(), found);
      } else {
        unanswered(run, attempt, demanded.waitingSlack().toNanos(), found);
      }
      Event.NotGranted refusal = attempt.notGranted;
      if (refusal != null && refusal.why() == Refusal.FAILED) {
        String sentence =
            "%s asked for %s and got %s at %s"
                .formatted(
                    attempt.who(), attempt.lock(), refusal.exception(), run.time(refusal.at()));
        found.add(new Violation(Kind.FAILED, sentence, List.of(attempt.asked, refusal)));
      }
    }
    for (Event.Residue residue : run.residues) {
      String sentence =
          "left in the store at %s: %s".formatted(run.time(residue.at()), residue.what());
      found.add(new Violation(Kind.RESIDUE, sentence, List.of(residue)));
    }
  }

  private static void died(IndexedHistory run, String process, List<Violation> found) {
    Optional<Event.Exited> exited = run.lives.exited(process);
    if (exited.isPresent()
        && run.lives.killed(process).isEmpty()
        && run.lives.finished(process).isEmpty()) {
      String sentence =
          "%s ended by itself, with %d, before %s"
              .formatted(process, exited.get().code(), run.time(exited.get().at()));
      found.add(new Violation(Kind.DIED, sentence, List.of(exited.get())));
    }
  }

  private static void late(
      IndexedHistory run, Attempt attempt, Event answer, long slack, List<Violation> found) {
    long waited = run.lives.awake(attempt.process, attempt.asked.at(), answer.at());
    if (attempt.isOverLimit(waited - slack)) {
      String sentence =
          "%s waited %s for %s, to %s, and had wanted to wait for %s"
              .formatted(
                  attempt.who(),
                  Times.millis(waited),
                  attempt.lock(),
                  run.time(answer.at()),
                  attempt.asked.maxWait());
      found.add(new Violation(Kind.WAITED_TOO_LONG, sentence, List.of(attempt.asked, answer)));
    }
  }

  private static void unanswered(
      IndexedHistory run, Attempt attempt, long slack, List<Violation> found) {
    Optional<Event> end = run.lives.end(attempt.process);
    boolean finished = end.filter(Event.Finished.class::isInstance).isPresent();
    long waited = run.lives.awake(attempt.process, attempt.asked.at(), run.end());
    if (finished || (end.isEmpty() && attempt.isOverLimit(waited - slack))) {
      String sentence =
          "%s asked for %s at %s, and was never answered"
              .formatted(attempt.who(), attempt.lock(), run.time(attempt.asked.at()));
      found.add(new Violation(Kind.NO_ANSWER, sentence, List.of(attempt.asked)));
    }
  }
}
