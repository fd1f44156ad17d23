/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck;

import io.holdfast.lock.servers.Conditions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that a machine that stands still is noticed. */
class MachineStallsTest {

  /** A rule whose thread is the first to run again asks before it is written down. */
  @Test
  void aStandstillCountsBeforeWhoWatchesRunsAgain() {
    long begun = System.nanoTime();
    MachineStalls stalls = new MachineStalls();
    stalls.close();
    Conditions.until("a standstill", Duration.ofSeconds(10), () -> stalls.since(begun).isPresent());
  }

  /** A server, or a lock in a file, waits behind whoever keeps the disk busy. */
  @Test
  void aBusyDiskIsNoticed(@TempDir Path dir) throws IOException {
    Path waits = dir.resolve("io");
    Files.writeString(waits, told(0));
    long begun = System.nanoTime();
    try (MachineStalls stalls = new MachineStalls(waits)) {
      Conditions.until(
          "a busy disk",
          Duration.ofSeconds(30),
          () -> {
            write(waits, told(TimeUnit.NANOSECONDS.toMicros(System.nanoTime() - begun)));
            // The first one since the beginning is told, which may be a standstill.
            return tellsOfTheDisk(stalls.since(begun))
                || tellsOfTheDisk(stalls.since(System.nanoTime()));
          });
    }
  }

  private static boolean tellsOfTheDisk(Optional<String> noticed) {
    return noticed.filter(what -> what.contains("disk")).isPresent();
  }

  private static String told(long micros) {
    return """
        some avg10=0.00 avg60=0.00 avg300=0.00 total=%d
        full avg10=0.00 avg60=0.00 avg300=0.00 total=0
        """
        .formatted(micros);
  }

  private static void write(Path file, String text) {
    try {
      Files.writeString(file, text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
