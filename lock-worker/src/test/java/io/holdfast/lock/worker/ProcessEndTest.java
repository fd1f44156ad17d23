/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.holdfast.lock.servers.ChildJvm;
import java.time.Duration;
import java.util.OptionalInt;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Work may end its own process. */
@Timeout(120)
class ProcessEndTest {

  private static final Duration PATIENCE = Duration.ofSeconds(40);
  private static final int OF_SIGTERM = 143;

  @ParameterizedTest
  @EnumSource(names = {"START", "OBSERVER", "RENEWING"})
  void aProcessThatItsWorkerEndsIsGone(ExitingWorkMain.Where where) {
    try (ChildJvm process = ChildJvm.start(ExitingWorkMain.class, where.name())) {
      assertEquals(ExitingWorkMain.EXIT, process.awaitExit(PATIENCE));
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"STOP", "LATE_OBSERVER"})
  void soIsOneThatEndsAlreadyAsItsWorkerEndsIt(ExitingWorkMain.Where where) {
    try (ChildJvm process = ChildJvm.start(ExitingWorkMain.class, where.name())) {
      process.awaitLine("works"::equals, PATIENCE);
      process.terminate();
      assertEquals(OptionalInt.of(OF_SIGTERM), process.exitCode());
    }
  }
}
