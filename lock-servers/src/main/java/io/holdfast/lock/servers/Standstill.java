/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.servers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/**
 * Waits until a process that was sent SIGSTOP really stands still: each thread goes on until the
 * kernel comes by. Where there is no {@code /proc} (Linux), nothing is waited for.
 *
 * @see <a href="https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html">proc_pid_stat(5)</a>
 */
final class Standstill {

  private static final long LIMIT_NANOS = TimeUnit.SECONDS.toNanos(2);
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  private Standstill() {}

  /** Returns when it stands still, or has not come to it in two seconds. */
  static void await(long pid) {
    long begin = System.nanoTime();
    while (runs(pid) && System.nanoTime() - begin < LIMIT_NANOS) {
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }

  private static boolean runs(long pid) {
    Path threads = Path.of("/proc", Long.toString(pid), "task");
    if (!Files.isDirectory(threads)) {
      return false;
    }
    try (Stream<Path> all = Files.list(threads)) {
      List<Path> found = all.toList();
      return found.stream().anyMatch(Standstill::isRunning);
    } catch (IOException e) {
      return false;
    }
  }

  /** The state follows the name, which is in parentheses; T is stopped, Z and X have ended. */
  private static boolean isRunning(Path thread) {
    try {
      String stat = Files.readString(thread.resolve("stat"));
      return "TtZX".indexOf(stat.charAt(stat.lastIndexOf(')') + 2)) < 0;
    } catch (IOException e) {
      return false;
    }
  }
}
