/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck;

class MemoryConformanceTest extends LockConformanceTest {

  @Override
  protected Fixture open() {
    return new MemoryFixture();
  }
}
