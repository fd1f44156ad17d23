/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.engine;

import org.jetbrains.lincheck.datastructures.Options;

/**
 * For how many interleavings there is time: a few seconds for each test, or so many times that as
 * the system property {@code holdfast.interleavings} says.
 */
public final class Interleavings {

  private static final int SCENARIOS = 5;
  private static final int INVOCATIONS = 300;

  private Interleavings() {}

  /**
   * Bounds the search.
   *
   * @param options of one of the two ways to search
   * @param threads at once
   * @param steps of each thread
   * @param <O> their type
   * @return the same
   */
  public static <O extends Options<O, ?>> O of(O options, int threads, int steps) {
    return options
        .threads(threads)
        .actorsPerThread(steps)
        .actorsBefore(0)
        .actorsAfter(0)
        .iterations(SCENARIOS * Integer.getInteger("holdfast.interleavings", 1))
        .invocationsPerIteration(INVOCATIONS);
  }
}
