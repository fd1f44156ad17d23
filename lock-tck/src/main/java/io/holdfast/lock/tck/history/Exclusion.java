/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.history;

import io.holdfast.lock.tck.history.Attempt.Belief;
import io.holdfast.lock.tck.history.Violation.Kind;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** No two leases of a lock are valid at once, and none is valid again after its end. */
final class Exclusion {

  private Exclusion() {}

  static void check(IndexedHistory run, Expectations demanded, List<Violation> found) {
    for (Attempt attempt : run.attempts) {
      validAgain(run, attempt, found);
    }
    if (!demanded.exclusion()) {
      return;
    }
    for (List<Attempt> attempts : run.byLock.values()) {
      List<Belief> beliefs =
          attempts.stream()
              .map(Attempt::belief)
              .flatMap(Optional::stream)
              .sorted(Comparator.comparingLong(Belief::from))
              .toList();
      overlaps(run, beliefs, found);
    }
  }

  /** Each is compared with the one before it that lasted longest, so each is named once. */
  private static void overlaps(IndexedHistory run, List<Belief> beliefs, List<Violation> found) {
    for (int i = 1, longest = 0; i < beliefs.size(); i++) {
      Belief before = beliefs.get(longest);
      Belief now = beliefs.get(i);
      if (now.from() < before.until()) {
        String sentence =
            "%s and %s held %s at once for at least %s: %s and %s"
                .formatted(
                    before.attempt().who(),
                    now.attempt().who(),
                    now.attempt().lock(),
                    Times.millis(Math.min(now.until(), before.until()) - now.from()),
                    words(run, before),
                    words(run, now));
        found.add(
            new Violation(
                Kind.OVERLAP,
                sentence,
                List.of(before.granted(), before.last(), now.granted(), now.last())));
      }
      if (now.until() > before.until()) {
        longest = i;
      }
    }
  }

  private static String words(IndexedHistory run, Belief belief) {
    return "%s to %s (token %d)"
        .formatted(run.time(belief.from()), run.time(belief.until()), belief.granted().token());
  }

  private static void validAgain(IndexedHistory run, Attempt attempt, List<Violation> found) {
    Event.Believed last = attempt.lastBelieved;
    if (last == null) {
      return;
    }
    Event end = attempt.released;
    for (Event.Lost lost : attempt.losses) {
      end = earlier(end, lost);
    }
    end = earlier(end, attempt.doubted);
    if (end != null && end.at() < last.at()) {
      String sentence =
          "%s's lease of %s was valid at %s, and had ended at %s (%s)"
              .formatted(
                  attempt.who(),
                  attempt.lock(),
                  run.time(last.at()),
                  run.time(end.at()),
                  end.getClass().getSimpleName());
      found.add(new Violation(Kind.VALID_AGAIN, sentence, List.of(end, last)));
    }
  }

  private static @Nullable Event earlier(@Nullable Event one, @Nullable Event other) {
    if (one == null || other == null) {
      return one == null ? other : one;
    }
    return one.at() <= other.at() ? one : other;
  }
}
