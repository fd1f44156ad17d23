/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.history;

import io.holdfast.lock.tck.history.Violation.Kind;
import io.holdfast.lock.tck.report.Page;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * A history as pictures: a lane for each thread, bars for what it held, faults above. For people,
 * who would rather look than read.
 */
public final class TimeLine {

  /** How many violations of a run are drawn; those after them are told in words. */
  private static final int DRAWN = 12;

  private static final long AROUND = Duration.ofSeconds(2).toNanos();
  private static final long AT_LEAST = Duration.ofMillis(2).toNanos();

  /** How much more than the matter itself a close picture shows on each side. */
  private static final double CLOSE = 0.6;

  private static final String STYLE =
      """
      body { max-width: 78rem; }
      .figures { display: flex; flex-wrap: wrap; gap: .5rem; padding: 0; list-style: none; }
      .figures li { background: var(--panel); border-radius: .4rem; padding: .3rem .7rem; }
      .figures b { display: block; font-size: 1.25rem; }
      .figures .HELD { background: #2a92; color: light-dark(#146c2e, #7fe0a0); }
      .figures .FAILED { background: #d224; color: light-dark(#a00, #ff9a9a); }
      .kind { background: #d224; color: light-dark(#a00, #ff9a9a); border-radius: .4rem; padding: .05rem .5rem; font-weight: 600; }
      svg { display: block; margin: 1rem 0; border: 1px solid var(--line); border-radius: .5rem; }
      pre { font: 12px/1.5 ui-monospace, monospace; overflow-x: auto; background: var(--panel); padding: .6rem; border-radius: .4rem; }
      """;

  private final IndexedHistory run;

  private TimeLine(IndexedHistory run) {
    this.run = run;
  }

  /**
   * Of this history.
   *
   * @param history what happened
   * @return to be drawn
   */
  public static TimeLine of(History history) {
    return new TimeLine(new IndexedHistory(history));
  }

  /**
   * All of it, as SVG; what is too narrow to be told apart is drawn as one.
   *
   * @param violations to be shown where they are
   * @return a picture or page that needs nothing else
   */
  public String whole(List<Violation> violations) {
    Window window = Window.of(run.begin(), run.begin(), run.end());
    TreeSet<String> locks = new TreeSet<>(run.byLock.keySet());
    return new Picture(run, window, run.attempts, locks, Set.of())
        .draw("The whole run", violations.stream().map(this::clash).toList());
  }

  /**
   * The seconds around a violation, as SVG.
   *
   * @param violation what was wrong
   * @return a picture or page that needs nothing else
   */
  public String around(Violation violation) {
    Window window = window(violation).wider(AROUND);
    return picture(violation, window, "The seconds around it");
  }

  /**
   * The violation itself, as SVG, as large as the picture allows.
   *
   * @param violation what was wrong
   * @return a picture or page that needs nothing else
   */
  public String close(Violation violation) {
    Window window = window(violation);
    return picture(
        violation, window.wider(Math.max(AT_LEAST, (long) (window.length() * CLOSE))), "Close");
  }

  /**
   * A page with all of it.
   *
   * @param title what was run
   * @param violations what the checker found; may be none
   * @return a picture or page that needs nothing else
   */
  public String page(String title, List<Violation> violations) {
    StringBuilder body = new StringBuilder();
    body.append("<h1>").append(Page.escaped(title)).append("</h1>\n<ul class=\"figures\">\n");
    Summary.of(run).figures().forEach((name, figure) -> figure(name, figure, "", body));
    String verdict = violations.isEmpty() ? "HELD" : "FAILED";
    figure("violations", String.valueOf(violations.size()), verdict, body);
    body.append("</ul>\n");
    for (Violation violation : violations.subList(0, Math.min(DRAWN, violations.size()))) {
      body.append("<h2>").append(violation.kind().words()).append("</h2>\n<p>");
      body.append(Page.escaped(violation.sentence())).append("</p>\n");
      body.append(close(violation)).append(around(violation));
      body.append("<details><summary>The events</summary><pre>");
      violation.events().forEach(event -> body.append(Page.escaped(EventLine.of(event))));
      body.append("</pre></details>\n");
    }
    if (violations.size() > DRAWN) {
      body.append("<h2>More</h2>\n");
      for (Violation more : violations.subList(DRAWN, violations.size())) {
        body.append("<p><span class=\"kind\">").append(more.kind().words()).append("</span> ");
        body.append(Page.escaped(more.sentence())).append("</p>\n");
      }
    }
    body.append("<h2>All of it</h2>\n").append(whole(violations));
    return Page.of(title, STYLE, body.toString());
  }

  /**
   * Writes the page.
   *
   * @param file replaced if it is there
   * @param title plain text
   * @param violations what was wrong
   * @throws UncheckedIOException if it cannot be written
   */
  public void write(Path file, String title, List<Violation> violations) {
    try {
      Files.writeString(file, page(title, violations));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void figure(String name, String figure, String style, StringBuilder body) {
    body.append("<li class=\"").append(style).append("\"><b>").append(figure);
    body.append("</b> ").append(name).append("</li>\n");
  }

  private Window window(Violation violation) {
    List<Event> events = violation.events();
    long from = events.stream().mapToLong(Event::at).min().orElse(run.begin());
    long until = events.stream().mapToLong(Event::at).max().orElse(run.end());
    return Window.of(run.begin(), from, until);
  }

  private String picture(Violation violation, Window window, String title) {
    Set<Attempt> marked = new LinkedHashSet<>();
    violation.events().forEach(event -> run.attemptOf(event).ifPresent(marked::add));
    Set<String> locks = new TreeSet<>();
    marked.forEach(attempt -> locks.add(attempt.lock()));
    List<Attempt> shown =
        run.attempts.stream()
            .filter(attempt -> locks.isEmpty() || locks.contains(attempt.lock()))
            .filter(attempt -> marked.contains(attempt) || isIn(window, attempt))
            .toList();
    return new Picture(run, window, shown, locks.isEmpty() ? run.byLock.keySet() : locks, marked)
        .draw(title, List.of(clash(violation)));
  }

  private boolean isIn(Window window, Attempt attempt) {
    return window.shows(attempt.asked.at(), run.over(attempt) + 1);
  }

  private Picture.Clash clash(Violation violation) {
    Window all = window(violation);
    String name = violation.kind().words();
    if (violation.kind() != Kind.OVERLAP) {
      return new Picture.Clash(all.from(), all.until(), name);
    }
    List<Event> events = violation.events();
    long from = events.get(2).at();
    long until = Math.min(events.get(1).at(), events.get(3).at());
    return new Picture.Clash(from, until, name + ": " + Times.millis(until - from));
  }
}
