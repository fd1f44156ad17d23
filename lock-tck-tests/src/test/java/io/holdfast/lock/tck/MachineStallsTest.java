/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck;

import io.holdfast.lock.servers.Conditions;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What is noticed of a machine that stands still. */
class MachineStallsTest {

  /** A rule whose thread is the first to run again asks before it is written down. */
  @Test
  void aStandstillCountsBeforeWhoWatchesRunsAgain() {
    long begun = System.nanoTime();
    MachineStalls stalls = new MachineStalls();
    stalls.close();
    Conditions.until("a standstill", Duration.ofSeconds(10), () -> stalls.since(begun).isPresent());
  }
}
