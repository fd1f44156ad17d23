/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.history;

import io.holdfast.lock.tck.history.Attempt.Belief;
import io.holdfast.lock.tck.history.Violation.Kind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The permits of all leases of a name that are valid at an instant do not exceed its capacity, and
 * no lease is valid again after its end. A lock is one of one.
 */
final class Exclusion {

  private Exclusion() {}

  static void check(IndexedHistory run, Expectations demanded, List<Violation> found) {
    for (Attempt attempt : run.attempts) {
      validAgain(run, attempt, found);
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

  /** Each is added to those before it that are still valid, so each is named once. */
  private static void overlaps(IndexedHistory run, List<Belief> beliefs, List<Violation> found) {
    List<Belief> valid = new ArrayList<>();
    for (Belief now : beliefs) {
      valid.removeIf(before -> before.until() <= now.from());
      long permits = now.share().permits();
      List<Belief> together = new ArrayList<>();
      for (Belief before : valid) {
        if (before.share().capacity() != now.share().capacity()) {
          found.add(violation(run, Kind.TWO_CAPACITIES, List.of(before), now));
        } else if (permits <= now.share().capacity()) {
          permits += before.share().permits();
          together.add(before);
        }
      }
      if (permits > now.share().capacity()) {
        found.add(violation(run, Kind.OVERLAP, together, now));
      }
      valid.add(now);
      valid.sort(Comparator.comparingLong(Belief::until).reversed());
    }
  }

  /** The events of the one that is over first come first, then those of the last to begin. */
  private static Violation violation(
      IndexedHistory run, Kind kind, List<Belief> before, Belief now) {
    List<Belief> all = new ArrayList<>(before);
    all.add(now);
    long until = all.stream().mapToLong(Belief::until).min().orElseThrow();
    String sentence =
        "%s held %s at once for at least %s: %s"
            .formatted(
                joined(all, belief -> belief.attempt().party()),
                now.attempt().lock(),
                Times.millis(until - now.from()),
                joined(all, belief -> words(run, belief)));
    List<Event> events = new ArrayList<>();
    events.addAll(events(before.get(before.size() - 1)));
    events.addAll(events(now));
    before.subList(0, before.size() - 1).forEach(one -> events.addAll(events(one)));
    return new Violation(kind, sentence, events);
  }

  private static List<Event> events(Belief belief) {
    return List.of(belief.granted(), belief.last());
  }

  private static String joined(List<Belief> beliefs, Function<Belief, String> words) {
    return beliefs.stream().map(words).collect(Collectors.joining(" and "));
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
