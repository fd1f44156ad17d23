/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.history;

import io.holdfast.lock.Share;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * After the last heal, permits that are free and that somebody wants are granted: there is no long
 * time in which so many were asked for, and nobody was granted as many, and all that others can
 * have held left as many over. A lease is counted from the request to its end as its process knew
 * it, and a greater request that waits as if it had all. {@link Recovery} judges the name as a
 * whole, and does not see what is gone while others share the rest.
 */
final class FreePermits {

  private FreePermits() {}

  static void check(IndexedHistory run, Expectations demanded, List<Violation> found) {
    long bound = demanded.recovery().toNanos();
    run.byLock.forEach(
        (lock, attempts) ->
            attempts.stream()
                .map(Attempt::share)
                .filter(share -> share.capacity() > 1)
                .distinct()
                .forEach(share -> check(run, attempts, share, bound, found)));
  }

  /** The changes at one instant. */
  private static final class Change {
    long held;
    int wanting;
  }

  private static void check(
      IndexedHistory run, List<Attempt> attempts, Share share, long bound, List<Violation> found) {
    List<Attempt> wanting =
        attempts.stream()
            .filter(attempt -> attempt.share().equals(share) && attempt.granted == null)
            .filter(Recovery::isWanting)
            .toList();
    if (wanting.isEmpty()) {
      return;
    }
    TreeMap<Long, Change> changes = new TreeMap<>();
    for (Attempt attempt : attempts) {
      long held = held(attempt, share);
      at(changes, run, attempt.asked.at()).held += held;
      at(changes, run, run.over(attempt)).held -= held;
    }
    for (Attempt attempt : wanting) {
      at(changes, run, attempt.asked.at()).wanting++;
      at(changes, run, Recovery.wantedUntil(run, attempt)).wanting--;
    }
    at(changes, run, run.end());
    long held = 0;
    int waiting = 0;
    long before = run.healed();
    long from = before;
    long wanted = 0;
    for (Map.Entry<Long, Change> change : changes.entrySet()) {
      long now = change.getKey();
      boolean free = held + share.permits() <= share.capacity();
      wanted += free && waiting > 0 ? now - before : 0;
      held += change.getValue().held;
      waiting += change.getValue().wanting;
      before = now;
      boolean stillFree = held + share.permits() <= share.capacity();
      if (free && (!stillFree || now >= run.end())) {
        if (wanted > bound) {
          found.add(violation(run, wanting, from, now, wanted, bound));
        }
        wanted = 0;
      }
      from = free && stillFree ? from : now;
    }
  }

  private static Violation violation(
      IndexedHistory run, List<Attempt> wanting, long from, long until, long wanted, long bound) {
    List<Attempt> then =
        wanting.stream()
            .filter(one -> one.asked.at() < until && Recovery.wantedUntil(run, one) > from)
            .toList();
    Attempt first = then.get(0);
    String sentence =
        "%s of %s was wanted for %s from %s by %d, and was not granted though others left it free; the last fault was over at %s"
            .formatted(
                first.share(),
                first.lock(),
                Times.millis(wanted),
                run.time(Math.max(from, first.asked.at())),
                then.size(),
                run.time(run.healed()));
    return new Violation(Recovery.kind(wanted, bound), sentence, Recovery.asked(then));
  }

  private static Change at(Map<Long, Change> changes, IndexedHistory run, long at) {
    return changes.computeIfAbsent(Math.max(at, run.healed()), instant -> new Change());
  }

  /** How many permits an attempt may have kept from those that ask for a share. */
  private static long held(Attempt attempt, Share share) {
    boolean asMany = attempt.share().permits() >= share.permits();
    if (attempt.granted == null) {
      return attempt.share().permits() > share.permits() ? share.capacity() : 0;
    }
    boolean same = attempt.share().capacity() == share.capacity();
    return asMany || !same ? share.capacity() : attempt.share().permits();
  }
}
