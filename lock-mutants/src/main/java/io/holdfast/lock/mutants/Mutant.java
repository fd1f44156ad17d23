/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.mutants;

import java.util.List;
import java.util.stream.Collectors;

/**
 * A faulty variant of what is tested.
 *
 * @param name unique within a catalogue
 * @param judge what has to catch it: the id of a rule, or {@code SomeTest#method} of a test in the
 *     package of the fixture
 * @param pitfall what is wrong with it, in a sentence
 * @param fixture the class of what the rule is run against
 * @param changes what is changed in the sources
 */
public record Mutant(
    String name, String judge, String pitfall, String fixture, List<Change> changes) {

  /**
   * A place in a source, and what stands there instead.
   *
   * @param file the module, a slash, and the end of the path of one file of its main sources or
   *     resources
   * @param before stands there once; blanks and line ends count alike
   * @param after may be empty
   */
  public record Change(String file, String before, String after) {}

  /**
   * Tells the two kinds of judges apart.
   *
   * @return whether a rule has to catch it, and not a test of a backend
   */
  public boolean isJudgedByRule() {
    return judge.indexOf('#') < 0;
  }

  /**
   * For comparison.
   *
   * @return the sources as they are, for the same judge
   */
  public Mutant unchanged() {
    return new Mutant(name + "-unchanged", judge, pitfall, fixture, List.of());
  }

  /**
   * For the report.
   *
   * @return which files are changed
   */
  public String where() {
    return changes.stream().map(Change::file).distinct().collect(Collectors.joining(", "));
  }
}
