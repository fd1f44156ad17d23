/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.project;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** An example of a page as a process of its own, which does not outlive this. */
record RunningExample(Process process, Path output) implements AutoCloseable {

  /** In a working directory with a file of settings; returns what it said until its end. */
  static String run(Path classes, String name, String settings, String classPath)
      throws IOException, InterruptedException {
    try (RunningExample started = start(classes, name, settings, classPath)) {
      return started.awaitEnd();
    }
  }

  /** In a working directory with a file of settings. */
  static RunningExample start(Path classes, String name, String settings, String classPath)
      throws IOException {
    Path work = Files.createTempDirectory(classes, "run");
    Files.writeString(work.resolve("holdfast.properties"), settings);
    Path output = work.resolve("output");
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                classes + File.pathSeparator + classPath,
                name)
            .directory(work.toFile())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    return new RunningExample(process, output);
  }

  String said() {
    try {
      return Files.readString(output);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  String awaitEnd() throws InterruptedException {
    assertTrue(process.waitFor(60, TimeUnit.SECONDS), "the example does not end");
    return said();
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
