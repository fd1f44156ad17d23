/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.servers;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A small shell process that outlives this JVM for a moment and takes its children and temporary
 * directories along: also when this JVM is killed hard, and also if the children are suspended,
 * neither of which a shutdown hook or a child of good will can do.
 */
final class ProcessReaper {

  private static final String SCRIPT = "guard.sh";

  private final ReentrantLock lock = new ReentrantLock();
  private final OutputStream input;

  private ProcessReaper(OutputStream input) {
    this.input = input;
  }

  static ProcessReaper ofThisJvm() {
    return Holder.GUARD;
  }

  void watch(long pid) {
    tell("watch " + pid);
  }

  void forget(long pid) {
    tell("forget " + pid);
  }

  void deleteAtEnd(Path directory) {
    tell("dir " + directory);
  }

  private void tell(String line) {
    lock.lock();
    try {
      input.write((line + "\n").getBytes(StandardCharsets.UTF_8));
      input.flush();
    } catch (IOException e) {
      throw new UncheckedIOException("The guard process has died", e);
    } finally {
      lock.unlock();
    }
  }

  private static ProcessReaper start() {
    try (InputStream script = ProcessReaper.class.getResourceAsStream(SCRIPT)) {
      if (script == null) {
        throw new IllegalStateException("Resource " + SCRIPT + " is missing");
      }
      String text = new String(script.readAllBytes(), StandardCharsets.UTF_8);
      Process process =
          new ProcessBuilder("sh", "-c", text, "holdfast-guard")
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      return new ProcessReaper(process.getOutputStream());
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot start the guard process", e);
    }
  }

  /** Starts the guard with its first use. */
  private static final class Holder {
    static final ProcessReaper GUARD = start();
  }
}
