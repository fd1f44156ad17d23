/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.mutants;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Some mutants are made by their own command only: what they change has to be there all the same.
 */
class MutantFilesTest {

  private static final Path MODULES = Path.of("..");

  @Test
  void textsThatMutantsReplaceAreInTheSources() throws IOException {
    Sources sources = new Sources(MODULES);
    List<Path> catalogues;
    try (Stream<Path> modules = Files.list(MODULES)) {
      catalogues =
          modules
              .map(module -> module.resolve(Path.of("src", "test", "mutants")))
              .filter(Files::isDirectory)
              .toList();
    }
    assertTrue(catalogues.size() > 1, catalogues.toString());
    for (Path catalogue : catalogues) {
      for (Mutant mutant : MutantFile.read(catalogue)) {
        assertDoesNotThrow(() -> sources.changed(mutant), mutant.name());
      }
    }
  }
}
