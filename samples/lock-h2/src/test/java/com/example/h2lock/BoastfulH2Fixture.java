/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package com.example.h2lock;

import io.holdfast.lock.Capabilities;

/** Holds a backend to whatever it states itself; for mutants that state too much. */
final class BoastfulH2Fixture extends H2LockFixture {

  @Override
  public Capabilities promises() {
    return H2LockProvider.PROMISES;
  }
}
