/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.nemesis;

import io.holdfast.lock.tck.history.Summary;
import io.holdfast.lock.tck.history.Violation;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The result of a run.
 *
 * @param backend its name
 * @param seed of the schedule
 * @param seconds how long it took, with the clean-up
 * @param figures what the processes did
 * @param faultCounts what was done to them, to links and servers
 * @param violations what must not have happened
 * @param notJudged what may be due to this machine, which stood still or was overloaded meanwhile,
 *     or to a fault that undoes what was done last
 * @param troubles what went wrong in the run itself: it proves nothing then
 * @param skipped what cannot be done here, by name and with the reason
 * @param directory where the histories are, and pictures
 */
public record NemesisReport(
    String backend,
    long seed,
    long seconds,
    Summary figures,
    FaultCounts faultCounts,
    List<Violation> violations,
    List<Violation> notJudged,
    List<String> troubles,
    List<String> skipped,
    Path directory) {

  /** A page with the whole run, and with what was wrong. */
  static final String PAGE = "time-line.html";

  /** Copies the lists. */
  public NemesisReport {
    violations = List.copyOf(violations);
    notJudged = List.copyOf(notJudged);
    troubles = List.copyOf(troubles);
    skipped = List.copyOf(skipped);
  }

  /**
   * Whether nothing was wrong, neither with the locks nor with the run.
   *
   * @return false if somebody has to look
   */
  public boolean isGood() {
    return violations.isEmpty() && troubles.isEmpty();
  }

  /** The figures by name, in the order of a table. */
  Map<String, String> columns() {
    Map<String, String> columns = new LinkedHashMap<>();
    columns.put("mode", backend);
    columns.put("seed", Long.toString(seed));
    columns.put("seconds", Long.toString(seconds));
    columns.put("acquisitions", Long.toString(figures.acquisitions()));
    columns.put("losses", Long.toString(figures.losses()));
    columns.put("kills", Long.toString(figures.kills()));
    columns.put("pauses", Long.toString(figures.pauses()));
    columns.put("link faults", Integer.toString(faultCounts.to("link")));
    columns.put("server faults", Integer.toString(faultCounts.to("server")));
    columns.put("late writes refused", Long.toString(figures.refusedWrites()));
    columns.put("violations", Integer.toString(violations.size()));
    columns.put("not judged", Integer.toString(notJudged.size()));
    columns.put("troubles", Integer.toString(troubles.size()));
    return columns;
  }

  /** From two lines of a file. */
  static Map<String, String> columns(String names, String values) {
    String[] keys = names.split("\t", -1);
    String[] words = values.split("\t", -1);
    Map<String, String> columns = new LinkedHashMap<>();
    for (int i = 0; i < keys.length; i++) {
      columns.put(keys[i], words[i]);
    }
    return columns;
  }

  /**
   * In a few lines, for a person.
   *
   * @return with line feeds
   */
  public String summary() {
    StringBuilder text = new StringBuilder();
    text.append(
        "%s, seed %d, %d s: %d acquisitions, %d losses, %d late writes refused; %d violations%n"
            .formatted(
                backend,
                seed,
                seconds,
                figures.acquisitions(),
                figures.losses(),
                figures.refusedWrites(),
                violations.size()));
    text.append("  struck: %s%n".formatted(faultCounts.words()));
    violations.forEach(one -> text.append("  %s: %s%n".formatted(one.kind(), one.sentence())));
    notJudged.forEach(
        one -> text.append("  not judged: %s: %s%n".formatted(one.kind(), one.sentence())));
    troubles.forEach(one -> text.append("  trouble: %s%n".formatted(one)));
    skipped.forEach(one -> text.append("  skipped: %s%n".formatted(one)));
    if (!isGood()) {
      text.append("  see ").append(directory.resolve(PAGE)).append(System.lineSeparator());
    }
    return text.toString();
  }
}
