/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.mutants;

import io.holdfast.lock.tck.Conformance;
import io.holdfast.lock.tck.Fixture;
import io.holdfast.lock.tck.Result;
import io.holdfast.lock.tck.Verdict;
import io.holdfast.lock.tck.report.Report;
import java.nio.file.Path;
import java.util.List;
import org.opentest4j.TestAbortedException;

/** Tests the kit itself: a faulty backend has to be caught by the rule that it breaks. */
public final class FaultyBackends {

  static final Path REPORTS = Path.of("target", "conformance");

  private FaultyBackends() {}

  /**
   * Runs one rule against a faulty backend, notes the catch for the report, and fails if there is
   * none.
   *
   * @param liar the faulty backend
   * @param rule the rule that it breaks
   * @param pitfall what is wrong with it, in a sentence
   * @return what the kit says of it
   */
  public static String expectCaught(Fixture liar, String rule, String pitfall) {
    List<Result> results = Conformance.run(liar, rule::equals);
    if (results.size() != 1) {
      throw new AssertionError("There is no rule " + rule);
    }
    Result result = results.get(0);
    if (result.verdict() == Verdict.NOT_JUDGED) {
      throw new TestAbortedException(rule + ": " + result.verdict() + ", " + result.detail());
    }
    if (result.verdict() != Verdict.FAILED) {
      throw new AssertionError(
          "%s was not caught by %s, which ended as %s %s"
              .formatted(liar.name(), rule, result.verdict(), result.detail()));
    }
    Report.addMutant(REPORTS, liar.name(), rule, pitfall, "a backend of its own", result.detail());
    return result.detail();
  }
}
