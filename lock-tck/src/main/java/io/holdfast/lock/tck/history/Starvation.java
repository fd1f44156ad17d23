/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.history;

import io.holdfast.lock.tck.history.Violation.Kind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * Nobody who waits for permits is passed by one after another that came later and does not fit
 * beside it: a writer by readers, a request for many permits by small ones. The waiters that passed
 * it asked after the backend had told it to wait, and were granted before it told it so again. Only
 * judged while the waiter keeps asking, and while no fault and no suspension disturbs it: a place
 * that is not renewed is lost. A plain lock promises none of this; where it keeps a queue, {@link
 * ServiceOrder} judges it.
 */
final class Starvation {

  /** Some are passed on within a client, by one that gave up, say; that many never are. */
  private static final int MOST = 20;

  /** Between one answer and the next: far below any TTL. */
  private static final long LONGEST_SILENCE = TimeUnit.MILLISECONDS.toNanos(500);

  private Starvation() {}

  static void check(IndexedHistory run, Expectations demanded, List<Violation> found) {
    run.waits.values().stream()
        .filter(waits -> waits.get(0).share().capacity() != 1)
        .collect(Collectors.groupingBy(waits -> waits.get(0).lock()))
        .forEach(
            (lock, all) -> {
              List<Attempt> byAsked = served(run.byLock.getOrDefault(lock, List.of()));
              for (List<Event.Queued> waits : all) {
                undisturbed(run, waits).forEach(part -> passed(run, part, byAsked, found));
              }
            });
  }

  /** Those that the backend granted, and no client passed on, in the order of the requests. */
  private static List<Attempt> served(List<Attempt> attempts) {
    List<Attempt> granted =
        attempts.stream()
            .filter(attempt -> attempt.granted != null)
            .sorted(Comparator.comparingLong(attempt -> -granted(attempt).at()))
            .toList();
    Set<Attempt> passedOn = ServiceOrder.passedOn(granted);
    return granted.stream()
        .filter(attempt -> !passedOn.contains(attempt))
        .sorted(Comparator.comparingLong(attempt -> attempt.asked.at()))
        .toList();
  }

  /** The parts of a wait in which nothing can have cost it its place. */
  private static List<List<Event.Queued>> undisturbed(
      IndexedHistory run, List<Event.Queued> waits) {
    List<List<Event.Queued>> parts = new ArrayList<>();
    List<Event.Queued> part = new ArrayList<>();
    for (Event.Queued now : waits) {
      if (!part.isEmpty() && isDisturbed(run, part.get(part.size() - 1), now)) {
        parts.add(part);
        part = new ArrayList<>();
      }
      part.add(now);
    }
    parts.add(part);
    return parts;
  }

  private static boolean isDisturbed(IndexedHistory run, Event.Queued before, Event.Queued now) {
    return now.at() - before.at() > LONGEST_SILENCE
        || run.isDisturbed(now.process(), before.at(), now.at());
  }

  private static void passed(
      IndexedHistory run, List<Event.Queued> part, List<Attempt> byAsked, List<Violation> found) {
    Event.Queued first = part.get(0);
    Event.Queued last = part.get(part.size() - 1);
    List<Attempt> passing =
        byAsked.stream()
            .filter(other -> other.asked.at() > first.at() && granted(other).at() < last.at())
            .filter(other -> !granted(other).owner().equals(first.owner()))
            .filter(other -> !Attempt.fit(other.share(), first.share()))
            .toList();
    if (passing.size() > MOST) {
      Attempt one = passing.get(0);
      String sentence =
          "%s waited for %s (%s) from %s to %s, and was passed by %d that came later, %s the first"
              .formatted(
                  first.process(),
                  first.lock(),
                  first.share(),
                  run.time(first.at()),
                  run.time(last.at()),
                  passing.size(),
                  one.party());
      found.add(
          new Violation(Kind.STARVED, sentence, List.of(first, one.asked, granted(one), last)));
    }
  }

  private static Event.Granted granted(Attempt attempt) {
    return attempt.grant().orElseThrow();
  }
}
