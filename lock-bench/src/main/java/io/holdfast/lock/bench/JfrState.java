/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.bench;

import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import jdk.jfr.EventType;
import jdk.jfr.FlightRecorder;

/**
 * The state of the JDK's flight recorder in a JVM that is measured.
 *
 * <p>The JVMs have the same modules, except for {@code jdk.jfr}. The list is given to each of them,
 * also because class data sharing is off where modules are limited.
 */
@SuppressWarnings("ImmutableEnumChecker") // A list that nobody can change.
enum JfrState {
  /** No recording was ever started, as in most JVMs. */
  IDLE(",jdk.jfr"),

  /**
   * A recording runs in which each event has the settings that its type declares. Waits and holds
   * are timed, and then left out, as they are shorter than the threshold.
   */
  RECORDING(",jdk.jfr", "-XX:StartFlightRecording:settings=none,disk=false"),

  /** The JVM lacks the module, so the engine never asks the flight recorder. */
  ABSENT("");

  private static final String EXPECTED = "bench.jfr";

  /**
   * The modules that JMH, its profiler, and the libraries on the class path need. None needs
   * jdk.jfr.
   */
  private static final String MODULES = "java.se,jdk.management,jdk.unsupported";

  private final String module;
  private final List<String> recording;

  JfrState(String module, String... recording) {
    this.module = module;
    this.recording = List.of(recording);
  }

  /** Those of a JVM in this state, which {@link #check} then expects. */
  List<String> jvmOptions() {
    return Stream.concat(
            Stream.of("--limit-modules=" + MODULES + module, "-D" + EXPECTED + "=" + name()),
            recording.stream())
        .toList();
  }

  /**
   * After locks were used: fails if figures of this JVM would be shown as those of another state.
   */
  static void check() {
    String expected = System.getProperty(EXPECTED);
    JfrState found = ofThisJvm();
    if (expected != null && valueOf(expected) != found) {
      throw new IllegalStateException(
          "The flight recorder should be %s, and is %s".formatted(expected, found));
    }
  }

  private static JfrState ofThisJvm() {
    return ModuleLayer.boot().findModule("jdk.jfr").isPresent() ? Recorder.state() : ABSENT;
  }

  /** Loaded only if the module is there. */
  private static final class Recorder {

    private static final Set<String> EVENTS = Set.of("holdfast.LockWait", "holdfast.LockHold");

    private Recorder() {}

    static JfrState state() {
      if (!FlightRecorder.isInitialized()) {
        return IDLE;
      }
      long enabled =
          FlightRecorder.getFlightRecorder().getEventTypes().stream()
              .filter(type -> EVENTS.contains(type.getName()))
              .filter(EventType::isEnabled)
              .count();
      if (enabled < EVENTS.size()) {
        throw new IllegalStateException("No recording has all of " + EVENTS);
      }
      return RECORDING;
    }
  }
}
