/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.nemesis;

import io.holdfast.lock.tck.NamedFault;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Random;

/**
 * Decides which faults strike when. The same seed gives the same schedule for the same targets;
 * when the threads of the system run in between is up to chance all the same.
 */
final class Schedule {

  private static final Duration SHORTEST_CALM = Duration.ofMillis(200);
  private static final Duration CALM_BEFORE = Duration.ofMillis(1_200);

  private Schedule() {}

  /**
   * Draws one.
   *
   * @param length by when all faults are over
   * @return in the order of their beginning
   */
  static List<ScheduledFault> of(long seed, List<Target> targets, Duration length) {
    Random random = new Random(seed);
    List<ScheduledFault> faultCounts = new ArrayList<>();
    Duration storm = length.minus(finale(targets));
    for (Target target : targets) {
      Random own = new Random(random.nextLong());
      faultCounts.addAll(against(target, own, storm));
      target.last().ifPresent(last -> faultCounts.add(atLast(target, last, own, length)));
    }
    faultCounts.sort(Comparator.comparing(ScheduledFault::at));
    return faultCounts;
  }

  /** Each of its faults once before any comes again. */
  private static List<ScheduledFault> against(Target target, Random random, Duration length) {
    List<ScheduledFault> faultCounts = new ArrayList<>();
    if (target.faults().isEmpty()) {
      return faultCounts;
    }
    Iterator<NamedFault> deck = shuffled(target, random);
    Duration free = between(SHORTEST_CALM, target.calm(), random);
    while (free.compareTo(length) < 0) {
      NamedFault fault = deck.next();
      ScheduledFault scheduled =
          new ScheduledFault(
              free, between(fault.shortest(), fault.longest(), random), target.name(), fault);
      if (scheduled.end().compareTo(length) <= 0) {
        faultCounts.add(scheduled);
        free = scheduled.end();
      }
      free = free.plus(between(SHORTEST_CALM, target.calm(), random));
      if (!deck.hasNext()) {
        deck = shuffled(target, random);
      }
    }
    return faultCounts;
  }

  /** For so long at the end only what comes last strikes: time to begin anew before it included. */
  private static Duration finale(List<Target> targets) {
    return targets.stream()
        .flatMap(target -> target.last().stream())
        .map(NamedFault::longest)
        .max(Comparator.naturalOrder())
        .filter(longest -> !longest.isZero())
        .map(CALM_BEFORE::plus)
        .orElse(Duration.ZERO);
  }

  private static ScheduledFault atLast(
      Target target, NamedFault last, Random random, Duration length) {
    Duration lasts = between(last.shortest(), last.longest(), random);
    return new ScheduledFault(length.minus(lasts), lasts, target.name(), last);
  }

  private static Iterator<NamedFault> shuffled(Target target, Random random) {
    List<NamedFault> faults = new ArrayList<>(target.faults());
    Collections.shuffle(faults, random);
    return faults.iterator();
  }

  private static Duration between(Duration least, Duration most, Random random) {
    return least.plusNanos((long) (random.nextDouble() * most.minus(least).toNanos()));
  }
}
