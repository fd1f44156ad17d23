/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.bench;

import io.holdfast.lock.bench.Entry.Kind;
import io.holdfast.lock.bench.Results.Spread;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Horizontal bars in groups, with the spread of each, as SVG that follows the reader's light or
 * dark scheme.
 */
final class Chart {

  private static final int WIDTH = 860;
  private static final int LABELS = 270;
  private static final int NUMBERS = 70;
  private static final int BAR = 16;
  private static final int STEP = 22;
  private static final int GROUP_GAP = 30;
  private static final int TOP = 54;
  private static final String STYLE =
      """
      <style>
        text { font: 13px system-ui, sans-serif; fill: #1f2328; }
        .title { font-size: 16px; font-weight: 600; }
        .group { font-weight: 600; }
        .note, .axis { fill: #59636e; font-size: 12px; }
        .ours { fill: #0b7a75; } .limit { fill: #8c959f; } .peer { fill: #c2803d; }
        .spread { stroke: #1f2328; stroke-width: 1; }
        @media (prefers-color-scheme: dark) {
          text { fill: #e6edf3; } .note, .axis { fill: #9198a1; }
          .ours { fill: #2fb5ad; } .limit { fill: #6e7681; } .peer { fill: #d9985a; }
          .spread { stroke: #e6edf3; }
        }
      </style>
      """;

  /**
   * One bar.
   *
   * @param label beside it
   * @param kind its colour
   * @param spread its length, and the line upon it
   */
  record Bar(String label, Kind kind, Spread spread) {}

  /**
   * Bars that belong together.
   *
   * @param name above them
   * @param bars from the top
   */
  record Group(String name, List<Bar> bars) {}

  private final String title;
  private final String note;
  private final boolean logarithmic;
  private final List<Group> groups = new ArrayList<>();

  /**
   * Begins a chart.
   *
   * @param title above it
   * @param note which direction is better, and the unit
   * @param logarithmic for figures of different magnitude
   */
  Chart(String title, String note, boolean logarithmic) {
    this.title = title;
    this.note = note;
    this.logarithmic = logarithmic;
  }

  void add(Group group) {
    if (!group.bars().isEmpty()) {
      groups.add(group);
    }
  }

  boolean isEmpty() {
    return groups.isEmpty();
  }

  String svg() {
    int bars = groups.stream().mapToInt(group -> group.bars().size()).sum();
    int height = TOP + bars * STEP + groups.size() * GROUP_GAP + 10;
    StringBuilder svg = new StringBuilder();
    svg.append(
        """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" role="img" aria-label="%s">
        """
            .formatted(WIDTH, height, escape(title)));
    svg.append(STYLE);
    text(svg, "title", 10, 22, title);
    text(svg, "note", 10, 40, note);
    int y = TOP;
    for (Group group : groups) {
      text(svg, "group", 10, y + 18, group.name());
      y += GROUP_GAP;
      for (Bar bar : group.bars()) {
        draw(svg, bar, y);
        y += STEP;
      }
    }
    return svg.append("</svg>\n").toString();
  }

  private void draw(StringBuilder svg, Bar bar, int y) {
    Spread spread = bar.spread();
    text(svg, "label", 24, y + 13, bar.label());
    svg.append(
        "<rect class=\"%s\" x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"%d\" rx=\"2\"/>\n"
            .formatted(
                bar.kind().name().toLowerCase(Locale.ROOT),
                LABELS,
                y,
                length(spread.median()),
                BAR));
    int middle = y + BAR / 2;
    svg.append(
        "<line class=\"spread\" x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\"/>\n"
            .formatted(
                LABELS + length(spread.least()), middle, LABELS + length(spread.most()), middle));
    text(
        svg,
        "axis",
        (int) (LABELS + length(spread.most())) + 6,
        y + 13,
        NumberText.text(spread.median()));
  }

  private double length(double value) {
    double most =
        groups.stream()
            .flatMap(group -> group.bars().stream())
            .mapToDouble(bar -> bar.spread().most())
            .filter(Double::isFinite)
            .max()
            .orElse(1);
    double room = WIDTH - LABELS - NUMBERS;
    double finite = Math.min(Math.max(value, 0), most);
    return logarithmic
        ? room * Math.log10(1 + finite) / Math.log10(1 + most)
        : room * finite / most;
  }

  private static void text(StringBuilder svg, String style, int x, int y, String text) {
    svg.append(
        "<text class=\"%s\" x=\"%d\" y=\"%d\">%s</text>\n".formatted(style, x, y, escape(text)));
  }

  private static String escape(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace("\"", "&quot;");
  }
}
