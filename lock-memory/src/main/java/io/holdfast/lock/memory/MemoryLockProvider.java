/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.memory;

import io.holdfast.lock.Capabilities;
import io.holdfast.lock.spi.LockBackend;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.spi.Settings;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * The provider {@code memory}, which opens a {@link MemoryServer} of its own for each client.
 * Clients that are to share a server are opened from a {@link MemoryServer}. Its settings:
 *
 * <ul>
 *   <li>{@code namespace}: without effect; {@code lock} if not set
 *   <li>{@code command-timeout}: for every request; {@code 1s} if not set
 * </ul>
 */
public final class MemoryLockProvider implements LockProvider {

  static final Capabilities CAPABILITIES =
      new Capabilities(
          Capabilities.Fencing.WHILE_DATA_LASTS,
          Capabilities.Lifetime.TTL,
          Capabilities.Ordering.UNORDERED,
          Capabilities.WakeUp.MESSAGE,
          Capabilities.ExpiryClock.SERVER_MONOTONIC,
          Capabilities.Scope.LEASE,
          Capabilities.Survival.NOTHING,
          Capabilities.Inspection.OWNER_AND_TOKEN,
          Capabilities.Retention.SERVER,
          Capabilities.Sharing.PERMITS);

  /** For {@link java.util.ServiceLoader}. */
  public MemoryLockProvider() {}

  @Override
  public String name() {
    return "memory";
  }

  @Override
  public Capabilities capabilities() {
    return CAPABILITIES;
  }

  @Override
  public Optional<Map<String, String>> settingsOf(String url) {
    return url.equals("memory:") ? Optional.of(Map.of()) : Optional.empty();
  }

  @Override
  public LockBackend<?> open(Settings settings) {
    settings.namespace();
    Duration timeout = settings.duration("command-timeout", MemoryServer.OPERATION_TIMEOUT);
    settings.finish();
    return new MemoryServer(timeout).onlyBackend();
  }
}
