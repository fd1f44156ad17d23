/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.mutants;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.holdfast.lock.tck.Conformance;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A rule that cannot fail proves nothing: each has to catch a mutant of some module. */
class EveryRuleCatchesAMutantTest {

  private static final Map<String, String> WITHOUT_MUTANT =
      Map.of("VW-11", "the oldest JDK has no virtual threads, so that it is skipped there");

  private static List<Mutant> all() throws IOException {
    List<Mutant> all = new ArrayList<>();
    try (Stream<Path> modules = Files.list(Path.of(".."))) {
      for (Path module : modules.toList()) {
        Path catalogues = module.resolve(MutantsTest.CATALOGUES);
        if (Files.isDirectory(catalogues)) {
          all.addAll(MutantFile.read(catalogues));
        }
      }
    }
    return all;
  }

  @Test
  void everyRuleCatchesAMutant() throws IOException {
    Set<String> biting = new TreeSet<>(WITHOUT_MUTANT.keySet());
    all().stream().filter(Mutant::isJudgedByRule).map(Mutant::judge).forEach(biting::add);
    assertEquals(new TreeSet<>(Conformance.rules()), biting);
  }

  @Test
  void everyMutantHasANameOfItsOwn() throws IOException {
    List<String> names = all().stream().map(Mutant::name).sorted().toList();
    assertEquals(names.stream().distinct().toList(), names);
  }
}
