/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;

/** A process that holds many locks, and says what they cost it. */
final class HolderProcess {

  private static final int TAKERS = 32;
  private static final String ESTABLISHED = "01";
  private static final int STATE = 3;
  private static final int INODE = 9;

  private HolderProcess() {}

  /** Arguments: backend, name of the contestant, address, how many locks. */
  public static void main(String[] arguments) throws Exception {
    Entry entry = Contestants.find(arguments[0], arguments[1]);
    int leases = Integer.parseInt(arguments[3]);
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    ConcurrentLinkedQueue<Contestant.Held> held = new ConcurrentLinkedQueue<>();
    try (Contestant contestant = entry.open(Address.parse(arguments[2]))) {
      // Everything that there is once only.
      take(contestant, "warm-up-", TAKERS, held);
      long before = usedHeap();
      take(contestant, "held-", leases, held);
      double bytes = (usedHeap() - before) / (double) leases;
      System.out.println("held " + bytes + " " + ProcessorTime.ownNanos());
      in.readLine();
      System.out.println(
          "cost " + ProcessorTime.ownNanos() + " " + threads() + " " + connections());
      // Until it is killed.
      in.readLine();
    }
    throw new IllegalStateException("Not killed, with " + held.size() + " held");
  }

  private static void take(
      Contestant contestant, String prefix, int count, ConcurrentLinkedQueue<Contestant.Held> held)
      throws Exception {
    List<Integer> taken =
        Workers.<Integer>run(
                Workers.platform(),
                TAKERS,
                Duration.ZERO,
                (taker, end) -> {
                  int mine = 0;
                  for (int i = taker; i < count; i += TAKERS) {
                    held.add(contestant.take(prefix + i));
                    mine++;
                  }
                  return mine;
                })
            .answers();
    if (taken.stream().mapToInt(Integer::intValue).sum() != count) {
      throw new IllegalStateException(taken.toString());
    }
  }

  /** The heap that is used after collections. */
  static long usedHeap() {
    long used = Long.MAX_VALUE;
    // Objects that wait for a reference queue go with a second collection.
    for (int i = 0; i < 3; i++) {
      System.gc();
      used = Math.min(used, ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
    }
    return used;
  }

  private static int threads() {
    return ManagementFactory.getThreadMXBean().getThreadCount();
  }

  /**
   * Connections, as Linux shows them: the sockets of this process that are TCP's, and connected.
   */
  private static long connections() throws IOException {
    Set<String> connected = new HashSet<>();
    for (String table : List.of("tcp", "tcp6")) {
      try (Stream<String> lines = Files.lines(Path.of("/proc/self/net", table))) {
        lines
            .map(line -> line.strip().split("\\s+"))
            .filter(cells -> cells[STATE].equals(ESTABLISHED))
            .forEach(cells -> connected.add("socket:[" + cells[INODE] + "]"));
      }
    }
    try (Stream<Path> files = Files.list(Path.of("/proc/self/fd"))) {
      return files.map(HolderProcess::target).filter(connected::contains).count();
    }
  }

  private static String target(Path file) {
    try {
      return Files.readSymbolicLink(file).toString();
    } catch (IOException e) {
      // Closed by now.
      return "";
    }
  }
}
