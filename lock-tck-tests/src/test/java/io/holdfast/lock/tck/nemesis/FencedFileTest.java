/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.nemesis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.holdfast.lock.StaleTokenException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FencedFileTest {

  @TempDir Path directory;

  @Test
  void remembersWhatWasWritten() throws IOException {
    FencedFile file = new FencedFile(directory);
    assertEquals(0, file.read("a", 5));
    file.write("a", 5, 17);
    assertEquals(17, file.read("a", 6));
    assertEquals(0, file.read("b", 1));
  }

  /** Also one that has only read: what it read must not be overwritten behind its back. */
  @Test
  void refusesWhoComesAfterAGreaterToken() throws IOException {
    FencedFile file = new FencedFile(directory);
    file.read("a", 5);
    file.read("a", 6);
    assertThrows(StaleTokenException.class, () -> file.write("a", 5, 1));
    assertThrows(StaleTokenException.class, () -> file.read("a", 5));
    file.write("a", 6, 2);
    assertEquals(2, file.read("a", 6));
  }

  /** Where the backend is in memory, all workers are in one process. */
  @Test
  void isSharedWithinAProcess() {
    CompletableFuture<?>[] workers = new CompletableFuture<?>[4];
    for (int i = 0; i < workers.length; i++) {
      workers[i] = CompletableFuture.runAsync(this::writeOften);
    }
    CompletableFuture.allOf(workers).join();
  }

  private void writeOften() {
    FencedFile file = new FencedFile(directory);
    try {
      for (int i = 0; i < 500; i++) {
        file.write("a", 1, i);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
