/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A child process that dies with this JVM, and can be sent signals. */
final class ManagedProcess {

  private static final Duration KILL_TIMEOUT = Duration.ofSeconds(10);

  private final Process process;
  private final boolean wholeTree;
  private final List<Long> suspended = new ArrayList<>();

  private ManagedProcess(Process process, boolean wholeTree) {
    this.process = process;
    this.wholeTree = wholeTree;
  }

  static ManagedProcess start(ProcessBuilder builder) {
    return start(builder, false);
  }

  /** Processes that this one starts are suspended and killed with it. */
  static ManagedProcess startTree(ProcessBuilder builder) {
    return start(builder, true);
  }

  private static ManagedProcess start(ProcessBuilder builder, boolean wholeTree) {
    ProcessReaper guard = ProcessReaper.ofThisJvm();
    try {
      Process process = builder.start();
      guard.watch(process.pid());
      CompletableFuture<Void> unused =
          process
              .onExit()
              .thenRun(
                  () -> {
                    guard.forget(process.pid());
                    FakeClock.cleanUpAfter(process.pid());
                  });
      return new ManagedProcess(process, wholeTree);
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot start " + builder.command().get(0), e);
    }
  }

  Process process() {
    return process;
  }

  long pid() {
    return process.pid();
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /** Asks it to end, by SIGTERM; kills it if it has not done so in time. */
  void terminate(Duration patience) {
    terminate("TERM", patience);
  }

  /**
   * Asks it to end; kills it if it has not done so in time.
   *
   * @param signal which asks it to
   */
  void terminate(String signal, Duration patience) {
    if (isAlive()) {
      send(signal, process.pid());
    }
    if (!ended(patience)) {
      kill();
    }
  }

  /** Ends it now, also when it is suspended. */
  void kill() {
    if (wholeTree && isAlive()) {
      // It starts nothing more after what it has started was listed.
      send("STOP", pid());
      ProcessState.await(pid());
    }
    List<ProcessHandle> started = started();
    handle().destroyForcibly();
    boolean gone = ended(KILL_TIMEOUT);
    started.forEach(ProcessHandle::destroyForcibly);
    if (!gone || !ProcessState.awaitEnd(started, KILL_TIMEOUT)) {
      throw new IllegalStateException("Process " + pid() + " does not end");
    }
  }

  /** Returns when none of its threads runs any more. */
  void suspend() {
    requireAlive();
    // First the one that could start more of them.
    mustSend("STOP", pid());
    ProcessState.await(pid());
    for (ProcessHandle child : started()) {
      ProcessReaper.ofThisJvm().watch(child.pid());
      suspended.add(child.pid());
      send("STOP", child.pid());
      ProcessState.await(child.pid());
    }
  }

  void resume() {
    requireAlive();
    for (long child : suspended) {
      send("CONT", child);
      ProcessReaper.ofThisJvm().forget(child);
    }
    suspended.clear();
    mustSend("CONT", pid());
  }

  private List<ProcessHandle> started() {
    return wholeTree ? process.descendants().toList() : List.of();
  }

  private void requireAlive() {
    if (!isAlive()) {
      throw new IllegalStateException("Process " + pid() + " has ended");
    }
  }

  private static void mustSend(String name, long pid) {
    if (!send(name, pid)) {
      throw new IllegalStateException("Cannot send SIG" + name + " to process " + pid);
    }
  }

  private static boolean send(String name, long pid) {
    try {
      Process kill =
          new ProcessBuilder("sh", "-c", "kill -" + name + " " + pid)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      return kill.waitFor() == 0;
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot send SIG" + name, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted while sending SIG" + name, e);
    }
  }

  /** Unlike the process itself, its handle leaves the pipes open, so that last words are heard. */
  private ProcessHandle handle() {
    return process.toHandle();
  }

  private boolean ended(Duration patience) {
    boolean interrupted = Thread.interrupted();
    try {
      long deadline = System.nanoTime() + patience.toNanos();
      while (true) {
        try {
          return process.waitFor(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
