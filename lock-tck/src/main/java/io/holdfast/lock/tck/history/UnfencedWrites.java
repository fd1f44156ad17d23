/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.history;

import io.holdfast.lock.tck.history.IndexedHistory.Write;
import io.holdfast.lock.tck.history.Violation.Kind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes of a resource that knows no tokens. A write that was done wholly while a lease
 * was valid finds the value that the last such one left; except for those that began under a lease
 * that then ended, or that nobody answered, each of which may have come between once. That they may
 * is why there are tokens.
 */
final class UnfencedWrites {

  private final IndexedHistory run;
  private final List<Violation> found;
  private final String resource;

  /** Writes under no valid lease, by when they were over at the latest. */
  private final List<Stray> strays;

  private record Stray(long from, long until) {}

  private UnfencedWrites(
      IndexedHistory run, String resource, List<Write> writes, List<Violation> found) {
    this.run = run;
    this.resource = resource;
    this.found = found;
    this.strays = new ArrayList<>();
    for (Write write : writes) {
      if (!isCovered(write)) {
        strays.add(stray(write));
      }
    }
    strays.sort(Comparator.comparingLong(Stray::until));
  }

  static void check(IndexedHistory run, Expectations demanded, List<Violation> found) {
    run.writes.forEach(
        (resource, all) -> {
          List<Write> writes = all.stream().filter(write -> !write.isFenced()).toList();
          if (!writes.isEmpty()) {
            new UnfencedWrites(run, resource, writes, found).check(writes);
          }
        });
  }

  private void check(List<Write> writes) {
    List<Write> covered =
        writes.stream()
            .filter(UnfencedWrites::isCovered)
            .sorted(Comparator.comparingLong(write -> write.writing.at()))
            .toList();
    @Nullable Write before = null;
    for (Write now : covered) {
      Event.Wrote wrote = Objects.requireNonNull(now.wrote);
      if (before != null) {
        follows(
            before, wrote.before(), wrote, "%s read %d".formatted(wrote.process(), wrote.before()));
      }
      before = now;
    }
    for (Event.Counted counted : run.counts) {
      if (before != null
          && counted.resource().equals(resource)
          && counted.at() > Objects.requireNonNull(before.wrote).at()) {
        follows(before, counted.value(), counted, "it had %d at last".formatted(counted.value()));
        return;
      }
    }
  }

  private void follows(Write before, long read, Event now, String what) {
    Event.Wrote last = Objects.requireNonNull(before.wrote);
    if (read == last.after() || explained(before.writing.at(), now.at())) {
      return;
    }
    String sentence =
        "%s wrote %d → %d to %s at %s, and at %s %s: an update was lost"
            .formatted(
                last.process(),
                last.before(),
                last.after(),
                resource,
                run.time(last.at()),
                run.time(now.at()),
                what);
    found.add(new Violation(Kind.LOST_UPDATE, sentence, List.of(last, now)));
  }

  /** A write takes effect once, so it explains one thing; the first to be over is used first. */
  private boolean explained(long from, long until) {
    for (int i = 0; i < strays.size(); i++) {
      Stray stray = strays.get(i);
      if (stray.until() >= from && stray.from() <= until) {
        strays.remove(i);
        return true;
      }
    }
    return false;
  }

  private static boolean isCovered(Write write) {
    Event.Wrote wrote = write.wrote;
    return wrote != null
        && wrote.answer() == Answer.ACCEPTED
        && write.attempt.believedAt(wrote.at());
  }

  private static Stray stray(Write write) {
    Event.Wrote wrote = write.wrote;
    long until = wrote == null || wrote.answer() == Answer.UNKNOWN ? Long.MAX_VALUE : wrote.at();
    return new Stray(write.writing.at(), until);
  }
}
