/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.spi.support;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;

/** Looks through the causes of a failure, such as for what stages and futures have wrapped. */
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
    for (Throwable at : causes(failure)) {
      cause = at;
      if (!(at instanceof CompletionException || at instanceof ExecutionException)) {
        break;
      }
    }
    return cause;
  }

  /**
   * A failure and its causes, each once: nothing keeps exceptions from being causes of each other.
   *
   * @param failure of anything
   * @return the failure first, and its innermost cause last
   */
  public static List<Throwable> causes(Throwable failure) {
    Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    List<Throwable> causes = new ArrayList<>();
    for (Throwable at = failure; at != null && seen.add(at); at = at.getCause()) {
      causes.add(at);
    }
    return causes;
  }
}
