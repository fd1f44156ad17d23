/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.spi.support;

import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;

/** Finds the cause of a failure inside the exceptions in which stages and futures wrap it. */
public final class Failures {

  private Failures() {}

  /**
   * The failure itself.
   *
   * @param failure as a stage or a future hands it out
   * @return the first cause that is no {@link CompletionException} or {@link ExecutionException}
   */
  public static Throwable cause(Throwable failure) {
    Throwable cause = failure;
    while (cause instanceof CompletionException || cause instanceof ExecutionException) {
      Throwable inner = cause.getCause();
      if (inner == null) {
        return cause;
      }
      cause = inner;
    }
    return cause;
  }
}
