/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.history;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/** A part of a run as a picture that needs nothing else, for light and dark screens. */
final class Picture {

  private static final double WIDTH = 1200;
  private static final double LEGEND = 20;
  private static final int COLOURS = 6;

  private static final String STYLE =
      """
      .line { color-scheme: light dark; font: 11px system-ui, sans-serif; max-width: 100%; height: auto; background: Canvas; }
      .line text { fill: CanvasText; }
      .line .title { font-size: 13px; font-weight: 600; }
      .line .process { font-weight: 600; }
      .line .dim { fill: GrayText; }
      .line .stripe { fill: #8881; }
      .line .grid { stroke: #8884; }
      .line .wait { stroke: #888c; stroke-width: 1.5; }
      .line .held { rx: 2px; fill: light-dark(#9aa3ad, #5c6670); }
      .line .held.c0 { fill: light-dark(#3b82c4, #5ea3e0); } .line .held.c1 { fill: light-dark(#3a9d6a, #58bd88); }
      .line .held.c2 { fill: light-dark(#8b62c4, #ab87dd); } .line .held.c3 { fill: light-dark(#b0882a, #cfa94e); }
      .line .held.c4 { fill: light-dark(#2f9aa0, #52bcc2); } .line .held.c5 { fill: light-dark(#b7608f, #d584b0); }
      .line .pale { opacity: .35; }
      .line .marked { stroke: light-dark(#c00, #ff6b6b); stroke-width: 2.5; }
      .line .token { font: 600 10px ui-monospace, monospace; fill: light-dark(#fff, #000); pointer-events: none; }
      .line .fault { fill: light-dark(#f2c66d, #7a5a14); rx: 3px; }
      .line .shadow { fill: #e9a02014; pointer-events: none; }
      .line .name { pointer-events: none; }
      .line .suspended { fill: url(#hatch); }
      .line .hatch { stroke: #8889; stroke-width: 2; }
      .line .gone { fill: light-dark(#0002, #0006); }
      .line .kill { stroke: light-dark(#000, #fff); stroke-width: 2; fill: none; }
      .line .lost { fill: light-dark(#e0651a, #ff9650); stroke: Canvas; }
      .line .wrote { stroke: Canvas; stroke-width: .6; } .line .ACCEPTED { fill: CanvasText; }
      .line .REFUSED { fill: light-dark(#c00, #ff6b6b); } .line .UNKNOWN { fill: GrayText; }
      .line .clash { fill: light-dark(#d0000026, #ff505038); }
      .line .clash-name { fill: light-dark(#c00, #ff6b6b); font-weight: 600; }
      """;

  private static final String HATCH =
      """
      <defs><pattern id="hatch" width="7" height="7" patternUnits="userSpaceOnUse" \
      patternTransform="rotate(45)"><line class="hatch" x1="0" y1="0" x2="0" y2="7"/></pattern></defs>
      """;

  private final IndexedHistory run;
  private final Window window;
  private final List<String> locks;
  private final Set<Attempt> marked;
  private final Layout layout;
  private final Svg svg = new Svg();

  /**
   * A picture to be drawn.
   *
   * @param shown whose lanes and leases
   * @param locks those with colours; the others are grey
   * @param marked the leases that it is about
   */
  Picture(
      IndexedHistory run,
      Window window,
      Collection<Attempt> shown,
      Collection<String> locks,
      Set<Attempt> marked) {
    this.run = run;
    this.window = window;
    this.locks = List.copyOf(locks);
    this.marked = marked;
    this.layout = new Layout(run, window, shown);
  }

  /**
   * Draws it.
   *
   * @param title above
   * @param clashes what to shade; with its name if it is one only
   */
  String draw(String title, List<Clash> clashes) {
    Function<Attempt, String> style = attempt -> colour(attempt.lock());
    Bars bars = new Bars(run, window, marked, style, svg);
    Marks marks = new Marks(run, window, svg);
    svg.text("title", 8, 19, title);
    lanes();
    marks.faults(layout);
    scale();
    layout.lanes.forEach(marks::waits);
    layout.lanes.forEach(bars::draw);
    marks.lives(layout);
    layout.lanes.forEach(marks::losses);
    marks.writes(layout, marked);
    clashes.forEach(clash -> clash(clash, clashes.size() == 1));
    return svg.picture(title, STYLE, WIDTH, legend(), HATCH);
  }

