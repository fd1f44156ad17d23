/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.bench;

import io.holdfast.lock.servers.ChildJvm;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** Threads that want the same lock, in this process or in a child of it. */
final class ContendingThreads {

  private static final String LOCK = "wanted";
  private static final Duration PATIENCE = Duration.ofMinutes(3);

  private ContendingThreads() {}

  /**
   * Arguments: backend, name of the contestant, address, file of the baton, number of the process.
   */
  public static void main(String[] arguments) throws Exception {
    Entry entry = Contestants.find(arguments[0], arguments[1]);
    SharedHandOver handOver = SharedHandOver.map(Path.of(arguments[3]));
    long process = Long.parseLong(arguments[4]);
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    try (Contestant contestant = entry.open(Address.parse(arguments[2]))) {
      System.out.println("ready");
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        String[] words = line.split(" ", -1);
        List<Long> counts =
            run(
                contestant,
                handOver,
                process,
                Integer.parseInt(words[0]),
                Duration.ofMillis(Long.parseLong(words[1])));
        System.out.println(
            "counts " + counts.stream().map(String::valueOf).collect(Collectors.joining(",")));
      }
    }
    System.exit(0);
  }

  /** Has threads take the lock one after another; how often each got it. */
  static List<Long> run(
      Contestant contestant, SharedHandOver handOver, long process, int threads, Duration time)
      throws Exception {
    return Workers.<Long>run(
            Workers.platform(),
            threads,
            time,
            (thread, end) -> {
              long count = 0;
              while (System.nanoTime() < end) {
                Contestant.Held held = contestant.take(LOCK);
                handOver.taken(process);
                count++;
                handOver.free();
                held.free();
              }
              return count;
            })
        .answers();
  }

  /** Starts a process of a contestant. */
  static ChildJvm start(
      List<String> jvm, Entry entry, Address address, Path handOver, int process) {
    return ChildJvm.start(
        jvm,
        ContendingThreads.class,
        entry.backend(),
        entry.name(),
        address.toString(),
        handOver.toString(),
        Integer.toString(process));
  }

  static void awaitReady(ChildJvm child) {
    child.awaitLine("ready"::equals, PATIENCE);
  }

  static void send(ChildJvm child, int threads, Duration time) {
    child.send(threads + " " + time.toMillis());
  }

  static List<Long> awaitCounts(ChildJvm child) {
    String line = child.awaitLine(said -> said.startsWith("counts "), PATIENCE);
    return Arrays.stream(line.substring("counts ".length()).split(",", -1))
        .map(Long::valueOf)
        .toList();
  }
}
