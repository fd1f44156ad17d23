/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.postgres.schema;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import org.junit.jupiter.api.Test;

/** The number of a name. */
class AdvisoryKeyTest {

  /** Clients of an earlier version may hold the lock while a later one asks for it. */
  @Test
  void itIsTheSameInEveryVersion() {
    assertEquals(7719111838567884924L, AdvisoryKey.of("advisory", "lock", "a").value());
    assertEquals(7567438485488433442L, AdvisoryKey.of("table", "lock", "order:12345").value());
    assertEquals(-641422665012585593L, AdvisoryKey.of("table", "lock", "x".repeat(300)).value());
  }

  @Test
  void noPartRunsIntoTheNext() {
    assertNotEquals(AdvisoryKey.of("a", "bc", "d"), AdvisoryKey.of("a", "b", "cd"));
    assertNotEquals(AdvisoryKey.of("ab", "c", "d"), AdvisoryKey.of("a", "bc", "d"));
    assertNotEquals(AdvisoryKey.of("a", "b", ""), AdvisoryKey.of("a", "", "b"));
  }

  @Test
  void itsHalvesAreThoseOfTheServer() {
    AdvisoryKey key = new AdvisoryKey(-2L);
    assertEquals(-1, key.high());
    assertEquals(-2, key.low());
    assertEquals("-2", key.payload());
    assertEquals(1, new AdvisoryKey(1L << 32).high());
    assertEquals(0, new AdvisoryKey(1L << 32).low());
  }
}
