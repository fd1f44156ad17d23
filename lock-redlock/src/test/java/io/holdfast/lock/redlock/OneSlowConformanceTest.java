/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redlock;

import io.holdfast.lock.tck.Fixture;
import io.holdfast.lock.tck.LockConformanceTest;
import org.junit.jupiter.api.Tag;

/** All rules again while one of five nodes is 50 ms slow. */
@Tag("other-jdk")
class OneSlowConformanceTest extends LockConformanceTest {

  @Override
  protected Fixture open() {
    return RedlockFixture.withOneSlow();
  }
}
