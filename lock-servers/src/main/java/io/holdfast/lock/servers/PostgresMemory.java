/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.servers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The piece of shared memory (System V) by which PostgreSQL sees that nobody uses a data directory.
 * It outlives a server that is killed, and a kernel has a few thousand of them only.
 */
final class PostgresMemory {

  /** The line that has the key and the id, as PostgreSQL's source (pidfile.h) says. */
  private static final int LINE = 7;

  private static final Pattern KEY_AND_ID = Pattern.compile("\\s*\\d+\\s+(\\d+)\\s*");

  private PostgresMemory() {}

  /** The id of what a server of this directory has, if it did not end in good order. */
  static Optional<String> of(Path data) {
    try {
      List<String> lines = Files.readAllLines(data.resolve("postmaster.pid"));
      if (lines.size() < LINE) {
        return Optional.empty();
      }
      Matcher keyAndId = KEY_AND_ID.matcher(lines.get(LINE - 1));
      return keyAndId.matches() ? Optional.of(keyAndId.group(1)) : Optional.empty();
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /** After the server of this directory was killed, and before the directory is deleted. */
  static void remove(Path data) {
    of(data).ifPresent(PostgresMemory::removeId);
  }

  private static void removeId(String id) {
    try {
      new ProcessBuilder("ipcrm", "-m", id)
          .redirectErrorStream(true)
          .redirectOutput(ProcessBuilder.Redirect.DISCARD)
          .start()
          .waitFor();
    } catch (IOException e) {
      // Not every system has the program; then it stays.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
