/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.worker;

import org.jspecify.annotations.Nullable;

/** Shutdown hooks, which a JVM that shuts down already takes and gives no more. */
final class ShutdownHooks {

  private ShutdownHooks() {}

  static boolean add(Thread hook) {
    try {
      Runtime.getRuntime().addShutdownHook(hook);
      return true;
    } catch (IllegalStateException e) {
      return false;
    }
  }

  /** Whether that thread has called {@link System#exit}: it waits for all hooks, and for good. */
  static boolean areWaitedForBy(@Nullable Thread thread) {
    if (thread == null) {
      return false;
    }
    for (StackTraceElement frame : thread.getStackTrace()) {
      if (frame.getClassName().equals("java.lang.Runtime")
          && frame.getMethodName().equals("exit")) {
        return true;
      }
    }
    return false;
  }

  static void remove(Thread hook) {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The hook runs.
    }
  }
}
