/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.engine;

import io.holdfast.lock.text.VisibleText;
import org.jspecify.annotations.Nullable;

/**
 * The place in the code and the thread that asked for a lease: for warnings about a thread that
 * waits for itself.
 *
 * @param thread that asked
 * @param frame the caller of the engine
 */
record CallSite(Thread thread, StackWalker.@Nullable StackFrame frame) {

  private static final StackWalker STACK = StackWalker.getInstance();
  private static final String ENGINE = CallSite.class.getPackageName() + ".";

  static CallSite here() {
    return new CallSite(
        Thread.currentThread(),
        STACK.walk(
            frames ->
                frames
                    .filter(frame -> !frame.getClassName().startsWith(ENGINE))
                    .findFirst()
                    .orElse(null)));
  }

  @Override
  public String toString() {
    Object at = frame == null ? "an unknown place" : frame.toStackTraceElement();
    return at + " (thread " + VisibleText.of(thread.getName()) + ")";
  }
}
