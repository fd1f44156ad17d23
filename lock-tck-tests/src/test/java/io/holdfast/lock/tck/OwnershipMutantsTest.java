/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck;

import io.holdfast.lock.mutants.MutantsTest;
import org.junit.jupiter.api.Tag;

/**
 * A few of the variants that {@link MemoryMutantsTest} tries, which take seconds: for each build.
 */
@Tag("part-of-long")
class OwnershipMutantsTest extends MutantsTest {

  @Override
  protected boolean reads(String file) {
    return file.equals("ownership");
  }
}
