/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redis;

import io.holdfast.lock.mutants.MutantsTest;
import org.junit.jupiter.api.Tag;

/** The faulty variants that {@link RedisMutantsTest} leaves. */
@Tag("soak")
class RedisFurtherMutantsTest extends MutantsTest {

  @Override
  protected Part part() {
    return Part.FURTHER;
  }
}
