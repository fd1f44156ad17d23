/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.mutants.Mutant;
import io.holdfast.lock.mutants.MutantRunner;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A mutant must fail because of its change, and for no other reason. */
class MutantRunnerTest {

  private static final String TAKES = "entry.token = backend.server.nextToken();";

  @TempDir Path made;

  private MutantRunner.Trial tried(String before, String after) throws IOException {
    return tried("FN-1", before, after);
  }

  private MutantRunner.Trial tried(String judge, String before, String after) throws IOException {
    Mutant.Change change = new Mutant.Change("lock-memory/MemoryClaim.java", before, after);
    Mutant mutant = new Mutant("tried", judge, "", MemoryFixture.class.getName(), List.of(change));
    try (MutantRunner workshop = new MutantRunner(Path.of(".."), made, Optional.empty())) {
      return workshop.run(mutant);
    }
  }

  private String refused(String before, String after) {
    return String.valueOf(
        assertThrows(IllegalArgumentException.class, () -> tried(before, after)).getMessage());
  }

  @Test
  void aChangedSourceIsTried() throws IOException {
    assertEquals(Verdict.FAILED, tried(TAKES, "entry.token = 7;").verdict());
  }

  @Test
  void anUnchangedSourceHolds() throws IOException {
    assertEquals(Verdict.HELD, tried(TAKES, TAKES).verdict());
  }

  @Test
  void aChangeHasToFitOnce() {
    assertTrue(refused("entry.token = 8;", "").contains("does not have"));
    assertTrue(refused("entry.waiters.remove(this);", "").contains("more than once"));
  }

  @Test
  void aChangeHasToCompile() {
    assertTrue(refused(TAKES, "entry.token = nowhere();").contains("nowhere"));
  }

  @Test
  void aTestThatIsNotThereCatchesNothing() throws IOException {
    MutantRunner.Trial trial = tried("NoSuchTest#atAll", TAKES, "entry.token = 7;");
    assertEquals(Verdict.SKIPPED, trial.verdict(), trial.toString());
  }
}
