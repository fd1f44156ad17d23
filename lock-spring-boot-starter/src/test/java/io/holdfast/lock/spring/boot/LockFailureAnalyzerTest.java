/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.spring.boot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.LockException;
import io.holdfast.lock.LockRejectedException;
import io.holdfast.lock.LockTimeoutException;
import io.holdfast.lock.LockUnavailableException;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.BeanCreationException;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.core.io.support.SpringFactoriesLoader;
import org.springframework.core.io.support.SpringFactoriesLoader.FailureHandler;

/** An application that does not start for its locks says so without a stack trace. */
class LockFailureAnalyzerTest {

  private final FailureAnalyzer analyzer =
      SpringFactoriesLoader.forDefaultResourceLocation(getClass().getClassLoader())
          .load(FailureAnalyzer.class, FailureHandler.handleMessage((message, failure) -> {}))
          .stream()
          .filter(LockFailureAnalyzer.class::isInstance)
          .findFirst()
          .orElseThrow();

  @Test
  void saysWhatHappenedAndWhatToDo() {
    Map<LockException, String> failures =
        Map.of(
            new LockConfigurationException("'ulr' is no setting"), "Correct the settings",
            new LockUnavailableException("no answer"), "See that the lock server runs",
            new LockRejectedException("no such role", null), "Change what the server refuses");
    failures.forEach(
        (failure, action) -> {
          FailureAnalysis analysis = analyzer.analyze(new BeanCreationException("x", failure));
          assertEquals(
              "The locks of this application are not available. " + failure.getMessage(),
              analysis.getDescription());
          assertTrue(String.valueOf(analysis.getAction()).startsWith(action));
        });
  }

  @Test
  void leavesOthersAlone() {
    assertNull(analyzer.analyze(new LockTimeoutException("busy")));
    assertNull(analyzer.analyze(new IllegalStateException("other")));
  }
}
