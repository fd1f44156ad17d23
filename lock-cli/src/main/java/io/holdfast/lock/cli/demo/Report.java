/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.cli.demo;

import io.holdfast.lock.LossReason;
import io.holdfast.lock.ReleaseOutcome;
import java.util.Optional;

/**
 * A message of a worker, as one line of text. All times are {@link System#nanoTime()}, which the
 * processes of one machine share.
 */
sealed interface Report {

  /** The mark that tells reports from other output. */
  String MARK = "@report";

  /** When it happened. */
  long at();

  /** It asks for the lock. */
  record Wants(long at) implements Report {}

  /** It was told that somebody else holds the lock. */
  record Waits(long at) implements Report {}

  /** It was given the lock, and may believe in it until then at least. */
  record Holds(long at, long token, long until) implements Report {}

  /** Its lease was renewed. */
  record Renewed(long at, long until) implements Report {}

  /** It asked its lease, beginning at that time, whether it is valid. */
  record Checked(long at, boolean valid, long until) implements Report {}

  /** Its lease is lost, as the callback says. */
  record Lost(long at, LossReason reason) implements Report {}

  /** It released, beginning at that time. */
  record Released(long at, ReleaseOutcome outcome) implements Report {}

  /** The line. */
  default String line() {
    String rest;
    if (this instanceof Holds holds) {
      rest = holds.token() + " " + holds.until();
    } else if (this instanceof Renewed renewed) {
      rest = Long.toString(renewed.until());
    } else if (this instanceof Checked checked) {
      rest = checked.valid() + " " + checked.until();
    } else if (this instanceof Lost lost) {
      rest = lost.reason().name();
    } else if (this instanceof Released released) {
      rest = released.outcome().name();
    } else {
      rest = "";
    }
    return "%s %s %d %s".formatted(MARK, getClass().getSimpleName(), at(), rest).trim();
  }

  /** The report in a line; empty if it is other output. */
  static Optional<Report> parse(String line) {
    String[] words = line.split(" ", -1);
    if (!words[0].equals(MARK)) {
      return Optional.empty();
    }
    long at = Long.parseLong(words[2]);
    return Optional.of(
        switch (words[1]) {
          case "Wants" -> new Wants(at);
          case "Waits" -> new Waits(at);
          case "Holds" -> new Holds(at, Long.parseLong(words[3]), Long.parseLong(words[4]));
          case "Renewed" -> new Renewed(at, Long.parseLong(words[3]));
          case "Checked" ->
              new Checked(at, Boolean.parseBoolean(words[3]), Long.parseLong(words[4]));
          case "Lost" -> new Lost(at, LossReason.valueOf(words[3]));
          case "Released" -> new Released(at, ReleaseOutcome.valueOf(words[3]));
          default -> throw new IllegalArgumentException("No report: " + line);
        });
  }
}
