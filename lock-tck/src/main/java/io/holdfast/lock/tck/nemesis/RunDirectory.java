/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.nemesis;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** The files of a run. */
final class RunDirectory {

  private RunDirectory() {}

  /** Empties it, and makes it if it is not there. */
  static void prepare(Path directory) {
    try {
      if (Files.exists(directory)) {
        try (Stream<Path> all = Files.walk(directory)) {
          List<Path> deepestFirst = all.sorted(Comparator.reverseOrder()).toList();
          for (Path path : deepestFirst) {
            Files.delete(path);
          }
        }
      }
      Files.createDirectories(WorkerConfig.resources(directory).resolve("open"));
      Files.createDirectories(WorkerConfig.resources(directory).resolve("fenced"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Adds a line to a file. */
  static void append(Path file, String line) {
    try {
      Files.writeString(file, line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
