/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package com.example.h2lock;

import io.holdfast.lock.Capabilities;
import io.holdfast.lock.spi.LockBackend;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.spi.Settings;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Locks in a table of an H2 server. Settings: {@code url}, {@code username} (of an administrator,
 * who may end sessions), {@code password}, {@code namespace}, {@code command-timeout}.
 */
public final class H2LockProvider implements LockProvider {

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
    return "h2";
  }

  @Override
  public Capabilities capabilities() {
    return PROMISES;
  }

  @Override
  public Optional<Map<String, String>> settingsOf(String url) {
    return url.startsWith("jdbc:h2:tcp:") ? Optional.of(Map.of("url", url)) : Optional.empty();
  }

  @Override
  public LockBackend<?> open(Settings settings) {
    String url = settings.required("url", "jdbc:h2:tcp://localhost/./locks");
    String user = settings.text("username").orElse("sa");
    String password = settings.text("password").orElse("");
    Duration timeout = settings.duration("command-timeout", Duration.ofSeconds(2));
    String namespace = settings.namespace();
    settings.finish();
    if (url.contains(";")) {
      throw settings.invalid("url", url, "an address without options, which may hold a password");
    }
    List<String> statements = List.of(H2Claim.ACQUIRE, H2Claim.RELEASE, H2LockBackend.RENEW);
    H2Connection connection = new H2Connection(url, user, password, timeout, statements);
    return H2LockBackend.open(connection, namespace, timeout);
  }
}
