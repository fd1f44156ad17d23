/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.history;

import io.holdfast.lock.Share;
import io.holdfast.lock.tck.history.Violation.Kind;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Checks that a waiter with a place in the queue is served before a waiter of another process that
 * asked later and does not fit next to it. Only judged of those that no fault and no suspension
 * disturbed while they waited, and whose process the servers did not fail meanwhile, which a busy
 * machine may do as well: a lost place is lost. And not of leases that a client passed on among its
 * own waiters, which have no place, or the place of the one for whom they came.
 */
final class ServiceOrder {

  /** Between what is written of the one who gave up and of the next in the process. */
  private static final long LONGEST_PASSING_ON = TimeUnit.MILLISECONDS.toNanos(100);

  private ServiceOrder() {}

  static void check(IndexedHistory run, Expectations demanded, List<Violation> found) {
    if (!demanded.fifo()) {
      return;
    }
    for (List<Attempt> attempts : run.byLock.values()) {
      List<Attempt> lastFirst =
          attempts.stream()
              .filter(attempt -> attempt.belief().isPresent())
              .sorted(Comparator.comparingLong(ServiceOrder::granted).reversed())
              .toList();
      check(run, attempts, lastFirst, passedOn(lastFirst), found);
    }
  }

  /** Those that share the owner id of one before them. */
  static Set<Attempt> passedOn(List<Attempt> lastFirst) {
    Map<String, Attempt> firstOfTenure = new HashMap<>();
    lastFirst.forEach(attempt -> firstOfTenure.put(owner(attempt), attempt));
    return lastFirst.stream()
        .filter(attempt -> firstOfTenure.get(owner(attempt)) != attempt)
        .collect(Collectors.toSet());
  }

  /** Goes back in time, and remembers the first places of those that were granted later. */
  private static void check(
      IndexedHistory run,
      List<Attempt> all,
      List<Attempt> lastFirst,
      Set<Attempt> passedOn,
      List<Violation> found) {
    Map<Share, Places> later = new HashMap<>();
    for (Attempt now : lastFirst) {
      for (Places places : later.values()) {
        Attempt before = places.firstBut(now.process);
        if (before != null
            && !Attempt.fit(before.share(), now.share())
            && !passedOn.contains(now)
            && place(before) < since(now)
            && place(before) < sinceOthersGaveUp(all, now)) {
          found.add(violation(run, before, now));
        }
      }
      if (now.queued.isPresent() && !isDisturbed(run, now)) {
        later.computeIfAbsent(now.share(), share -> new Places()).add(now);
      }
    }
  }

  /** The one that had a place first, and the first of another process. */
  private static final class Places {

    private @Nullable Attempt first;
    private @Nullable Attempt other;

    @Nullable Attempt firstBut(String process) {
      return first != null && first.process.equals(process) ? other : first;
    }

    void add(Attempt now) {
      Attempt before = first;
      if (before == null || place(now) < place(before)) {
        other = before == null || before.process.equals(now.process) ? other : before;
        first = now;
      } else if (!before.process.equals(now.process)
          && (other == null || place(now) < place(other))) {
        other = now;
      }
    }
  }

  private static Violation violation(IndexedHistory run, Attempt before, Attempt now) {
    String sentence =
        "%s asked for %s at %s and was served at %s; %s had a place at %s and was served at %s"
            .formatted(
                now.party(),
                now.lock(),
                run.time(now.asked.at()),
                run.time(granted(now)),
                before.party(),
                run.time(place(before)),
                run.time(granted(before)));
    return new Violation(
        Kind.OUT_OF_TURN,
        sentence,
        List.of(
            before.queued.orElseThrow(),
            before.grant().orElseThrow(),
            now.asked,
            now.grant().orElseThrow()));
  }

  private static boolean isDisturbed(IndexedHistory run, Attempt attempt) {
    // It may have had its place, and lost it, before it was told of it.
    return run.isDisturbed(attempt.process, since(attempt), granted(attempt));
  }

  private static String owner(Attempt attempt) {
    return attempt.grant().orElseThrow().owner();
  }

  private static long granted(Attempt attempt) {
    return attempt.grant().orElseThrow().at();
  }

  /** An attempt that took over the place of another in its process has waited since then. */
  private static long since(Attempt attempt) {
    long asked = attempt.asked.at();
    return attempt.queued.map(place -> Math.min(place.at(), asked)).orElse(asked);
  }

  /**
   * A grant that came for an attempt that was given up is passed on in the process, and only its
   * end is written down. So an attempt that is served then may be in its turn.
   */
  private static long sinceOthersGaveUp(List<Attempt> all, Attempt attempt) {
    return all.stream()
        .filter(other -> other.process.equals(attempt.process) && mayHavePassedOn(other, attempt))
        .mapToLong(other -> other.asked.at())
        .min()
        .orElse(Long.MAX_VALUE);
  }

  private static boolean mayHavePassedOn(Attempt from, Attempt to) {
    Event.NotGranted end = from.notGranted;
    return end != null
        && end.why() != Refusal.BUSY
        && end.at() > to.asked.at() - LONGEST_PASSING_ON
        && end.at() < granted(to) + LONGEST_PASSING_ON;
  }

  private static long place(Attempt attempt) {
    return attempt.queued.orElseThrow().at();
  }
}
