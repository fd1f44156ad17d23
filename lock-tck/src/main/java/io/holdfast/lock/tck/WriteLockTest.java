/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck;

import java.util.Set;

/**
 * Rules about locks that the server decides, asked of the write side of read-write locks: extend
 * it, and open your {@link Fixture} with {@link io.holdfast.lock.Share#WRITE} as its {@link
 * Fixture#share}. A backend that keeps shares in another form than locks has other code for both,
 * and each of these rules can break in one of them. They take about ten seconds together; with
 * {@code -Dholdfast.tck.share=write}, a {@link LockConformanceTest} asks all.
 */
public abstract class WriteLockTest extends LockConformanceTest {

  private static final Set<String> RULES =
      Set.of(
          "OW-2", "OW-3", "OW-4", "OW-9", "OW-10", "LT-2", "LT-7", "LT-13", "RN-5", "RN-6", "RN-8",
          "RN-10", "TB-1", "TB-5", "TB-8", "TB-9", "LS-3", "FN-1", "WT-5", "CA-8", "CA-10", "CA-12",
          "LC-1", "LC-10");

  /** For subclasses. */
  protected WriteLockTest() {}

  @Override
  protected Set<String> rules() {
    return RULES;
  }
}
