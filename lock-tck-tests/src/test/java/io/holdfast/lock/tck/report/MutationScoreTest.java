/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.report;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MutationScoreTest {

  private static final String TWO =
      """
      <mutations>
      <mutation detected='true' status='KILLED'/>
      <mutation detected='false' status='SURVIVED'/>
      """;

  @TempDir Path root;

  @Test
  void aWholeReportHasAScore() throws IOException {
    written(TWO + "</mutations>\n");
    assertEquals(
        Optional.of("1 of 2 mutants of the engine found by its tests (50 %)"),
        MutationScore.read(root).map(MutationScore::text));
  }

  @Test
  void aRunThatWasEndedHasNone() throws IOException {
    assertEquals(Optional.empty(), MutationScore.read(root));
    written("");
    assertEquals(Optional.empty(), MutationScore.read(root));
    written(TWO);
    assertEquals(Optional.empty(), MutationScore.read(root));
  }

  private void written(String report) throws IOException {
    Path folder = root.resolve("lock-memory/target/pit-reports");
    Files.createDirectories(folder);
    Files.writeString(folder.resolve("mutations.xml"), report);
  }
}
