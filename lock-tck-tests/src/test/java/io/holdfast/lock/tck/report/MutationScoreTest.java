/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.report;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
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
  void eachWholeReportHasAScore() throws IOException {
    written("lock-memory", TWO + "</mutations>\n");
    written("lock-redis", TWO + "<mutation detected='true'/>\n</mutations>\n");
    Files.createFile(root.resolve("pom.xml"));
    assertEquals(
        List.of(
            "1 of 2 mutants of the engine found by its tests (50 %)",
            "2 of 3 mutants of lock-redis found by its tests (66 %)"),
        MutationScore.readAll(root).stream().map(MutationScore::text).toList());
  }

  @Test
  void aRunThatWasEndedHasNone() throws IOException {
    assertEquals(List.of(), MutationScore.readAll(root));
    written("lock-memory", "");
    assertEquals(List.of(), MutationScore.readAll(root));
    written("lock-memory", TWO);
    assertEquals(List.of(), MutationScore.readAll(root));
  }

  private void written(String module, String report) throws IOException {
    Path folder = root.resolve(module).resolve("target/pit-reports");
    Files.createDirectories(folder);
    Files.writeString(folder.resolve("mutations.xml"), report);
  }
}
