/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.cli.common;

import io.holdfast.lock.text.VisibleText;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Rows of text in columns, as wide as they need to be. */
public final class Table {

  private static final String GAP = "   ";

  private final List<List<String>> rows = new ArrayList<>();

  /**
   * A table that has a head and no rows yet.
   *
   * @param head over the columns
   */
  public Table(String... head) {
    row(head);
  }

  /**
   * Adds a row.
   *
   * @param cells as many as the head has; shown as {@link VisibleText#of} makes them
   */
  public void row(String... cells) {
    rows.add(Arrays.stream(cells).map(VisibleText::of).toList());
  }

  /**
   * The head and the rows.
   *
   * @return lines without blanks at their ends
   */
  public List<String> lines() {
    int[] widths = new int[rows.get(0).size()];
    for (List<String> row : rows) {
      for (int i = 0; i < widths.length; i++) {
        widths[i] = Math.max(widths[i], width(row.get(i)));
      }
    }
    return rows.stream().map(row -> line(row, widths)).toList();
  }

  private static String line(List<String> row, int[] widths) {
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < widths.length; i++) {
      String cell = row.get(i);
      line.append(cell).append(" ".repeat(widths[i] - width(cell))).append(GAP);
    }
    return line.toString().stripTrailing();
  }

  private static int width(String cell) {
    return cell.codePointCount(0, cell.length());
  }
}
