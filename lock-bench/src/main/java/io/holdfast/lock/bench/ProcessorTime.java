/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.bench;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Processor time so far: where the time goes, also on a machine with neighbours. Of servers in
 * containers nothing is known, as they are not processes of this one.
 *
 * @param clientMicros of this process
 * @param serverMicros of the servers that this process has started, and of what has ended of them
 * @see <a href="https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html">proc_pid_stat(5)</a>
 */
record ProcessorTime(double clientMicros, double serverMicros) {

  static final String CLIENT = "client CPU, µs for a pair";
  static final String SERVER = "server CPU, µs for a pair";
  private static final double NANOS_PER_MICRO = 1_000;

  /** Of the fields behind the name: its own time as user and as system, and its children's. */
  private static final int FIRST_TIME = 11;

  private static final int TIMES = 4;
  private static final double MICROS_PER_TICK = 10_000;

  /** Of this process. */
  static long ownNanos() {
    return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime();
  }

  static ProcessorTime now() {
    double servers =
        ProcessHandle.current().descendants().mapToDouble(ProcessorTime::ticksOf).sum();
    return new ProcessorTime(ownNanos() / NANOS_PER_MICRO, servers * MICROS_PER_TICK);
  }

  /** Notes what has been spent since then. */
  void note(Section section, Entry entry, String prefix, int round, long pairs, Results results) {
    ProcessorTime now = now();
    results.add(
        section, entry, prefix + CLIENT, round, (now.clientMicros - clientMicros) / (double) pairs);
    if (now.serverMicros > serverMicros) {
      results.add(
          section,
          entry,
          prefix + SERVER,
          round,
          (now.serverMicros - serverMicros) / (double) pairs);
    }
  }

  private static double ticksOf(ProcessHandle process) {
    try {
      String stat = Files.readString(Path.of("/proc", Long.toString(process.pid()), "stat"));
      String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
      double ticks = 0;
      for (int i = FIRST_TIME; i < FIRST_TIME + TIMES; i++) {
        ticks += Long.parseLong(fields[i]);
      }
      return ticks;
    } catch (IOException e) {
      // It has ended just now.
      return 0;
    }
  }
}
