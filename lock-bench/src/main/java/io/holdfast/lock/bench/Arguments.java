/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.bench;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The arguments of a run.
 *
 * @param sections in their order
 * @param backends in their order
 * @param kinds who takes part
 * @param plan how long
 * @param out the directory that is written to
 * @param keep whether what is there already stays, but for what is measured now
 */
record Arguments(
    List<Section> sections,
    List<String> backends,
    Set<Entry.Kind> kinds,
    Plan plan,
    Path out,
    boolean keep) {

  private static final Set<String> OPTIONS =
      Set.of(
          "seed", "rounds", "slice", "warm-up", "held", "leases", "out", "smoke", "kinds", "keep");

  static Arguments parse(String... arguments) {
    List<String> words = new ArrayList<>();
    Map<String, String> options = new HashMap<>();
    for (String argument : arguments) {
      if (argument.startsWith("--")) {
        String[] parts = argument.substring(2).split("=", 2);
        if (!OPTIONS.contains(parts[0])) {
          throw new IllegalArgumentException("There is no --" + parts[0] + " among " + OPTIONS);
        }
        options.put(parts[0], parts.length == 2 ? parts[1] : "");
      } else {
        words.addAll(Arrays.asList(argument.split(",", -1)));
      }
    }
    List<Section> sections =
        Bench.SECTIONS.stream().filter(section -> words.remove(section.name())).toList();
    for (String backend : words) {
      if (!BenchServers.BACKENDS.contains(backend)) {
        throw new IllegalArgumentException(
            "There is neither a section nor a backend "
                + backend
                + " among "
                + BenchServers.BACKENDS);
      }
    }
    return new Arguments(
        sections.isEmpty() ? Bench.SECTIONS : sections,
        words.isEmpty() ? BenchServers.BACKENDS : words,
        kinds(options.getOrDefault("kinds", "ours,limit,peer")),
        plan(options),
        Path.of(options.getOrDefault("out", "target/bench")),
        options.containsKey("keep"));
  }

  boolean measures(Results.Line line) {
    return backends.contains(line.backend())
        && sections.stream().anyMatch(section -> section.name().equals(line.section()));
  }

  /** Where what is measured goes with all that was measured before. */
  Arguments ofPage() {
    return keep
        ? new Arguments(Bench.SECTIONS, BenchServers.BACKENDS, kinds, plan, out, true)
        : this;
  }

  /** Those of a section that take part. */
  List<Entry> entries(Section section, String backend) {
    return section.contestants(backend).stream()
        .filter(entry -> kinds.contains(entry.kind()))
        .toList();
  }

  private static Set<Entry.Kind> kinds(String text) {
    return Arrays.stream(text.toUpperCase(Locale.ROOT).split(",", -1))
        .map(Entry.Kind::valueOf)
        .collect(Collectors.toSet());
  }

  private static Plan plan(Map<String, String> options) {
    Plan plan = options.containsKey("smoke") ? Plan.smoke() : Plan.standard();
    return new Plan(
        Long.parseLong(options.getOrDefault("seed", Long.toString(plan.seed()))),
        Integer.parseInt(options.getOrDefault("rounds", Integer.toString(plan.rounds()))),
        time(options, "slice", plan.slice()),
        time(options, "warm-up", plan.warmUp()),
        time(options, "held", plan.held()),
        options.containsKey("leases")
            ? Arrays.stream(options.get("leases").split(",", -1)).map(Integer::valueOf).toList()
            : plan.leases(),
        plan.scale(),
        plan.jvm());
  }

  /** As {@code 500ms}, {@code 2s} or {@code 1m}. */
  private static Duration time(Map<String, String> options, String name, Duration fallback) {
    String text = options.get(name);
    if (text == null) {
      return fallback;
    }
    return text.endsWith("ms")
        ? Duration.ofMillis(Long.parseLong(text.substring(0, text.length() - 2)))
        : Duration.parse("PT" + text);
  }
}
