/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.rules;

/** The text of a rule that failed: what was expected, what was seen, and where to look. */
public final class FailureText {

  private FailureText() {}

  /**
   * Puts the text together.
   *
   * @param thrown by the rule; an error of its checks says what was expected and seen
   * @param lookAt what to look at in the backend
   * @return one sentence for each
   */
  public static String of(Throwable thrown, String lookAt) {
    String message = RuleContext.message(thrown);
    String told =
        thrown instanceof AssertionError
            ? message
            : "expected no exception, but %s was thrown: %s"
                .formatted(thrown.getClass().getSimpleName(), message);
    return told + (told.endsWith(".") ? "" : ".") + " Look at " + lookAt + ".";
  }
}
