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

/** Threads that want the same, in this process or in a child of it. */
final class ContendingThreads {

  private static final Duration PATIENCE = Duration.ofMinutes(3);

  private ContendingThreads() {}

  /**
   * Arguments: backend, name of the contestant, address, file that holders note in, number of the
   * process. Each line: what is taken, by how many threads, for how many milliseconds.
   */
  public static void main(String[] arguments) throws Exception {
    Entry entry = Contestants.find(arguments[0], arguments[1]);
    Path file = Path.of(arguments[3]);
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
                LockUse.valueOf(words[0]).on(file, process),
                Integer.parseInt(words[1]),
                Duration.ofMillis(Long.parseLong(words[2])));
        System.out.println(
            "counts " + counts.stream().map(String::valueOf).collect(Collectors.joining(",")));
      }
    }
    System.exit(0);
  }

  /** Has threads take it again and again; how often each got it. */
  static List<Long> run(Contestant contestant, LockUse.Step step, int threads, Duration time)
      throws Exception {
    return Workers.<Long>run(
            Workers.platform(),
            threads,
            time,
            (thread, end) -> {
              long count = 0;
              do {
                step.run(contestant);
                count++;
              } while (System.nanoTime() < end);
              return count;
            })
        .answers();
  }

  /** Starts a process of a contestant. */
  static ChildJvm start(List<String> jvm, Entry entry, Address address, Path file, int process) {
    return ChildJvm.start(
        jvm,
        ContendingThreads.class,
        entry.backend(),
        entry.name(),
        address.toString(),
        file.toString(),
        Integer.toString(process));
  }

  static void awaitReady(ChildJvm child) {
    child.awaitLine("ready"::equals, PATIENCE);
  }

  static void send(ChildJvm child, LockUse use, int threads, Duration time) {
    child.send(use + " " + threads + " " + time.toMillis());
  }

  static List<Long> awaitCounts(ChildJvm child) {
    String line = child.awaitLine(said -> said.startsWith("counts "), PATIENCE);
    return Arrays.stream(line.substring("counts ".length()).split(",", -1))
        .map(Long::valueOf)
        .toList();
  }
}
