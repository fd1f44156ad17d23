/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A child process that dies with this JVM, and can be sent signals. */
final class ManagedProcess {

  private static final Duration KILL_TIMEOUT = Duration.ofSeconds(10);

  private final Process process;

  private ManagedProcess(Process process) {
    this.process = process;
  }

  static ManagedProcess start(ProcessBuilder builder) {
    Guard guard = Guard.ofThisJvm();
    try {
      Process process = builder.start();
      guard.watch(process.pid());
      CompletableFuture<Void> unused = process.onExit().thenRun(() -> guard.forget(process.pid()));
      return new ManagedProcess(process);
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

  /** Asks it to end; kills it if it has not done so in time. */
  void terminate(Duration patience) {
    handle().destroy();
    if (!ended(patience)) {
      kill();
    }
  }

  /** Ends it now, also when it is suspended. */
  void kill() {
    handle().destroyForcibly();
    if (!ended(KILL_TIMEOUT)) {
      throw new IllegalStateException("Process " + pid() + " does not end");
    }
  }

  void suspend() {
    signal("STOP");
  }

  void resume() {
    signal("CONT");
  }

  private void signal(String name) {
    if (!isAlive()) {
      throw new IllegalStateException("Process " + pid() + " has ended");
    }
    try {
      Process kill =
          new ProcessBuilder("sh", "-c", "kill -" + name + " " + pid())
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      if (kill.waitFor() != 0) {
        throw new IllegalStateException("Cannot send SIG" + name + " to process " + pid());
      }
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
