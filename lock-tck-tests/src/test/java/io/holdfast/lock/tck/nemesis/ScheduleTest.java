/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.nemesis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.tck.NamedFault;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ScheduleTest {

  private static final Duration LENGTH = Duration.ofSeconds(22);

  private static final List<Target> TARGETS =
      List.of(
          new Target("server", Duration.ofSeconds(1), List.of(fault("stop"), fault("kill"))),
          new Target("link", Duration.ofSeconds(2), List.of(fault("cut"), fault("stall"))),
          new Target("nothing", Duration.ofSeconds(1), List.of()));

  private static NamedFault fault(String name) {
    return NamedFault.survived(
        name, Duration.ofMillis(100), Duration.ofSeconds(2), () -> {}, () -> {});
  }

  @Test
  void isRepeatedByItsSeed() {
    assertEquals(Schedule.of(7, TARGETS, LENGTH), Schedule.of(7, TARGETS, LENGTH));
    assertNotEquals(Schedule.of(7, TARGETS, LENGTH), Schedule.of(8, TARGETS, LENGTH));
  }

  @Test
  void doesOneThingAtATimeToATargetAndEndsIt() {
    for (long seed = 0; seed < 100; seed++) {
      Map<String, Duration> free = new HashMap<>();
      for (ScheduledFault scheduled : Schedule.of(seed, TARGETS, LENGTH)) {
        Duration before = free.getOrDefault(scheduled.target(), Duration.ZERO);
        assertTrue(scheduled.at().compareTo(before) >= 0, scheduled.toString());
        assertTrue(scheduled.end().compareTo(LENGTH) <= 0, scheduled.toString());
        free.put(scheduled.target(), scheduled.end());
      }
      assertEquals(Set.of("server", "link"), free.keySet());
    }
  }

  @Test
  void leavesNoFaultOut() {
    for (long seed = 0; seed < 100; seed++) {
      Set<String> names = new HashSet<>();
      Schedule.of(seed, TARGETS, LENGTH).forEach(scheduled -> names.add(scheduled.fault().name()));
      assertEquals(Set.of("stop", "kill", "cut", "stall"), names);
    }
  }

  @Test
  void doesWhatComesLastWhenNothingElseStrikes() {
    NamedFault taken = NamedFault.taking("taken", Duration.ZERO, Duration.ZERO, () -> {}, () -> {});
    List<Target> targets =
        List.of(
            new Target("server", Duration.ofSeconds(1), List.of(fault("stop")), Optional.of(taken)),
            new Target(
                "link", Duration.ofSeconds(1), List.of(fault("cut")), Optional.of(fault("dying"))),
            new Target("process", Duration.ofSeconds(1), List.of(fault("kill"))));
    for (long seed = 0; seed < 100; seed++) {
      List<ScheduledFault> faultCounts = Schedule.of(seed, targets, LENGTH);
      for (ScheduledFault scheduled : faultCounts) {
        if (Set.of("taken", "dying").contains(scheduled.fault().name())) {
          assertEquals(LENGTH, scheduled.end());
        } else {
          assertTrue(scheduled.end().plusSeconds(3).compareTo(LENGTH) < 0, scheduled.toString());
        }
      }
      assertEquals(
          2, faultCounts.stream().filter(scheduled -> scheduled.end().equals(LENGTH)).count());
    }
  }

  @Test
  void isEmptyWhereNothingFits() {
    assertFalse(Schedule.of(1, TARGETS, LENGTH).isEmpty());
    assertTrue(Schedule.of(1, TARGETS, Duration.ofMillis(100)).isEmpty());
  }
}
