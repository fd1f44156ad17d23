/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.cli.run;

import io.holdfast.lock.cli.common.ExitCodes;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Looks for a program as starting it will, before anybody waits for its lock. */
final class ProgramLookup {

  private ProgramLookup() {}

  /**
   * Why a program cannot be started.
   *
   * @param exitCode as shells have it
   * @param text for people
   */
  record Obstacle(int exitCode, String text) {}

  /**
   * Finds a reason why a program cannot be started.
   *
   * @param program a path if it has a slash, and else looked for in the directories of the path
   * @param searchPath those directories
   */
  static Optional<Obstacle> obstacle(String program, String searchPath) {
    // Elsewhere there are endings that need not be written, and no right to execute.
    if (File.separatorChar != '/') {
      return Optional.empty();
    }
    List<Path> candidates =
        program.contains("/")
            ? List.of(Path.of(program))
            : Arrays.stream(searchPath.split(File.pathSeparator, -1))
                .map(directory -> Path.of(directory).resolve(program))
                .filter(Files::isRegularFile)
                .toList();
    if (candidates.stream()
        .anyMatch(file -> Files.isRegularFile(file) && Files.isExecutable(file))) {
      return Optional.empty();
    }
    return Optional.of(
        candidates.stream().anyMatch(Files::exists)
            ? new Obstacle(
                ExitCodes.NOT_EXECUTABLE, "'" + program + "' exists, but is not a program")
            : new Obstacle(ExitCodes.NO_COMMAND, "There is no command '" + program + "'"));
  }
}
