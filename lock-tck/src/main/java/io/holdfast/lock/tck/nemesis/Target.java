/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.nemesis;

import io.holdfast.lock.tck.NamedFault;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The target of one fault at a time.
 *
 * @param name in the history
 * @param calm for how long at the most it is left alone between two faults
 * @param faults what can be done to it; one that is named twice is done twice as often
 * @param last what is done to it at last, when nothing but what comes last strikes others
 */
record Target(String name, Duration calm, List<NamedFault> faults, Optional<NamedFault> last) {

  private static final String SERVER = "server";
  private static final String PROCESS = "process ";
  private static final String LINK = "link of ";
  private static final String CLOCK = "clock of ";

  Target(String name, Duration calm, List<NamedFault> faults) {
    this(name, calm, faults, Optional.empty());
  }

  static Target server(Duration calm, List<NamedFault> faults, NamedFault last) {
    return new Target(SERVER, calm, faults, Optional.of(last));
  }

  static Target process(String clientProcess, Duration calm, List<NamedFault> faults) {
    return new Target(PROCESS + clientProcess, calm, faults);
  }

  /** The name of a target. */
  static String process(String clientProcess) {
    return PROCESS + clientProcess;
  }

  static Target link(
      String clientProcess, Duration calm, List<NamedFault> faults, Optional<NamedFault> last) {
    return new Target(LINK + clientProcess, calm, faults, last);
  }

  static Target clock(String clientProcess, Duration calm, List<NamedFault> faults) {
    return new Target(CLOCK + clientProcess, calm, faults);
  }

  /** Whether what strikes a target may take locks away from a process. */
  static boolean concerns(String name, String process) {
    return !name.startsWith(LINK) || process.startsWith(name.substring(LINK.length()) + "-");
  }

  boolean isLink() {
    return name.startsWith(LINK);
  }

  /** The kind of target: {@code server}, {@code process}, {@code link}, {@code clock}. */
  static String kind(String name) {
    return name.split(" ", 2)[0];
  }
}
