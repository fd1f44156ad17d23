/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.bench;

import io.holdfast.lock.bench.ScaleFormula.Point;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The cost of a backend at a server, over the number of processes: dots where it was measured,
 * lines where it is computed. Both axes are logarithmic. SVG that follows the reader's light or
 * dark scheme.
 */
final class ScaleChart {

  private static final int WIDTH = 860;
  private static final int HEIGHT = 390;
  private static final int TOP = 60;
  private static final int PLOT_HEIGHT = 250;
  private static final int PLOT_WIDTH = 340;
  private static final int LEFT = 70;
  private static final int STEP = 425;
  private static final int LEGEND = 368;
  private static final int FIRST = 1;
  private static final int LAST = 10_000;
  private static final int STEPS = 40;
  private static final double MOST_DECADES = 7;
  private static final List<Integer> COMPUTED = List.of(100_000, 1_000_000);
  private static final String STYLE =
      """
      <style>
        text { font: 12px system-ui, sans-serif; fill: #59636e; }
        .title { font-size: 16px; font-weight: 600; fill: #1f2328; }
        .name { font-size: 13px; font-weight: 600; fill: #1f2328; }
        .end { text-anchor: end; } .middle { text-anchor: middle; }
        .grid { stroke: #d1d9e0; stroke-width: 1; }
        polyline { fill: none; stroke-width: 2; }
        .s0 { stroke: #8c959f; } .s1 { stroke: #0b7a75; } .s2 { stroke: #c2803d; }
        .s3 { stroke: #8250df; }
        circle.s0 { fill: #8c959f; } circle.s1 { fill: #0b7a75; }
        @media (prefers-color-scheme: dark) {
          text { fill: #9198a1; } .title, .name { fill: #e6edf3; } .grid { stroke: #3d444d; }
          .s0 { stroke: #6e7681; } .s1 { stroke: #2fb5ad; } .s2 { stroke: #d9985a; }
          .s3 { stroke: #ab7df8; }
          circle.s0 { fill: #6e7681; } circle.s1 { fill: #2fb5ad; }
        }
      </style>
      """;

  private final StringBuilder svg = new StringBuilder();
  private final List<Integer> leases;

  private ScaleChart(List<Integer> leases) {
    this.leases = leases;
  }

  static String svg(ScaleFigures figures) {
    ScaleChart chart = new ScaleChart(series(figures));
    String title = figures.backend() + ": what many processes and leases cost the server";
    chart.svg.append(
        """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" role="img" aria-label="%s">
        """
            .formatted(WIDTH, HEIGHT, title));
    chart.svg.append(STYLE);
    chart.text("title", 10, 22, title);
    int left = LEFT;
    for (ScaleColumn column : ScaleColumn.of(figures)) {
      if (List.of(ScaleColumn.COMMANDS, ScaleColumn.MEMORY).contains(column.name())) {
        chart.panel(column, left);
        left += STEP;
      }
    }
    chart.legend();
    return chart.svg.append("</svg>\n").toString();
  }

  /** None, the most that were measured, and what is computed only. */
  private static List<Integer> series(ScaleFigures figures) {
    int most = figures.held(ScaleSection.COMMANDS).stream().mapToInt(Point::leases).max().orElse(0);
    List<Integer> series = new ArrayList<>(List.of(0));
    if (most > 0) {
      series.add(most);
      series.addAll(COMPUTED);
    }
    return series;
  }

  private void panel(ScaleColumn column, int left) {
    double greatest = 0;
    double least = Double.MAX_VALUE;
    for (int count : leases) {
      for (int processes : List.of(FIRST, LAST)) {
        double value = column.at(processes, count);
        greatest = Math.max(greatest, value);
        least = value > 0 ? Math.min(least, value) : least;
      }
    }
    for (Point point : column.points()) {
      greatest = Math.max(greatest, point.value());
      least = point.value() > 0 ? Math.min(least, point.value()) : least;
    }
    text("name", left, TOP - 12, column.name());
    if (greatest == 0) {
      text("middle", left + PLOT_WIDTH / 2, TOP + PLOT_HEIGHT / 2, "none");
      return;
    }
    double high = Math.ceil(Math.log10(greatest));
    double low = Math.max(Math.min(Math.floor(Math.log10(least)), high - 1), high - MOST_DECADES);
    grid(column.unit(), left, low, high);
    for (int i = leases.size() - 1; i >= 0; i--) {
      line(column, i, left, low, high);
    }
    for (Point point : column.points()) {
      int series = leases.indexOf(point.leases());
      if (point.processes() > 0 && series >= 0 && point.value() > 0) {
        svg.append(
            "<circle class=\"s%d\" cx=\"%.1f\" cy=\"%.1f\" r=\"4\"/>\n"
                .formatted(series, x(left, point.processes()), y(point.value(), low, high)));
      }
    }
  }

  private void grid(ScaleUnit unit, int left, double low, double high) {
    for (double decade = low; decade <= high; decade++) {
      double y = y(Math.pow(10, decade), low, high);
      svg.append(
          "<line class=\"grid\" x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\"/>\n"
              .formatted(left, y, left + PLOT_WIDTH, y));
      text("end", left - 6, (int) Math.round(y) + 4, unit.text(Math.pow(10, decade)));
    }
    for (int processes = FIRST; processes <= LAST; processes *= 10) {
      text(
          "middle",
          (int) Math.round(x(left, processes)),
          TOP + PLOT_HEIGHT + 18,
          ScaleUnit.COUNT.text(processes));
    }
    text("middle", left + PLOT_WIDTH / 2, TOP + PLOT_HEIGHT + 36, "processes");
  }

  private void line(ScaleColumn column, int series, int left, double low, double high) {
    List<String> corners =
        IntStream.rangeClosed(0, STEPS)
            .map(step -> (int) Math.round(Math.pow(LAST, step / (double) STEPS)))
            .filter(processes -> column.at(processes, leases.get(series)) >= Math.pow(10, low))
            .mapToObj(
                processes ->
                    "%.1f,%.1f"
                        .formatted(
                            x(left, processes),
                            y(column.at(processes, leases.get(series)), low, high)))
            .distinct()
            .toList();
    if (!corners.isEmpty()) {
      svg.append(
          "<polyline class=\"s%d\" points=\"%s\"/>\n".formatted(series, String.join(" ", corners)));
    }
  }

  private void legend() {
    int left = LEFT;
    for (int i = 0; i < leases.size(); i++) {
      svg.append(
          "<polyline class=\"s%d\" points=\"%d,%d %d,%d\"/>\n"
              .formatted(i, left, LEGEND - 4, left + 24, LEGEND - 4));
      text("legend", left + 30, LEGEND, ScaleUnit.COUNT.text(leases.get(i)) + " leases");
      left += 140;
    }
    text("legend", left, LEGEND, "dots: measured; lines: computed");
  }

  private static double x(int left, double processes) {
    return left + PLOT_WIDTH * Math.log10(processes) / Math.log10(LAST);
  }

  private static double y(double value, double low, double high) {
    double part = (Math.log10(value) - low) / (high - low);
    return TOP + PLOT_HEIGHT * (1 - Math.max(0, Math.min(1, part)));
  }

  private void text(String style, int x, int y, String text) {
    svg.append("<text class=\"%s\" x=\"%d\" y=\"%d\">%s</text>\n".formatted(style, x, y, text));
  }
}
