/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.spring.boot;

import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.LockException;
import io.holdfast.lock.LockRejectedException;
import io.holdfast.lock.LockUnavailableException;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Says in words why an application did not start, if it was for its locks. */
final class LockFailureAnalyzer extends AbstractFailureAnalyzer<LockException> {

  @Override
  protected @Nullable FailureAnalysis analyze(Throwable rootFailure, LockException cause) {
    String action;
    if (cause instanceof LockConfigurationException) {
      action =
          "Correct the settings below 'holdfast' that the description names, or the annotation. In"
              + " Spring's properties, keys begin with 'holdfast.'";
    } else if (cause instanceof LockUnavailableException) {
      action =
          "See that the lock server runs, and can be reached from here. Locks are connected to when"
              + " the application starts";
    } else if (cause instanceof LockRejectedException) {
      action =
          "Change what the server refuses, as the description says: credentials, permissions, or"
              + " tables that are missing";
    } else {
      return null;
    }
    return new FailureAnalysis(
        "The locks of this application are not available. " + cause.getMessage(),
        action + ".",
        cause);
  }
}
