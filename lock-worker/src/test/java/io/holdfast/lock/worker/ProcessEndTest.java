/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.holdfast.lock.servers.ChildJvm;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

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

  /** So that the lock is free at once, and not after its TTL. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void itsWorkerIsStoppedFirstIfThatIsWanted(boolean stopped) {
    List<String> lines = new CopyOnWriteArrayList<>();
    try (ChildJvm process =
        ChildJvm.start(EndedWorkMain.class, lines::add, String.valueOf(stopped))) {
      process.awaitLine("works"::equals, PATIENCE);
      process.terminate();
      assertEquals(OF_SIGTERM, process.awaitExit(PATIENCE));
      assertEquals(stopped ? List.of("works", "STOPPED, valid") : List.of("works"), lines);
    }
  }

  /** No hook can be added then; the lock still ends by its TTL if the work is cut off. */
  @Test
  void aWorkerMayBeStartedWhileItsProcessEnds() {
    List<String> lines = new CopyOnWriteArrayList<>();
    try (ChildJvm process = ChildJvm.start(LateWorkMain.class, lines::add)) {
      assertEquals(0, process.awaitExit(PATIENCE));
      assertEquals(List.of("works", "STOPPED"), lines);
    }
  }
}
