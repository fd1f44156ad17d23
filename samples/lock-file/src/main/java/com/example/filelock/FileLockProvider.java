/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package com.example.filelock;

import io.holdfast.lock.LockRejectedException;
import io.holdfast.lock.Capabilities;
import io.holdfast.lock.spi.LockBackend;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.spi.Settings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * Locks in a directory, for the processes of one host. Settings: {@code directory}, {@code
 * namespace} (a directory in it), {@code command-timeout}.
 */
public final class FileLockProvider implements LockProvider {

  static final Capabilities PROMISES =
      new Capabilities(
          Capabilities.Fencing.WHILE_DATA_LASTS,
          Capabilities.Lifetime.TTL,
          Capabilities.Ordering.UNORDERED,
          Capabilities.WakeUp.POLLING,
          Capabilities.ExpiryClock.SERVER_WALL_CLOCK,
          Capabilities.Scope.LEASE,
          Capabilities.Survival.NOTHING,
          Capabilities.Inspection.NONE,
          Capabilities.Retention.CLIENT,
          Capabilities.Sharing.NONE);

  @Override
  public String name() {
    return "file";
  }

  @Override
  public Capabilities capabilities() {
    return PROMISES;
  }

  @Override
  public Optional<Map<String, String>> settingsOf(String url) {
    return url.startsWith("file:/")
        ? Optional.of(Map.of("directory", url.substring("file:".length())))
        : Optional.empty();
  }

  @Override
  public LockBackend<?> open(Settings settings) {
    String text = settings.required("directory", "/var/lib/shop");
    Path directory = settings.parsed("directory", "the path of a directory", Path::of).get();
    Path locks = directory.resolve(settings.namespace());
    Duration timeout = settings.duration("command-timeout", Duration.ofSeconds(1));
    settings.finish();
    try {
      return new FileLockBackend(Files.createDirectories(locks), timeout);
    } catch (IOException e) {
      throw new LockRejectedException(
          "No locks can be kept in '%s': make it a directory that may be written to"
              .formatted(text),
          e);
    }
  }
}
