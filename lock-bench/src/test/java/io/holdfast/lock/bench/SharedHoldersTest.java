/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Permits that are held by two processes, each with its own view of the memory. */
class SharedHoldersTest {

  private static final int CAPACITY = 8;

  @TempDir private Path directory;

  private SharedHolders one;
  private SharedHolders other;

  @BeforeEach
  void map() throws Exception {
    one = SharedHolders.map(directory.resolve("holders"));
    other = SharedHolders.map(directory.resolve("holders"));
  }

  @Test
  void asManyAsThereAreDoNotOverlap() {
    for (int i = 0; i < CAPACITY; i++) {
      (i % 2 == 0 ? one : other).taken(1, CAPACITY);
    }
    one.free(1);
    other.taken(1, CAPACITY);
    assertEquals(0, one.overlaps());
  }

  @Test
  void oneMoreThanThereAreOverlaps() {
    one.taken(CAPACITY, CAPACITY);
    other.taken(1, CAPACITY);
    assertEquals(1, one.overlaps());
    one.clear();
    assertEquals(0, other.overlaps());
  }

  @Test
  void aWriterOverlapsAReader() {
    one.taken(1, CAPACITY);
    other.taken(CAPACITY, CAPACITY);
    assertEquals(1, one.overlaps());
  }
}
