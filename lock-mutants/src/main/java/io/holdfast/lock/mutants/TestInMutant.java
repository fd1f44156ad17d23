/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.mutants;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import io.holdfast.lock.tck.Verdict;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.core.LauncherConfig;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/** Runs one test of a backend, in the class loader of a mutant; JUnit itself is shared. */
final class TestInMutant {

  private static final String LIMIT = "3 m";

  private TestInMutant() {}

  /**
   * Runs a test.
   *
   * @param test the name of its class, {@code #}, that of its method, and in brackets the types of
   *     its parameters, if there are any
   */
  static MutantRunner.Trial run(ClassLoader loader, String test) {
    LauncherDiscoveryRequest request =
        LauncherDiscoveryRequestBuilder.request()
            .selectors(selectMethod(loader, test))
            .configurationParameter("junit.jupiter.execution.timeout.default", LIMIT)
            .build();
    SummaryGeneratingListener listener = new SummaryGeneratingListener();
    LauncherConfig nothingElse =
        LauncherConfig.builder()
            .enableTestExecutionListenerAutoRegistration(false)
            .enableLauncherSessionListenerAutoRegistration(false)
            .build();
    LauncherFactory.create(nothingElse).execute(request, listener);
    return trial(test, listener.getSummary());
  }

  private static MutantRunner.Trial trial(String test, TestExecutionSummary summary) {
    if (!summary.getFailures().isEmpty()) {
      TestExecutionSummary.Failure failure = summary.getFailures().get(0);
      String why = String.valueOf(failure.getException().getMessage());
      // The engine itself fails where there is no such test, which says nothing of the mutant.
      return failure.getTestIdentifier().getParentId().isEmpty()
          ? new MutantRunner.Trial(Verdict.SKIPPED, test + " was not run: " + why)
          : new MutantRunner.Trial(Verdict.FAILED, why);
    }
    if (summary.getTestsSucceededCount() > 0) {
      return new MutantRunner.Trial(Verdict.HELD, "");
    }
    return new MutantRunner.Trial(Verdict.SKIPPED, test + " was not run");
  }
}
