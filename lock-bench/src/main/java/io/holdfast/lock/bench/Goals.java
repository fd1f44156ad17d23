/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.bench;

import io.holdfast.lock.bench.Entry.Kind;
import io.holdfast.lock.bench.Results.Spread;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/** The goals of this project. */
final class Goals {

  /**
   * One of them.
   *
   * @param section whose figures decide
   * @param text of the goal, as the page has it
   * @param bound that is kept
   * @param atMost whether less is better
   * @param value what was measured, with its spread, if it was
   */
  record Goal(
      String section,
      String text,
      double bound,
      boolean atMost,
      Function<Results, Optional<Spread>> value) {

    /** The verdict of the median, and whether some of the rounds disagree. */
    String verdict(Results results) {
      return value.apply(results).map(this::verdict).orElse("not measured");
    }

    private String verdict(Spread found) {
      String verdict = isMetBy(found.median()) ? "met" : "**not met**";
      return isMetBy(found.least()) == isMetBy(found.most()) ? verdict : verdict + ", within noise";
    }

    private boolean isMetBy(double measured) {
      return atMost ? measured <= bound : measured >= bound;
    }
  }

  private static final Map<String, Double> UNCONTENDED =
      Map.of(
          "redis", 1.15,
          "zookeeper", 1.15,
          "etcd", 1.15,
          "postgres-advisory", 1.15,
          "postgres-table", 1.3,
          "redlock", 1.3);
  private static final Map<String, Double> COMBINED =
      Map.of("redis", 1.3, "postgres-advisory", 1.3);
  private static final double NOT_COMBINED = 0.9;
  private static final Map<String, Double> HAND_OVERS =
      Map.of("redis", 15.0, "postgres-advisory", 8.0, "zookeeper", 50.0, "etcd", 50.0);
  private static final List<String> VARIANTS =
      List.of(HandOverSection.ONE_PROCESS, HandOverSection.SIXTEEN, HandOverSection.MANY);
  private static final double SHARED_READS = 20;
  private static final Comparator<Spread> BY_MEDIAN = Comparator.comparingDouble(Spread::median);
  private static final int LEASES = 5_000;
  private static final int MANY_LEASES = 50_000;

  private final List<Goal> all = new ArrayList<>();

  private Goals() {}

  /** All, in the order of the sections. */
  static List<Goal> all() {
    Goals goals = new Goals();
    List<String> backends =
        BenchServers.BACKENDS.stream()
            .filter(backend -> !backend.equals(BenchServers.MEMORY))
            .toList();
    backends.forEach(goals::uncontended);
    backends.forEach(backend -> goals.throughput(backend, ThroughputSection.PLATFORM));
    backends.forEach(backend -> goals.throughput(backend, ThroughputSection.VIRTUAL));
    backends.forEach(goals::handOver);
    backends.forEach(goals::held);
    goals.engine();
    goals.several();
    List<String> comparedSharing = List.of("redis", "zookeeper");
    comparedSharing.forEach(
        backend -> goals.sharing("H", backend, SharingSection.READERS, SHARED_READS));
    comparedSharing.forEach(
        backend -> goals.sharing("H", backend, SharingSection.READERS_AND_WRITERS, 1));
    comparedSharing.forEach(backend -> goals.sharing("I", backend, SharingSection.PERMITS, 1));
    return goals.all;
  }

  private void uncontended(String backend) {
    String figure = UncontendedSection.MEDIAN;
    if (UNCONTENDED.containsKey(backend)) {
      double bound = UNCONTENDED.get(backend);
      atMost("A", backend + ": time, × the limit", bound, toLimit("A", backend, figure));
    }
    if (hasPeers(backend)) {
      atMost("A", backend + ": time, × the fastest peer", 1, toLeastPeer("A", backend, figure));
    }
  }

  private void throughput(String backend, String contention) {
    String figure = contention + ThroughputSection.RATE;
    atLeast(
        "B",
        backend + ", " + figure + ", × the limit",
        COMBINED.getOrDefault(backend, NOT_COMBINED),
        toLimit("B", backend, figure));
    if (hasPeers(backend)) {
      atLeast(
          "B",
          backend + ", " + figure + ", × the best peer",
          1,
          toGreatestPeer("B", backend, figure));
    }
  }

