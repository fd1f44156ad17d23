/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck;

import io.holdfast.lock.Share;

class MemoryWriteLockTest extends WriteLockTest {

  @Override
  protected Fixture open() {
    return new MemoryFixture() {

      @Override
      public Share share() {
        return Share.WRITE;
      }
    };
  }
}
