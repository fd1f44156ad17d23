/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.nemesis;

import io.holdfast.lock.tck.history.Event;
import io.holdfast.lock.tck.history.History;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Counts the kinds of faults that struck.
 *
 * @param counts how often each did, by what it was done to and its name, such as {@code link: cut}
 */
public record FaultCounts(Map<String, Integer> counts) {

  /** Copies the map, sorted. */
  public FaultCounts {
    counts = new TreeMap<>(counts);
  }

  static FaultCounts of(History history) {
    Map<String, Integer> counts = new TreeMap<>();
    for (Event event : history.events()) {
      if (event instanceof Event.FaultBegun fault) {
        counts.merge(Target.kind(fault.target()) + ": " + fault.kind(), 1, Integer::sum);
      }
    }
    return new FaultCounts(counts);
  }

  /** How often anything was done to such a thing. */
  int to(String kind) {
    return counts.entrySet().stream()
        .filter(entry -> entry.getKey().startsWith(kind + ": "))
        .mapToInt(Map.Entry::getValue)
        .sum();
  }

  /** One for each kind: it, a tab, how often. */
  String lines() {
    return counts.entrySet().stream()
        .map(entry -> entry.getKey() + "\t" + entry.getValue() + "\n")
        .collect(Collectors.joining());
  }

  /** For a person. */
  String words() {
    return counts.entrySet().stream()
        .map(entry -> entry.getValue() + " × " + entry.getKey())
        .collect(Collectors.joining(", "));
  }
}
