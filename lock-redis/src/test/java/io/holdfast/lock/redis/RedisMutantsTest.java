/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redis;

import io.holdfast.lock.mutants.MutantsTest;
import org.junit.jupiter.api.Tag;

/**
 * Faulty variants on a real server, of the scripts, and of the engine where links break: one for
 * each rule. {@link RedisFurtherMutantsTest} has the others.
 */
@Tag("other-jdk")
class RedisMutantsTest extends MutantsTest {

  @Override
  protected Part part() {
    return Part.FIRST_OF_EACH_RULE;
  }
}
