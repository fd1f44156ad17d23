/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.history;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The history of one process, in a file of its own. An event for which {@link #append} has returned
 * is with the operating system, and survives a kill. For any number of threads; an interrupt
 * changes nothing.
 */
public final class HistoryWriter implements AutoCloseable {

  static final String SUFFIX = ".history";

  private final ReentrantLock lock = new ReentrantLock();
  private final OutputStream out;

  private HistoryWriter(OutputStream out) {
    this.out = out;
  }

  /**
   * Begins a history.
   *
   * @param directory of the run; made if it is not there
   * @param process its name, used once in a run: letters, digits, dashes
   * @return to be closed
   * @throws UncheckedIOException if it cannot be written, or the process has written there before
   */
  public static HistoryWriter open(Path directory, String process) {
    Path file = directory.resolve(process + SUFFIX);
    try {
      Files.createDirectories(directory);
      Files.createFile(file);
      // A channel would be closed by the first interrupt of a thread that writes.
      return new HistoryWriter(new FileOutputStream(file.toFile()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Writes an event, in one piece.
   *
   * @param event what happened
   * @throws UncheckedIOException if it cannot be written
   */
  public void append(Event event) {
    byte[] line = EventLine.of(event).getBytes(StandardCharsets.UTF_8);
    lock.lock();
    try {
      out.write(line);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() {
    try {
      out.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
