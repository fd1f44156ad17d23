/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.Capabilities;
import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.memory.MemoryServer;
import io.holdfast.lock.spi.ClientLibrary;
import io.holdfast.lock.spi.LockBackend;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.spi.Settings;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A provider that needs a newer version of a library than there is. */
class OldLibraryTest {

  @Test
  void itsProviderIsRefusedWithTheVersionsFoundAndNeeded() {
    LockProvider provider = new FromTheFuture();
    LockConfigurationException refused =
        assertThrows(
            LockConfigurationException.class,
            () ->
                ClientLibrary.opening(
                    provider, () -> provider.open(new Settings(provider.name(), Map.of()))));
    String message = String.valueOf(refused.getMessage());
    assertTrue(message.contains("org.slf4j:slf4j-api: found "), message);
    assertTrue(message.contains("needed 99.1 or newer"), message);
  }

  private static final class FromTheFuture implements LockProvider {

    @Override
    public String name() {
      return "from-the-future";
    }

    @Override
    public Capabilities capabilities() {
      return new MemoryServer().backend().capabilities();
    }

    @Override
    public List<ClientLibrary> libraries() {
      return List.of(new ClientLibrary("org.slf4j:slf4j-api", "org.slf4j.LoggerFactory", "99.1"));
    }

    @Override
    public Optional<Map<String, String>> settingsOf(String url) {
      return Optional.empty();
    }

    @Override
    public LockBackend<?> open(Settings settings) {
      return new MemoryServer().backend();
    }
  }
}
