/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.history;

import java.util.List;
import java.util.Set;

/**
 * Draws the events at an instant, or for a while, other than holding: on top of the bars or below.
 */
final class Marks {

  static final String CROSS = "M-4 -4L4 4M4 -4L-4 4";
  static final String DIAMOND = "M0 -5L5 0L0 5L-5 0Z";
  private static final double DOT = 2.5;
  private static final double NARROW = 3;

  private final IndexedHistory run;
  private final Window window;
  private final Svg svg;

  Marks(IndexedHistory run, Window window, Svg svg) {
    this.run = run;
    this.window = window;
    this.svg = svg;
  }

  void faults(Layout layout) {
    for (Layout.Fault fault : layout.faults) {
      IndexedHistory.Band band = fault.band();
      double from = window.x(band.begun().at());
      double width = Math.max(2, window.x(band.until()) - from);
      String name = Layout.words(band);
      String words =
          "%s, %s to %s".formatted(name, run.time(band.begun().at()), run.time(band.until()));
      svg.rect("fault", from, fault.top() + 1, width, Layout.BAND - 3, words);
      svg.rect("shadow", from, layout.scale + Layout.SCALE, width, height(layout), words);
      double right = Window.RIGHT - Bars.wordsWidth(name);
      svg.text("name", Math.min(from + 4, right), fault.top() + Layout.BAND - 6, name);
    }
  }

  private static double height(Layout layout) {
    return layout.bottom - layout.scale - Layout.SCALE;
  }

  /** When a process stood still, and from when it was no more. */
  void lives(Layout layout) {
    for (Layout.Group group : layout.groups) {
      double height = group.bottom() - group.top();
      long last = run.lives.end(group.process()).map(Event::at).orElse(Long.MAX_VALUE);
      for (ProcessLifetimes.Pause pause : run.lives.pauses(group.process())) {
        long until = Math.min(pause.until(), last);
        if (window.shows(pause.from(), until)) {
          double from = window.x(pause.from());
          double width = Math.max(2, window.x(until) - from);
          String words =
              "%s suspended, %s to %s"
                  .formatted(group.process(), run.time(pause.from()), run.time(until));
          svg.rect("suspended", from, group.top(), width, height, words);
        }
      }
      run.lives.killed(group.process()).ifPresent(kill -> killed(group, kill));
    }
  }

  private void killed(Layout.Group group, Event.Killed kill) {
    double x = window.x(kill.at());
    if (kill.at() < window.until()) {
      double height = group.bottom() - group.top();
      svg.rect("gone", x, group.top(), Window.RIGHT - x, height, group.process() + " is gone");
    }
    if (window.shows(kill.at(), kill.at() + 1)) {
      String words = "%s of %s at %s".formatted(kill.signal(), kill.target(), run.time(kill.at()));
      svg.line("kill", x, group.top(), x, group.bottom(), words);
      svg.mark("kill", x, (group.top() + group.bottom()) / 2, CROSS, words);
    }
  }

  /** Those that are too narrow to be told apart are drawn as one, without words. */
  void waits(Layout.Lane lane) {
    double from = 0;
    double until = 0;
    for (Attempt attempt : lane.attempts()) {
      long over = attempt.answer().map(Event::at).orElseGet(() -> run.over(attempt));
      if (!window.shows(attempt.asked.at(), over + 1)) {
        continue;
      }
      double begin = window.x(attempt.asked.at());
      double end = window.x(over);
      if (end - begin >= NARROW) {
        wait(lane, attempt, begin, end, over);
      } else if (begin - until < 1) {
        until = Math.max(until, end);
      } else {
        svg.line("wait", from, lane.middle(), until, lane.middle(), "");
        from = begin;
        until = end;
      }
    }
    svg.line("wait", from, lane.middle(), until, lane.middle(), "");
  }

  private void wait(Layout.Lane lane, Attempt attempt, double from, double until, long over) {
    String words =
        "%s waits for %s, %s to %s"
            .formatted(attempt.who(), attempt.lock(), run.time(attempt.asked.at()), run.time(over));
    svg.line("wait", from, lane.middle(), until, lane.middle(), words);
    if (attempt.notGranted != null) {
      String why = "%s at %s".formatted(attempt.notGranted.why(), run.time(over));
      svg.line("wait", until, lane.middle() - 4, until, lane.middle() + 4, why);
    }
  }

  /** The losses, on top of the bars. */
  void losses(Layout.Lane lane) {
    for (Attempt attempt : lane.attempts()) {
      for (Event.Lost lost : attempt.losses) {
        if (window.shows(lost.at(), lost.at() + 1)) {
          String words =
              "%s is told that %s is lost: %s at %s"
                  .formatted(attempt.who(), attempt.lock(), lost.reason(), run.time(lost.at()));
          svg.mark("lost", window.x(lost.at()), lane.middle(), DIAMOND, words);
        }
      }
    }
  }

  /** The writes of those that are shown closely. */
  void writes(Layout layout, Set<Attempt> of) {
    for (Layout.Lane lane : layout.lanes) {
      run.writes.values().stream()
          .flatMap(List::stream)
          .filter(write -> of.contains(write.attempt) && lane.attempts().contains(write.attempt))
          .forEach(write -> write(lane, write));
    }
  }

  private void write(Layout.Lane lane, IndexedHistory.Write write) {
    Event.Wrote wrote = write.wrote;
    if (wrote != null && window.shows(wrote.at(), wrote.at() + 1)) {
      String words =
          "%s wrote %d → %d to %s with token %d at %s: %s"
              .formatted(
                  wrote.process(),
                  wrote.before(),
                  wrote.after(),
                  wrote.resource(),
                  wrote.token(),
                  run.time(wrote.at()),
                  wrote.answer());
      double y = lane.middle() + Layout.LANE / 2 - DOT - 1;
      svg.dot("wrote " + wrote.answer(), window.x(wrote.at()), y, DOT, words);
    }
  }
}
