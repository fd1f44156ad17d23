/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.history;

import io.holdfast.lock.tck.history.IndexedHistory.Write;
import io.holdfast.lock.tck.history.Violation.Kind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Checks the writes that a resource with token checks has accepted: each write adds one to the
 * value before it, with no smaller token, and the holder of the lock is not refused. Writes whose
 * answer nobody had may be among them, each once.
 */
final class FencedWrites {

  private final IndexedHistory run;
  private final List<Violation> found;
  private final String resource;
  private final List<Event.Wrote> accepted = new ArrayList<>();
  private long unknown;

  private FencedWrites(IndexedHistory run, String resource, List<Violation> found) {
    this.run = run;
    this.resource = resource;
    this.found = found;
  }

  static void check(IndexedHistory run, Expectations demanded, List<Violation> found) {
    run.writes.forEach(
        (resource, writes) -> {
          List<Write> fenced = writes.stream().filter(Write::isFenced).toList();
          if (!fenced.isEmpty()) {
            new FencedWrites(run, resource, found).check(fenced, demanded.fencing());
          }
        });
  }

  private void check(List<Write> writes, boolean fencing) {
    for (Write write : writes) {
      Event.Wrote wrote = write.wrote;
      Answer answer = wrote == null ? Answer.UNKNOWN : wrote.answer();
      switch (answer) {
        case ACCEPTED -> accepted.add(Objects.requireNonNull(wrote));
        case REFUSED -> {
          if (fencing) {
            refused(write, Objects.requireNonNull(wrote));
          }
        }
        case UNKNOWN -> unknown++;
      }
    }
    accepted.sort(Comparator.comparingLong(Event.Wrote::after).thenComparingLong(Event::at));
    for (int i = 0; i < accepted.size(); i++) {
      follows(i == 0 ? null : accepted.get(i - 1), accepted.get(i));
    }
    backwards(writes);
    counted();
  }

  private void refused(Write write, Event.Wrote wrote) {
    if (write.attempt.believedAt(wrote.at())) {
      add(
          Kind.HOLDER_REFUSED,
          "%s refused token %d of %s at %s, whose lease was valid afterwards"
              .formatted(resource, wrote.token(), write.attempt.who(), run.time(wrote.at())),
          write.writing,
          wrote);
    }
  }

  private void follows(Event.@Nullable Wrote before, Event.Wrote now) {
    if (now.after() != now.before() + 1) {
      add(Kind.LOST_UPDATE, words(now) + ", and should have added one", now);
    } else if (before != null && now.before() < before.after()) {
      add(Kind.LOST_UPDATE, words(now) + " over " + words(before), before, now);
    } else if (before != null && now.before() > before.after()) {
      missing(now.before() - before.after(), words(now) + " after " + words(before), before, now);
    }
    if (before != null && now.token() < before.token()) {
      add(Kind.STALE_WRITE, words(now) + " after " + words(before), before, now);
    }
  }

  /** Those that nobody knows may have been done. */
  private void missing(long count, String what, Event... events) {
    unknown -= count;
    if (unknown < 0) {
      add(Kind.LOST_UPDATE, what + ", and nobody wrote what is between", events);
      unknown = 0;
    }
  }

  /** In time: what was accepted is seen by all that begin later. */
  private void backwards(List<Write> writes) {
    List<Write> byBegin =
        writes.stream()
            .filter(Write::isAccepted)
            .sorted(Comparator.comparingLong(write -> write.writing.at()))
            .toList();
    List<Event.Wrote> byEnd = new ArrayList<>(accepted);
    byEnd.sort(Comparator.comparingLong(Event::at));
    int next = 0;
    Event.@Nullable Wrote greatest = null;
    for (Write write : byBegin) {
      for (; next < byEnd.size() && byEnd.get(next).at() < write.writing.at(); next++) {
        Event.Wrote done = byEnd.get(next);
        greatest = greatest == null || done.after() > greatest.after() ? done : greatest;
      }
      Event.Wrote now = Objects.requireNonNull(write.wrote);
      if (greatest != null && now.after() < greatest.after()) {
        add(Kind.LOST_UPDATE, words(now) + " later than " + words(greatest), greatest, now);
      }
    }
  }

  private void counted() {
    if (accepted.isEmpty()) {
      return;
    }
    long over = accepted.stream().mapToLong(Event::at).max().orElseThrow();
    Optional<Event.Counted> last =
        run.counts.stream()
            .filter(counted -> counted.resource().equals(resource) && counted.at() > over)
            .max(Comparator.comparingLong(Event::at));
    if (last.isEmpty()) {
      return;
    }
    Event.Wrote greatest = accepted.get(accepted.size() - 1);
    long more = last.get().value() - greatest.after();
    String what = "%s had %d at the end after ".formatted(resource, last.get().value());
    if (more < 0) {
      add(Kind.LOST_UPDATE, what + words(greatest), greatest, last.get());
    } else if (more > 0) {
      missing(more, what + words(greatest), greatest, last.get());
    }
  }

  private String words(Event.Wrote wrote) {
    return "%s wrote %d → %d to %s with token %d at %s"
        .formatted(
            wrote.process(),
            wrote.before(),
            wrote.after(),
            resource,
            wrote.token(),
            run.time(wrote.at()));
  }

  private void add(Kind kind, String sentence, Event... events) {
    found.add(new Violation(kind, sentence, List.of(events)));
  }
}
