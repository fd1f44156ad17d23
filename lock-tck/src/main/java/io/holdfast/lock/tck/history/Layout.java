/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.history;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Places everything in the picture: faults above, then the scale, then a lane for each thread. */
final class Layout {

  static final double BAND = 18;
  static final double LANE = 24;
  static final double SCALE = 22;
  static final double TITLE = 30;

  private static final double BETWEEN_PROCESSES = 8;

  /** A thread, with what it did. */
  record Lane(String process, String thread, double top, List<Attempt> attempts) {

    double middle() {
      return top + LANE / 2;
    }
  }

  /** A process, from its first lane to its last. */
  record Group(String process, double top, double bottom) {}

  /** A fault, in a row in which no other is at that time. */
  record Fault(IndexedHistory.Band band, double top) {}

  final List<Lane> lanes = new ArrayList<>();
  final List<Group> groups = new ArrayList<>();
  final List<Fault> faults = new ArrayList<>();
  final double scale;
  final double bottom;

  Layout(IndexedHistory run, Window window, Collection<Attempt> shown) {
    double top = TITLE + BAND * rows(run, window);
    scale = top;
    top += SCALE;
    Map<String, Map<String, List<Attempt>>> threads = new TreeMap<>(Layout::byNumber);
    for (Attempt attempt : shown) {
      threads
          .computeIfAbsent(attempt.process, name -> new TreeMap<>(Layout::byNumber))
          .computeIfAbsent(attempt.asked.thread(), name -> new ArrayList<>())
          .add(attempt);
    }
    for (Map.Entry<String, Map<String, List<Attempt>>> process : threads.entrySet()) {
      double first = top;
      for (Map.Entry<String, List<Attempt>> thread : process.getValue().entrySet()) {
        lanes.add(new Lane(process.getKey(), thread.getKey(), top, thread.getValue()));
        top += LANE;
      }
      groups.add(new Group(process.getKey(), first, top));
      top += BETWEEN_PROCESSES;
    }
    bottom = top;
  }

  private int rows(IndexedHistory run, Window window) {
    List<Double> ends = new ArrayList<>();
    List<IndexedHistory.Band> bands = new ArrayList<>(run.bands);
    bands.removeIf(band -> !window.shows(band.begun().at(), band.until()));
    bands.sort((one, other) -> Long.compare(one.begun().at(), other.begun().at()));
    for (IndexedHistory.Band band : bands) {
      double from = window.x(band.begun().at());
      int row = 0;
      while (row < ends.size() && ends.get(row) > from) {
        row++;
      }
      double end = Math.max(window.x(band.until()), from + Bars.wordsWidth(words(band)) + 8);
      if (row == ends.size()) {
        ends.add(end);
      } else {
        ends.set(row, end);
      }
      faults.add(new Fault(band, TITLE + BAND * row));
    }
    return ends.size();
  }

  static String words(IndexedHistory.Band band) {
    return band.begun().kind() + ": " + band.begun().target();
  }

  /** The processes of the lanes, each once. */
  Set<String> processes() {
    Set<String> names = new LinkedHashSet<>();
    groups.forEach(group -> names.add(group.process()));
    return names;
  }

  /** p2 before p10. */
  private static int byNumber(String one, String other) {
    int length = Integer.compare(one.length(), other.length());
    return length == 0 ? one.compareTo(other) : length;
  }
}
