/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.spring.integration;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.memory.MemoryServer;

class MemoryRegistryTest extends RegistryContract {

  private final MemoryServer server = new MemoryServer();

  @Override
  LockClient open() {
    return server.open();
  }
}
