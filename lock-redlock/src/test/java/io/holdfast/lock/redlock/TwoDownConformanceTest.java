/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redlock;

import io.holdfast.lock.tck.Fixture;
import io.holdfast.lock.tck.LockConformanceTest;
import org.junit.jupiter.api.Tag;

/** All rules again while two of five nodes are down. */
@Tag("other-jdk")
class TwoDownConformanceTest extends LockConformanceTest {

  @Override
  protected Fixture open() {
    return RedlockFixture.withTwoDown();
  }
}
