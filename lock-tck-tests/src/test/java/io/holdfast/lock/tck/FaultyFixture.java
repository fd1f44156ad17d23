/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.Locks;
import io.holdfast.lock.memory.MemoryServer;
import io.holdfast.lock.spi.LockBackend;
import java.util.function.BiFunction;

/** The reference backend with one fault put in front of it. */
final class FaultyFixture extends MemoryFixture {

  private final String name;
  private final BiFunction<LockBackend<?>, MemoryServer, LockBackend<?>> lie;

  FaultyFixture(String name, BiFunction<LockBackend<?>, MemoryServer, LockBackend<?>> lie) {
    this.name = name;
    this.lie = lie;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public LockClient open(ClientOptions options) {
    return Locks.using(lie.apply(server.backend(), server), options);
  }
}
