/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redis;

import io.holdfast.lock.tck.Fixture;
import io.holdfast.lock.tck.WriteLockTest;

class RedisWriteLockTest extends WriteLockTest {

  @Override
  protected Fixture open() {
    return new RedisWriteLockFixture();
  }
}
