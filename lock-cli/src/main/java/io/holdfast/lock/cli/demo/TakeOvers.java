/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.cli.demo;

import io.holdfast.lock.cli.common.Times;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Measures how long it takes the lock to change hands, and shows it. For one thread. */
final class TakeOvers {

  private final Duration slack;
  private final DemoOutput screen;
  private final List<TakeOver> all = new ArrayList<>();
  private @Nullable Cause cause;

  TakeOvers(Duration slack, DemoOutput screen) {
    this.slack = slack;
    this.screen = screen;
  }

  /** Why the lock changes hands, and since when. */
  private record Cause(String text, String since, long at, Duration allowed) {}

  private record TakeOver(Cause cause, Duration took, String by, long token) {
    boolean isInTime() {
      return took.compareTo(cause.allowed()) <= 0;
    }
  }

  /** From now on the next grant is a take-over; answers now. */
  long because(String text, String since, Duration allowed) {
    long at = System.nanoTime();
    cause = new Cause(text, since, at, allowed.plus(slack));
    return at;
  }

  boolean isAwaited() {
    return cause != null;
  }

  void granted(String worker, Report.Holds grant) {
    if (cause != null) {
      TakeOver takeOver =
          new TakeOver(cause, Duration.ofNanos(grant.at() - cause.at()), worker, grant.token());
      all.add(takeOver);
      screen.more(
          "%s after %s (allowed: %s)"
              .formatted(Times.text(takeOver.took()), cause.since(), Times.text(cause.allowed())));
      cause = null;
    }
  }

  /** The worker that took over last. */
  String last() {
    return all.get(all.size() - 1).by();
  }

  /** Shows the table; answers what came too late. */
  List<String> show() {
    List<String> late = new ArrayList<>();
    screen.say("  %-20s %10s %10s   %s".formatted("take-over", "took", "allowed", "token"));
    for (TakeOver takeOver : all) {
      String text = takeOver.cause().text();
      screen.say(
          "  %-20s %10s %10s   %d"
              .formatted(
                  text + " " + screen.arrow() + " " + takeOver.by(),
                  Times.text(takeOver.took()),
                  Times.text(takeOver.cause().allowed()),
                  takeOver.token()));
      if (!takeOver.isInTime()) {
        late.add(text + ": the take-over came too late");
      }
    }
    return late;
  }
}