  /** The violation that the picture is about: from when to when, and a word for it. */
  record Clash(long from, long until, String name) {}

  private String colour(String lock) {
    int index = locks.indexOf(lock);
    return index < 0 ? "other" : "c" + index % COLOURS;
  }

  private void lanes() {
    for (Layout.Group group : layout.groups) {
      double height = group.bottom() - group.top();
      svg.rect("stripe", Window.LEFT, group.top(), Window.RIGHT - Window.LEFT, height, "");
      svg.text("process", 8, group.top() + Layout.LANE / 2 + 4, group.process());
    }
    for (Layout.Lane lane : layout.lanes) {
      svg.text("dim", 92, lane.middle() + 4, lane.thread());
    }
  }

  private void scale() {
    for (Window.Tick tick : window.ticks()) {
      svg.line("grid", tick.x(), layout.scale + Layout.SCALE - 4, tick.x(), layout.bottom, "");
      svg.text("dim", tick.x() - 12, layout.scale + Layout.SCALE - 8, tick.label());
    }
  }

  private void clash(Clash clash, boolean named) {
    double from = window.x(clash.from());
    double width = Math.max(2, window.x(clash.until()) - from);
    double top = layout.scale + Layout.SCALE;
    svg.rect("clash", from, top, width, layout.bottom - top, clash.name());
    if (named) {
      double right = Window.RIGHT - Bars.wordsWidth(clash.name());
      svg.text("clash-name", Math.min(from, right), layout.bottom + 2, clash.name());
    }
  }

  /** In as many rows as it needs; answers where it ends. */
  private double legend() {
    double y = layout.bottom + LEGEND;
    double x = 8;
    for (Sample sample : samples()) {
      double width = 34 + Bars.wordsWidth(sample.words());
      if (x + width > Window.RIGHT) {
        x = 8;
        y += Layout.BAND;
      }
      sample.shape().accept(x, y);
      svg.text("dim", x + 20, y + 4, sample.words());
      x += width;
    }
    return y + Layout.BAND / 2;
  }

  /** A shape, where it is put, and what it means. */
  private record Sample(String words, Shape shape) {}

  private interface Shape {
    void accept(double x, double y);
  }

  private List<Sample> samples() {
    List<Sample> samples = new ArrayList<>();
    for (String lock : locks.subList(0, Math.min(COLOURS, locks.size()))) {
      String style = "held " + colour(lock);
      samples.add(new Sample("holds " + lock, (x, y) -> svg.rect(style, x, y - 5, 16, 10, "")));
    }
    samples.add(
        new Sample("not certainly", (x, y) -> svg.rect("held pale c0", x, y - 5, 16, 10, "")));
    samples.add(new Sample("waits", (x, y) -> svg.line("wait", x, y, x + 16, y, "")));
    samples.add(
        new Sample("told of loss", (x, y) -> svg.mark("lost", x + 9, y, Marks.DIAMOND, "")));
    if (!marked.isEmpty()) {
      samples.add(new Sample("write", (x, y) -> svg.dot("wrote ACCEPTED", x + 9, y, 3, "")));
      samples.add(new Sample("refused", (x, y) -> svg.dot("wrote REFUSED", x + 9, y, 3, "")));
    }
    samples.add(new Sample("suspended", (x, y) -> svg.rect("suspended", x, y - 6, 16, 12, "")));
    samples.add(new Sample("killed", (x, y) -> svg.mark("kill", x + 9, y, Marks.CROSS, "")));
    samples.add(new Sample("fault", (x, y) -> svg.rect("fault", x, y - 5, 16, 10, "")));
    return samples;
  }
}
