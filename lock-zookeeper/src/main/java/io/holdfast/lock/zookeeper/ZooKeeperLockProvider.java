/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.zookeeper;

import io.holdfast.lock.Capabilities;
import io.holdfast.lock.spi.ClientLibrary;
import io.holdfast.lock.spi.LockBackend;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.spi.Settings;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The provider {@code zookeeper}. Its settings:
 *
 * <ul>
 *   <li>{@code connect} (required): {@code host:port,host:port/chroot}; the chroot must exist
 *   <li>{@code namespace}: where locks live below {@code root}; {@code lock} if not set
 *   <li>{@code root}: the node above all namespaces; {@code /holdfast} if not set
 *   <li>{@code session-timeout}: how long a dead holder keeps its locks; {@code 10s} if not set.
 *       The server has bounds of its own, and what it grants counts
 *   <li>{@code connect-timeout}: for opening; {@code 10s} if not set
 *   <li>{@code command-timeout}: for every request; if not set, a third of the session time-out
 *       that was granted, at most {@code 5s}
 *   <li>{@code auth}: {@code user:password} of the digest scheme; a secret
 *   <li>{@code acl}: {@code open} (anybody may touch the nodes) or {@code creator} (only who has
 *       our {@code auth}); {@code open} if not set
 *   <li>{@code tls}: {@code true} for TLS; {@code false} if not set
 *   <li>{@code tls-truststore}, {@code tls-truststore-password}, {@code tls-keystore}, {@code
 *       tls-keystore-password}: files ending in .jks, .p12 or .pem; the passwords are secrets
 *   <li>{@code tls-hostname-verification}: {@code false} to accept a certificate of another host;
 *       {@code true} if not set
 * </ul>
 */
public final class ZooKeeperLockProvider implements LockProvider {

  static final Capabilities CAPABILITIES =
      new Capabilities(
          Capabilities.Fencing.WHILE_DATA_LASTS,
          Capabilities.Lifetime.SESSION,
          Capabilities.Ordering.FIRST_COME_FIRST_SERVED,
          Capabilities.WakeUp.MESSAGE,
          Capabilities.ExpiryClock.SERVER_MONOTONIC,
          Capabilities.Scope.LEASE,
          Capabilities.Survival.MINORITY,
          Capabilities.Inspection.OWNER_AND_TOKEN,
          Capabilities.Retention.CLIENT,
          Capabilities.Sharing.FIXED_PERMITS);

  static final String NAME = "zookeeper";

  private static final String SCHEME = "zookeeper://";

  /** For {@link java.util.ServiceLoader}. */
  public ZooKeeperLockProvider() {}

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Capabilities capabilities() {
    return CAPABILITIES;
  }

  @Override
  public List<ClientLibrary> libraries() {
    return List.of(
        new ClientLibrary(
            "org.apache.curator:curator-framework",
            "org.apache.curator.framework.CuratorFramework",
            "5.2.0"),
        new ClientLibrary(
            "org.apache.zookeeper:zookeeper", "org.apache.zookeeper.ZooKeeper", "3.6.4"));
  }

  @Override
  public Optional<Map<String, String>> settingsOf(String url) {
    return url.startsWith(SCHEME)
        ? Optional.of(Map.of("connect", url.substring(SCHEME.length())))
        : Optional.empty();
  }

  @Override
  public LockBackend<?> open(Settings settings) {
    return OwnClient.open(ZooKeeperConfig.of(settings));
  }
}
