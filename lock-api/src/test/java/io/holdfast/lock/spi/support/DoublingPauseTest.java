/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.spi.support;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class DoublingPauseTest {

  @Test
  void aPauseDoublesUntilItIsTheLongest() {
    Duration longest = Duration.ofSeconds(5);
    Duration pause = Duration.ofSeconds(1);
    for (int seconds : new int[] {2, 4, 5, 5}) {
      pause = DoublingPause.after(pause, longest);
      assertEquals(Duration.ofSeconds(seconds), pause);
    }
  }
}
