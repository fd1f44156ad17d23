/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.holdfast.lock.Capabilities.Ordering;
import org.junit.jupiter.api.Test;

class ReleaseBackoffTest {

  private final ReleaseBackoff unordered = new ReleaseBackoff(Ordering.UNORDERED);

  @Test
  void anEighthOfTheTimeForUpToTwoMilliseconds() {
    assertEquals(1_000_000, unordered.after(8_000_000));
    assertEquals(2_000_000, unordered.after(16_000_000));
    assertEquals(2_000_000, unordered.after(1_000_000_000));
  }

  @Test
  void noneThatWouldBeTooShort() {
    assertEquals(200_000, unordered.after(1_600_000));
    assertEquals(0, unordered.after(1_599_992));
    assertEquals(0, unordered.after(0));
  }

  @Test
  void noneWhereTheServerKeepsAQueue() {
    assertEquals(0, new ReleaseBackoff(Ordering.FIRST_COME_FIRST_SERVED).after(1_000_000_000));
  }
}
