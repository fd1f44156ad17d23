/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redlock;

import io.holdfast.lock.tck.Fixture;
import io.holdfast.lock.tck.nemesis.NemesisTest;

class RedlockNemesisTest extends NemesisTest {

  @Override
  protected Fixture open() {
    return RedlockFixture.of(5);
  }
}
