/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.history;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The events that all processes of a run have written.
 *
 * @param events by time
 */
public record History(List<Event> events) {

  /** Sorts them. */
  public History {
    events = events.stream().sorted(Comparator.comparingLong(Event::at)).toList();
  }

  /**
   * Reads what was written there. A line that a process could not finish is left out.
   *
   * @param directory of the run
   * @return all of it, by time
   * @throws UncheckedIOException if it cannot be read
   * @throws IllegalArgumentException if there is something else in it
   */
  public static History read(Path directory) {
    List<Event> events = new ArrayList<>();
    try (DirectoryStream<Path> files =
        Files.newDirectoryStream(directory, "*" + HistoryWriter.SUFFIX)) {
      for (Path file : files) {
        byte[] bytes = Files.readAllBytes(file);
        String whole = new String(bytes, 0, whole(bytes), StandardCharsets.UTF_8);
        whole.lines().map(EventLine::parse).forEach(events::add);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return new History(events);
  }

  /** How many of them are lines that have an end. */
  private static int whole(byte[] bytes) {
    int end = bytes.length;
    while (end > 0 && bytes[end - 1] != '\n') {
      end--;
    }
    return end;
  }
}