  private void handOver(String backend) {
    if (HAND_OVERS.containsKey(backend)) {
      atLeast(
          "C",
          backend + ", 16 threads: hand-overs, × the best peer",
          HAND_OVERS.get(backend),
          toGreatestPeer("C", backend, HandOverSection.ONE_PROCESS + HandOverSection.RATE));
    }
    if (hasPeers(backend)) {
      atLeast(
          "C",
          backend + ", 4 processes x 4 threads: hand-overs, × the best peer",
          2,
          toGreatestPeer("C", backend, HandOverSection.SIXTEEN + HandOverSection.RATE));
    }
    String crossing = HandOverSection.CROSSING;
    atMost(
        "C",
        backend + ", 16 waiters: server commands for each hand-over between processes",
        4,
        ours("C", backend, HandOverSection.SIXTEEN + crossing));
    atMost(
        "C",
        backend + ", the same with 200 waiters, × with 16",
        1.1,
        quotient(
            "C", backend, HandOverSection.MANY + crossing, HandOverSection.SIXTEEN + crossing));
    for (String variant : VARIANTS) {
      atMost(
          "C",
          backend + ", " + variant + ": wait of the slowest waiter, × the median",
          3,
          ours("C", backend, variant + HandOverSection.FAIRNESS));
      if (!variant.equals(HandOverSection.ONE_PROCESS)) {
        atMost(
            "C",
            backend + ", " + variant + ": wait of the slowest process, × the median",
            3,
            ours("C", backend, variant + HandOverSection.FAIRNESS_OF_PROCESSES));
      }
    }
  }

  private void held(String backend) {
    if (Contestants.of(backend).stream()
        .noneMatch(entry -> entry.kind() == Kind.OURS && entry.can(Entry.Trait.HOLDS_MANY))) {
      return;
    }
    for (String figure : List.of(HeldSection.THREADS, HeldSection.CONNECTIONS)) {
      atMost(
          "D",
          backend + figure.replace(" held", "") + " with 50,000 leases, × with 5,000",
          1,
          quotient("D", backend, MANY_LEASES + figure, LEASES + figure));
    }
    if (backend.equals("redis")) {
      atMost(
          "D",
          "redis: server commands/s for 5,000 leases",
          50,
          ours("D", backend, LEASES + HeldSection.COMMANDS));
    }
    atMost(
        "D",
        backend + ": bytes of heap for each of 50,000 leases",
        1_024,
        ours("D", backend, MANY_LEASES + HeldSection.HEAP));
    if (backend.startsWith("postgres")) {
      atMost(
          "D",
          backend + ": connections for 50,000 leases",
          4,
          ours("D", backend, MANY_LEASES + HeldSection.CONNECTIONS));
    }
  }

  private void engine() {
    atMost(
        "F",
        "ns for acquire and release, beyond the backend's own",
        2_000,
        ours("F", BenchServers.MEMORY, EngineSection.OWN + EngineSection.TIME));
    atMost(
        "F",
        "bytes allocated for acquire and release, beyond the backend's own",
        1_024,
        ours("F", BenchServers.MEMORY, EngineSection.OWN + EngineSection.MEMORY));
  }

  private void several() {
    atMost("G", "redis: ten names, × one name", 1.5, ours("G", "redis", MultiLockSection.RATIO));
    atMost(
        "G",
        "redis: ten names, × the fastest peer",
        1,
        toLeastPeer("G", "redis", MultiLockSection.TEN));
  }

  private void sharing(String section, String backend, String variant, double bound) {
    atLeast(
        section,
        backend + ", " + variant + ": acquisitions, × the best peer",
        bound,
        toGreatestPeer(section, backend, variant + SharingSection.RATE));
  }

  private void atMost(
      String section, String text, double bound, Function<Results, Optional<Spread>> value) {
    all.add(new Goal(section, text, bound, true, value));
  }

  private void atLeast(
      String section, String text, double bound, Function<Results, Optional<Spread>> value) {
    all.add(new Goal(section, text, bound, false, value));
  }

  private static boolean hasPeers(String backend) {
    return Contestants.of(backend).stream().anyMatch(entry -> entry.kind() == Kind.PEER);
  }

  private static Function<Results, Optional<Spread>> ours(
      String section, String backend, String figure) {
    return results -> results.spread(section, backend, ourName(backend), figure);
  }

  private static Function<Results, Optional<Spread>> quotient(
      String section, String backend, String figure, String other) {
    return results -> results.ratioOfFigures(section, backend, ourName(backend), figure, other);
  }

  private static Function<Results, Optional<Spread>> toLimit(
      String section, String backend, String figure) {
    return results -> ratios(results, section, backend, Kind.LIMIT, figure).findFirst();
  }

  /** Of times: the fastest peer is the one beside which this project's are longest. */
  private static Function<Results, Optional<Spread>> toLeastPeer(
      String section, String backend, String figure) {
    return results -> ratios(results, section, backend, Kind.PEER, figure).max(BY_MEDIAN);
  }

  /** Of rates. */
  private static Function<Results, Optional<Spread>> toGreatestPeer(
      String section, String backend, String figure) {
    return results -> ratios(results, section, backend, Kind.PEER, figure).min(BY_MEDIAN);
  }

  private static Stream<Spread> ratios(
      Results results, String section, String backend, Kind kind, String figure) {
    return Contestants.all(backend).stream()
        .filter(entry -> entry.kind() == kind)
        .flatMap(
            entry ->
                results.ratio(section, backend, ourName(backend), entry.name(), figure).stream());
  }

  private static String ourName(String backend) {
    return "holdfast " + backend;
  }
}
