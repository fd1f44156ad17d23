/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck;

import java.util.Map;
import java.util.Optional;

/** The reference backend, also opened by settings: each time a server of its own. */
final class ConfiguredMemoryFixture extends MemoryFixture {

  @Override
  public Optional<Map<String, String>> settings() {
    return Optional.of(Map.of("provider", "memory"));
  }
}
