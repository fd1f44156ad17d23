/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck;

import io.holdfast.lock.tck.nemesis.NemesisTest;

class MemoryNemesisTest extends NemesisTest {

  @Override
  protected Fixture open() {
    return new MemoryFixture();
  }
}
