/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.history;

import io.holdfast.lock.tck.history.Violation.Kind;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;

/**
 * After the last heal, a lock that somebody wants is had by somebody: there is no long time in
 * which it was asked for, and nobody was granted it, believed in it or released it.
 */
final class Recovery {

  /** Those that ended for reasons of their own. */
  private static final Set<Refusal> OWN_WILL = EnumSet.of(Refusal.INTERRUPTED, Refusal.CANCELLED);

  /** So many times the bound is beyond any excuse. */
  private static final int NEVER = 3;

  /** How many of those that wanted it are named. */
  private static final int SHOWN = 10;

  private Recovery() {}

  static void check(IndexedHistory run, Expectations demanded, List<Violation> found) {
    long bound = demanded.recovery().toNanos();
    run.byLock.forEach((lock, attempts) -> check(run, lock, attempts, bound, found));
  }

  private static void check(
      IndexedHistory run, String lock, List<Attempt> attempts, long bound, List<Violation> found) {
    long healed = run.healed();
    long[] signs =
        LongStream.concat(
                LongStream.of(healed, run.end()), attempts.stream().flatMapToLong(Recovery::signs))
            .filter(at -> at >= healed)
            .sorted()
            .toArray();
    for (int i = 1; i < signs.length; i++) {
      long from = signs[i - 1];
      long until = signs[i];
      if (until - from > bound && attempts.stream().noneMatch(one -> had(one, from, until))) {
        quiet(run, lock, attempts, signs[i - 1], signs[i], bound, found);
      }
    }
  }

  /** When somebody certainly had it. */
  private static LongStream signs(Attempt attempt) {
    LongStream belief =
        attempt.belief().stream().flatMapToLong(had -> LongStream.of(had.from(), had.until()));
    Event.Released released = attempt.released;
    return released == null ? belief : LongStream.concat(belief, LongStream.of(released.at()));
  }

  private static boolean had(Attempt attempt, long from, long until) {
    return attempt.belief().filter(had -> had.from() <= from && had.until() >= until).isPresent();
  }

  /** Nobody had it: was it wanted? */
  private static void quiet(
      IndexedHistory run,
      String lock,
      List<Attempt> attempts,
      long from,
      long until,
      long bound,
      List<Violation> found) {
    List<Attempt> wanting =
        attempts.stream()
            .filter(Recovery::isWanting)
            .filter(attempt -> attempt.asked.at() < until && wantedUntil(run, attempt) > from)
            .toList();
    long first = wanting.stream().mapToLong(attempt -> attempt.asked.at()).min().orElse(until);
    long last = wanting.stream().mapToLong(attempt -> wantedUntil(run, attempt)).max().orElse(from);
    long wanted = Math.min(until, last) - Math.max(from, first);
    if (wanted > bound) {
      String sentence =
          "%s was wanted for %s from %s by %d, and nobody had it; the last fault was over at %s"
              .formatted(
                  lock,
                  Times.millis(wanted),
                  run.time(Math.max(from, first)),
                  wanting.size(),
                  run.time(run.healed()));
      found.add(new Violation(kind(wanted, bound), sentence, asked(wanting)));
    }
  }

  static Kind kind(long wanted, long bound) {
    return wanted > NEVER * bound ? Kind.NEVER_RECOVERED : Kind.STUCK;
  }

  /** Some of the events that show that they wanted it. */
  static List<Event> asked(List<Attempt> wanting) {
    return wanting.stream().limit(SHOWN).<Event>map(attempt -> attempt.asked).toList();
  }

  static boolean isWanting(Attempt attempt) {
    Event.NotGranted refusal = attempt.notGranted;
    return refusal == null || !OWN_WILL.contains(refusal.why());
  }

  static long wantedUntil(IndexedHistory run, Attempt attempt) {
    return attempt
        .answer()
        .or(() -> run.lives.end(attempt.process))
        .map(Event::at)
        .orElse(run.end());
  }
}
