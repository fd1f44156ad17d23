/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.servers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/**
 * Tells whether a process has handled a signal that it was sent: each thread goes on until the
 * kernel comes by. Where there is no {@code /proc} (Linux), nobody knows more than Java does.
 *
 * @see <a href="https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html">proc_pid_stat(5)</a>
 */
final class ProcessState {

  private static final long LIMIT_NANOS = TimeUnit.SECONDS.toNanos(2);
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
  private static final String ENDED = "ZX";
  private static final String STOPPED = "Tt";

  private ProcessState() {}

  /** Returns when it stands still, or has not come to it in two seconds. */
  static void await(long pid) {
    until(() -> is(pid, STOPPED + ENDED).orElse(true), LIMIT_NANOS);
  }

  /**
   * Answers whether all have ended in that time: also those whose parent has not taken notice yet,
   * until which they count as alive.
   */
  static boolean awaitEnd(List<ProcessHandle> processes, Duration limit) {
    return until(() -> processes.stream().allMatch(ProcessState::hasEnded), limit.toNanos());
  }

  private static boolean hasEnded(ProcessHandle process) {
    return !process.isAlive() || is(process.pid(), ENDED).orElse(false);
  }

  private static boolean until(BooleanSupplier condition, long limitNanos) {
    long begin = System.nanoTime();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - begin > limitNanos) {
        return false;
      }
      LockSupport.parkNanos(PAUSE_NANOS);
    }
    return true;
  }

  /** Whether all its threads are in one of these states. */
  private static Optional<Boolean> is(long pid, String states) {
    Path threads = Path.of("/proc", Long.toString(pid), "task");
    if (!Files.isDirectory(threads)) {
      return Optional.empty();
    }
    try (Stream<Path> all = Files.list(threads)) {
      List<Path> found = all.toList();
      return Optional.of(found.stream().allMatch(thread -> isIn(states, thread)));
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /** The state follows the name, which is in parentheses. A thread that is gone is in any. */
  private static boolean isIn(String states, Path thread) {
    try {
      String stat = Files.readString(thread.resolve("stat"));
      return states.indexOf(stat.charAt(stat.lastIndexOf(')') + 2)) >= 0;
    } catch (IOException e) {
      return true;
    }
  }
}
