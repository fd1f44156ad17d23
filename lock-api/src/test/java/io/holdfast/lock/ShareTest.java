/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class ShareTest {

  @Test
  void aSemaphoreOfOneIsALock() {
    assertEquals(Share.LOCK, Share.of(1, 1));
  }

  @Test
  void theLargestSemaphoreIsNoReadWriteLock() {
    assertEquals(Share.Mode.PERMITS, Share.of(1, Share.MOST_PERMITS).mode());
    assertThrows(IllegalArgumentException.class, () -> Share.of(1, Share.MOST_PERMITS + 1));
  }

  @Test
  void onlyTheWholeLeavesNothing() {
    assertTrue(Share.LOCK.isWhole());
    assertTrue(Share.WRITE.isWhole());
    assertTrue(Share.of(3, 3).isWhole());
    assertFalse(Share.READ.isWhole());
    assertFalse(Share.of(2, 3).isWhole());
  }

  @Test
  void aWriterIsReducedToAReader() {
    assertEquals(Share.READ, Share.WRITE.reducedTo(1));
    assertThrows(IllegalArgumentException.class, () -> Share.READ.reducedTo(2));
    assertThrows(IllegalArgumentException.class, () -> Share.WRITE.reducedTo(2));
  }

  @Test
  void permitsAreWithinTheCapacity() {
    assertThrows(IllegalArgumentException.class, () -> Share.of(0, 3));
    assertThrows(IllegalArgumentException.class, () -> Share.of(4, 3));
    assertThrows(IllegalArgumentException.class, () -> Share.of(1, 0));
  }

  @Test
  void aRefusalNamesBothCapacities() {
    String told = new LockCapacityException("exports", 5, Share.READ_WRITE_CAPACITY).toString();
    assertTrue(told.contains("asked for as a semaphore of 5 permits,"), told);
    assertTrue(told.contains("in use as a read-write lock."), told);
    String lock = new LockCapacityException("exports", 1, 5).toString();
    assertTrue(lock.contains("asked for as a lock, but is in use as a semaphore of 5"), lock);
  }
}
