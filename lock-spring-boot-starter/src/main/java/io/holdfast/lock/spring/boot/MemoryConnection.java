/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.spring.boot;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.memory.MemoryServer;
import java.util.Map;

/** Over a {@link MemoryServer}, in tests. */
final class MemoryConnection implements ReadyConnection {

  @Override
  public LockClient open(
      Object bean, String provider, Map<String, String> settings, ClientOptions options) {
    return ((MemoryServer) bean).open(options);
  }
}
