/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.report;

import io.holdfast.lock.tck.Bound;
import io.holdfast.lock.tck.Measured;
import io.holdfast.lock.tck.rules.RuleContext;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * All figures of one kind that the rules came by on one backend.
 *
 * @param bound of which kind
 * @param median of those measured
 * @param most the longest
 * @param count how many there are
 * @param promised the longest that was promised, if anything was
 */
public record Figures(
    Bound bound, Duration median, Duration most, int count, Optional<Duration> promised) {

  /** One for each kind of which there is any. */
  static List<Figures> of(List<Measured> measured) {
    List<Figures> all = new ArrayList<>();
    for (Bound bound : Bound.values()) {
      List<Measured> those = measured.stream().filter(one -> one.bound() == bound).toList();
      if (!those.isEmpty()) {
        List<Duration> took = those.stream().map(Measured::took).sorted().toList();
        all.add(
            new Figures(
                bound,
                median(took),
                took.get(took.size() - 1),
                took.size(),
                those.stream()
                    .flatMap(one -> one.promised().stream())
                    .max(Comparator.naturalOrder())));
      }
    }
    return all;
  }

  private static Duration median(List<Duration> sorted) {
    Duration lower = sorted.get((sorted.size() - 1) / 2);
    return lower.plus(sorted.get(sorted.size() / 2)).dividedBy(2);
  }

  /** A share of what is promised, of 100; of nothing it is all. */
  long share(Duration of) {
    long most = promised.map(Duration::toNanos).orElse(0L);
    return of.toNanos() >= most ? 100 : of.toNanos() * 100 / most;
  }

  /** In words, with what the rules allow besides. */
  String promise() {
    return promised
        .map(Figures::text)
        .map(most -> "%s, allowed %s + %s".formatted(most, most, text(RuleContext.SLACK)))
        .orElse("none");
  }

  static String text(Duration time) {
    double millis = time.toNanos() / 1e6;
    return millis < 10
        ? String.format(Locale.ROOT, "%.1f ms", millis)
        : millis < 1000
            ? String.format(Locale.ROOT, "%.0f ms", millis)
            : String.format(Locale.ROOT, "%.2f s", millis / 1e3);
  }
}
