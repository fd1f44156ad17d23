/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck;

import io.holdfast.lock.Share;
import io.holdfast.lock.tck.report.Report;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.opentest4j.TestAbortedException;

/**
 * The kit as a JUnit test: extend it, and open your {@link Fixture}. Runs every rule (or the one
 * that the system property {@code holdfast.tck.rule} names), and writes the report to {@code
 * target/conformance} if it runs all rules on locks. A rule that could not be judged is a skipped
 * test, or with {@code -Dholdfast.tck.not-judged=fail} a failed one.
 */
public abstract class LockConformanceTest {

  private static final Path REPORTS = Path.of("target", "conformance");

  private static final boolean MUST_JUDGE =
      System.getProperty("holdfast.tck.not-judged", "skip").equals("fail");

  /** For subclasses. */
  protected LockConformanceTest() {}

  /**
   * Opens what the rules are run against.
   *
   * @return a fixture, closed by the kit
   * @throws Exception if it cannot be opened
   */
  protected abstract Fixture open() throws Exception;

  /**
   * Which rules to run.
   *
   * @return their ids: what the system property {@code holdfast.tck.rule} names, or all
   */
  protected Set<String> rules() {
    String named = System.getProperty("holdfast.tck.rule", "");
    return named.isEmpty() ? Set.copyOf(Conformance.rules()) : Set.of(named.split(","));
  }

  /**
   * Runs the rules.
   *
   * @return a test for each rule, in a container for each group
   * @throws Exception if the fixture cannot be opened or the report cannot be written
   */
  @TestFactory
  public final Stream<DynamicNode> conformance() throws Exception {
    Set<String> chosen = rules();
    if (!Conformance.rules().containsAll(chosen)) {
      throw new IllegalArgumentException(
          "There is no rule '%s' for holdfast.tck.rule; there are %s"
              .formatted(String.join(",", chosen), Conformance.rules()));
    }
    List<Result> results;
    try (Fixture fixture = open()) {
      results = Conformance.run(fixture, chosen::contains);
      Report report = Report.of(fixture, results);
      if (chosen.size() == Conformance.rules().size() && fixture.share().equals(Share.LOCK)) {
        report.write(REPORTS);
      }
      report.print(System.out);
    }
    Map<String, List<Result>> groups =
        results.stream()
            .collect(
                Collectors.groupingBy(
                    result -> result.rule().substring(0, 2),
                    LinkedHashMap::new,
                    Collectors.toList()));
    return groups.entrySet().stream()
        .map(
            group ->
                DynamicContainer.dynamicContainer(
                    group.getKey(), group.getValue().stream().map(LockConformanceTest::test)));
  }

  private static DynamicTest test(Result result) {
    return DynamicTest.dynamicTest(
        result.rule() + " " + result.title(),
        () -> {
          if (result.failure().isPresent()) {
            throw new AssertionError(result.detail(), result.failure().get());
          }
          String what = "%s: %s, %s".formatted(result.rule(), result.verdict(), result.detail());
          if (result.verdict() == Verdict.NOT_JUDGED && MUST_JUDGE) {
            throw new AssertionError(what);
          }
          if (result.verdict() == Verdict.SKIPPED || result.verdict() == Verdict.NOT_JUDGED) {
            throw new TestAbortedException(what);
          }
        });
  }
}
