/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.memory;

import org.jetbrains.lincheck.datastructures.Options;

/**
 * For how many interleavings of a whole client there is time: some seconds for each test, or so
 * many times that as the system property {@code holdfast.interleavings} says.
 */
final class Interleavings {

  private static final int THREADS = 2;
  private static final int SCENARIOS = 5;
  private static final int INVOCATIONS = 40;

  private Interleavings() {}

  static <O extends Options<O, ?>> O bounded(O options) {
    return options
        .threads(THREADS)
        .actorsPerThread(2)
        .actorsBefore(0)
        .actorsAfter(0)
        .iterations(SCENARIOS * Integer.getInteger("holdfast.interleavings", 1))
        .invocationsPerIteration(INVOCATIONS);
  }
}
