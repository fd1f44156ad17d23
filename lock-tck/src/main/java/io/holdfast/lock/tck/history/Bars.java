/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.history;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * The times at which one thread held locks, as bars; those that are too narrow to be told apart are
 * drawn as one.
 */
final class Bars {

  private static final double NARROW = 3;
  private static final double WIDTH_OF_A_LETTER = 6.4;
  private static final double HEIGHT = 14;

  private final IndexedHistory run;
  private final Window window;
  private final Set<Attempt> marked;
  private final Function<Attempt, String> style;
  private final Svg svg;

  /** From where to where it was believed in, and until when it was there. */
  private record Bar(Attempt attempt, int count, double from, double believed, double until) {

    Bar with(Bar next) {
      return new Bar(
          attempt,
          count + next.count,
          from,
          Math.max(believed, next.believed),
          Math.max(until, next.until));
    }
  }

  /**
   * Keeps the parts that are needed to draw.
   *
   * @param marked never drawn as one with others, and on top of them
   * @param style the class of a holder's bar
   */
  Bars(
      IndexedHistory run,
      Window window,
      Set<Attempt> marked,
      Function<Attempt, String> style,
      Svg svg) {
    this.run = run;
    this.window = window;
    this.marked = marked;
    this.style = style;
    this.svg = svg;
  }

  static double wordsWidth(String words) {
    return words.length() * WIDTH_OF_A_LETTER;
  }

  void draw(Layout.Lane lane) {
    List<Bar> bars = new ArrayList<>();
    List<Bar> apart = new ArrayList<>();
    lane.attempts().stream()
        .filter(attempt -> attempt.granted != null)
        .sorted(Comparator.comparingLong(attempt -> attempt.grant().orElseThrow().at()))
        .map(this::bar)
        .flatMap(Optional::stream)
        .forEach(
            bar -> {
              if (marked.contains(bar.attempt())) {
                apart.add(bar);
              } else if (bars.isEmpty() || !isOne(bars.get(bars.size() - 1), bar)) {
                bars.add(bar);
              } else {
                bars.add(bars.remove(bars.size() - 1).with(bar));
              }
            });
    bars.forEach(bar -> draw(bar, lane));
    apart.forEach(bar -> draw(bar, lane));
  }

  private Optional<Bar> bar(Attempt attempt) {
    long from = attempt.grant().orElseThrow().at();
    long until = Math.max(from, run.over(attempt));
    if (!window.shows(from, until + 1)) {
      return Optional.empty();
    }
    long believed = attempt.belief().map(Attempt.Belief::until).orElse(from);
    return Optional.of(new Bar(attempt, 1, window.x(from), window.x(believed), window.x(until)));
  }

  private boolean isOne(Bar before, Bar now) {
    return now.from() - before.until() < 1
        && before.until() - before.believed() < NARROW
        && now.until() - now.from() < NARROW
        && style.apply(before.attempt()).equals(style.apply(now.attempt()));
  }

  private void draw(Bar bar, Layout.Lane lane) {
    Attempt attempt = bar.attempt();
    double y = lane.middle() - HEIGHT / 2;
    String words = words(bar);
    String kind = style.apply(attempt);
    double width = Math.max(1, bar.until() - bar.from());
    svg.rect("held pale " + kind, bar.from(), y, width, HEIGHT, words);
    double believed = Math.max(1, bar.believed() - bar.from());
    String mark = marked.contains(attempt) ? " marked" : "";
    svg.rect("held " + kind + mark, bar.from(), y, believed, HEIGHT, words);
    String token = String.valueOf(attempt.grant().orElseThrow().token());
    if (bar.count() == 1 && wordsWidth(token) + 6 < believed) {
      svg.text("token", bar.from() + 4, lane.middle() + 4, token);
    }
  }

  private String words(Bar bar) {
    Attempt attempt = bar.attempt();
    if (bar.count() > 1) {
      return "%s held a lock %d times".formatted(attempt.who(), bar.count());
    }
    Event.Granted granted = attempt.grant().orElseThrow();
    String end = "";
    if (attempt.released != null) {
      end = ", " + attempt.released.outcome() + " at " + run.time(attempt.released.at());
    }
    return "%s holds %s with token %d: granted at %s, certainly valid until %s%s"
        .formatted(
            attempt.party(),
            attempt.lock(),
            granted.token(),
            run.time(granted.at()),
            attempt.belief().map(belief -> run.time(belief.until())).orElse("nobody knows"),
            end);
  }
}
