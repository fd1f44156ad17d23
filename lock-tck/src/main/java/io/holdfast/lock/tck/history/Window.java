/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.history;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The part of a run that is shown, and where an instant of it is in the picture.
 *
 * @param begin of the run, from which times are counted
 */
record Window(long begin, long from, long until) {

  static final double LEFT = 150;
  static final double RIGHT = 1180;

  private static final int TICKS = 8;
  private static final double NANOS_PER_SECOND = 1e9;

  /** A line of the scale. */
  record Tick(double x, String label) {}

  /** With an instant before and after, so that nothing is without width. */
  static Window of(long begin, long from, long until) {
    return new Window(begin, from, Math.max(until, from + 1_000));
  }

  Window wider(long nanos) {
    return new Window(begin, from - nanos, until + nanos);
  }

  long length() {
    return until - from;
  }

  boolean shows(long at, long end) {
    return at < until && end > from;
  }

  /** Kept within the picture. */
  double x(long at) {
    double part = (Math.min(until, Math.max(from, at)) - from) / (double) length();
    return LEFT + part * (RIGHT - LEFT);
  }

  /** At round times. */
  List<Tick> ticks() {
    double rough = length() / NANOS_PER_SECOND / TICKS;
    double power = Math.pow(10, Math.floor(Math.log10(rough)));
    double step = power;
    for (int factor : new int[] {2, 5, 10}) {
      step = step < rough ? factor * power : step;
    }
    int digits = Math.max(0, (int) Math.ceil(-Math.log10(step) - 1e-9));
    double first = Math.ceil((from - begin) / NANOS_PER_SECOND / step);
    List<Tick> ticks = new ArrayList<>();
    for (double turn = first; ; turn++) {
      double seconds = turn * step;
      long at = begin + Math.round(seconds * NANOS_PER_SECOND);
      if (at > until) {
        return ticks;
      }
      String label = String.format(Locale.ROOT, "%." + digits + "f s", seconds);
      ticks.add(new Tick(x(at), label));
    }
  }
}
