/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.cli.demo;

import java.io.PrintStream;
import java.nio.charset.Charset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Plain lines of at most 80 columns: the time, a lane for each worker, and what happens. Colours
 * and symbols only where the terminal has them.
 */
final class DemoOutput {

  private static final String TEXT_INDENT = " ".repeat(25);

  private final PrintStream out;
  private final boolean colours;
  private final boolean symbols;
  private final Map<String, State> lanes = new LinkedHashMap<>();
  private @Nullable Long begin;
  private long latest;

  DemoOutput(PrintStream out, Charset charset, boolean colours) {
    this.out = out;
    this.colours = colours;
    this.symbols = charset.newEncoder().canEncode("●·‖✗○→");
  }

  /** The state of a worker at present. */
  enum State {
    STARTS(' ', ' ', "", ""),
    WANTS(' ', ' ', "", ""),
    WAITS('·', '.', "33", "waits"),
    HOLDS('●', '#', "1;32", "holds the lock"),
    SUSPENDED('‖', '=', "1;35", "suspended"),
    DEAD('✗', 'x', "1;31", "killed"),
    DONE('○', 'o', "2", "done");

    private final char symbol;
    private final char ascii;
    private final String colour;
    private final String meaning;

    State(char symbol, char ascii, String colour, String meaning) {
      this.symbol = symbol;
      this.ascii = ascii;
      this.colour = colour;
      this.meaning = meaning;
    }
  }

  /** Text before the lanes begin. */
  void say(String text) {
    out.println(text);
    out.flush();
  }

  /** The meaning of the symbols, and the heads of the lanes. */
  void openLanes(List<String> workers) {
    List<String> legend = new ArrayList<>();
    for (State state : State.values()) {
      if (!state.meaning.isEmpty()) {
        legend.add(paint(state) + " " + state.meaning);
      }
    }
    say("  " + String.join("    ", legend));
    say("");
    workers.forEach(worker -> lanes.put(worker, State.STARTS));
    say(bold("     time    " + String.join("   ", workers)));
  }

  void chapter(String title) {
    say("");
    say(bold(" " + title));
  }

  void set(String worker, State state) {
    lanes.put(worker, state);
  }

  State state(String worker) {
    return lanes.getOrDefault(worker, State.STARTS);
  }

  /**
   * Something that happened at that {@link System#nanoTime()}. Time counts from the first. An event
   * that began before the last one is shown with it.
   */
  void event(long at, String text) {
    if (begin == null) {
      begin = at;
      latest = at;
    }
    latest = Math.max(latest, at);
    StringBuilder line = new StringBuilder();
    line.append(String.format(Locale.ROOT, "%7.2f s    ", (latest - begin) / 1e9));
    lanes.values().forEach(state -> line.append(paint(state)).append("   "));
    say(line.append(text).toString().stripTrailing());
  }

  /** More about the last event. */
  void more(String text) {
    say(TEXT_INDENT + text);
  }

  String bold(String text) {
    return colour("1", text);
  }

  String good(String text) {
    return colour("1;32", text);
  }

  String bad(String text) {
    return colour("1;31", text);
  }

  String arrow() {
    return symbols ? "→" : "->";
  }

  private String paint(State state) {
    return colour(state.colour, String.valueOf(symbols ? state.symbol : state.ascii));
  }

  private String colour(String code, String text) {
    return colours && !code.isEmpty() ? "\033[" + code + "m" + text + "\033[0m" : text;
  }
}
