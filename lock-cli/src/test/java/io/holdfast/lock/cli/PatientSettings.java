/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.cli;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Settings of a backend for a busy machine, where the first requests of a JVM may take long. */
public final class PatientSettings {

  private static final Map<String, String> ALL =
      new TreeMap<>(Map.of("connect-timeout", "30s", "command-timeout", "5s"));

  private PatientSettings() {}

  /** These and others. */
  public static Map<String, String> with(Map<String, String> others) {
    Map<String, String> settings = new TreeMap<>(ALL);
    settings.putAll(others);
    return settings;
  }

  /** As lines of a file that has one backend without a name. */
  public static List<String> lines() {
    return lines("");
  }

  /** As lines of a file of backends, each of which begins with {@code backend.<name>.}. */
  public static List<String> lines(String prefix) {
    return ALL.entrySet().stream()
        .map(one -> prefix + one.getKey() + "=" + one.getValue())
        .toList();
  }

  /** As options of a command. */
  public static List<String> options() {
    return lines().stream().flatMap(line -> Stream.of("--set", line)).toList();
  }
}
