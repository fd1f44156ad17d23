/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.bench;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;

/**
 * The durations and the order of measurements.
 *
 * @param seed of the order within the rounds
 * @param rounds in each of which every contestant has its turn
 * @param slice how long a turn is
 * @param warmUp how long each contestant runs before the first round
 * @param held how long leases are held for their cost
 * @param leases how many are held, one run for each number
 * @param scale how many processes and leases there are where their number is what is measured
 * @param jvm options of the JVMs that are started
 */
record Plan(
    long seed,
    int rounds,
    Duration slice,
    Duration warmUp,
    Duration held,
    List<Integer> leases,
    Scale scale,
    List<String> jvm) {

  /**
   * The measurements of many processes.
   *
   * @param processes how many, one run for each number
   * @param leases how many all of them hold together, one after another
   * @param window how long the commands of the servers are counted; the time between two renewals
   *     of a lease, so that each is renewed once
   */
  record Scale(List<Integer> processes, List<Integer> leases, Duration window) {}

  static Plan standard() {
    return new Plan(
        1,
        7,
        Duration.ofSeconds(2),
        Duration.ofSeconds(5),
        Duration.ofMinutes(1),
        List.of(5_000, 50_000),
        new Scale(List.of(5, 25, 100), List.of(1_000, 10_000), Duration.ofSeconds(10)),
        List.of("-Xmx1500m", "-XX:TieredStopAtLevel=4"));
  }

  /** Just enough for every line to be run. */
  static Plan smoke() {
    return new Plan(
        1,
        1,
        Duration.ofMillis(50),
        Duration.ofMillis(50),
        Duration.ofMillis(200),
        List.of(20),
        new Scale(List.of(1, 3), List.of(3, 6), Duration.ofMillis(100)),
        List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
  }

  /**
   * The order of a round, the same for each run with this seed. In as many rounds as there are
   * contestants each has each place once, also the first; for the next of them an order is drawn
   * again, so that it is not always the same one that comes after another.
   */
  <T> List<T> order(int round, List<T> contestants) {
    int rounds = Math.max(1, contestants.size());
    List<T> order = new ArrayList<>(contestants);
    Collections.shuffle(order, random(Math.floorDiv(round, rounds)));
    Collections.rotate(order, Math.floorMod(round, rounds));
    return order;
  }

  /** Neighbouring seeds of a {@link Random} give almost the same first numbers: they are mixed. */
  private Random random(int number) {
    return new Random(new SplittableRandom(seed * 1_000_003 + number).nextLong());
  }

  /** How long so many contestants take that have their turns. */
  Duration turns(int contestants) {
    return warmUp.plus(slice.multipliedBy(rounds)).multipliedBy(contestants);
  }
}
