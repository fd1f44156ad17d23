/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.cli.inspect;

import io.holdfast.lock.LockHolder;
import io.holdfast.lock.cli.common.Output;
import io.holdfast.lock.cli.common.Terminal;
import io.holdfast.lock.text.VisibleText;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;

/** The list, drawn over the one before. */
final class RedrawnView implements WatchCommand.View {

  private static final String HOME = "\033[H";
  private static final String CLEAR_LINE = "\033[K";
  private static final String CLEAR_REST = "\033[J";
  private static final int HEAD = 4;

  private final String title;
  private final Terminal terminal;
  private final Output output;
  private List<String> last = List.of();

  RedrawnView(String title, Terminal terminal, Output output) {
    this.title = title;
    this.terminal = terminal;
    this.output = output;
  }

  @Override
  public void show(List<LockHolder> held) {
    int room = Math.max(1, terminal.rows() - HEAD);
    List<String> lines =
        new ArrayList<>(Holders.table(held.subList(0, Math.min(held.size(), room))).lines());
    lines.set(0, terminal.bold(lines.get(0)));
    if (held.size() > room) {
      lines.set(room, "and " + (held.size() - room + 1) + " more");
    }
    last = lines;
    draw(held.size() + " held");
  }

  @Override
  public void blind(String why) {
    draw(terminal.bad(VisibleText.of(why)));
  }

  private void draw(String state) {
    List<String> lines = new ArrayList<>();
    lines.add(
        HOME
            + VisibleText.of(title)
            + ", "
            + LocalTime.now(ZoneId.systemDefault()).truncatedTo(ChronoUnit.SECONDS)
            + ": "
            + state
            + CLEAR_LINE);
    lines.add(CLEAR_LINE);
    last.forEach(line -> lines.add(line + CLEAR_LINE));
    lines.add(CLEAR_REST);
    output.lines(lines);
  }
}
