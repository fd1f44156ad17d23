/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package com.example.h2lock;

import io.holdfast.lock.tck.Fixture;
import io.holdfast.lock.tck.LockConformanceTest;

class H2LockConformanceTest extends LockConformanceTest {

  @Override
  protected Fixture open() throws Exception {
    return new H2LockFixture();
  }
}
