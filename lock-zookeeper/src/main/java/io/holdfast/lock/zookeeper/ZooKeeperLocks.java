/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.zookeeper;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.Locks;
import io.holdfast.lock.spi.ClientLibrary;
import io.holdfast.lock.spi.Settings;
import io.holdfast.lock.zookeeper.queue.LockPaths;
import io.holdfast.lock.zookeeper.session.CurrentSession;
import io.holdfast.lock.zookeeper.session.SessionRequests;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.imps.CuratorFrameworkState;

/**
 * Locks through a Curator client that is there already. It is never closed or configured from here;
 * its connection, session, identity and namespace are used as they are.
 */
public final class ZooKeeperLocks {

  private ZooKeeperLocks() {}

  /**
   * A lock client with default settings.
   *
   * @param client a started client, which need not be connected yet
   * @return an open client, to be closed by the caller before the Curator client is
   * @throws IllegalArgumentException if the Curator client is not started
   */
  public static LockClient using(CuratorFramework client) {
    return using(client, Map.of(), ClientOptions.defaults());
  }

  /**
   * A lock client.
   *
   * @param client a started client, which need not be connected yet
   * @param settings any of {@code namespace}, {@code root}, {@code acl} and {@code
   *     command-timeout}, as {@link ZooKeeperLockProvider} has them. The client's own namespace
   *     comes before the root
   * @param options what the lock client takes from its surroundings
   * @return an open client, to be closed by the caller before the Curator client is
   * @throws IllegalArgumentException if the Curator client is not started
   * @throws io.holdfast.lock.LockConfigurationException if a setting is unknown or malformed, or a
   *     library is too old
   */
  public static LockClient using(
      CuratorFramework client, Map<String, String> settings, ClientOptions options) {
    Objects.requireNonNull(client, "client");
    Objects.requireNonNull(options, "options");
    if (client.getState() != CuratorFrameworkState.STARTED) {
      throw new IllegalArgumentException(
          "client must be a started Curator client, but is " + client.getState());
    }
    return Locks.using(
        ClientLibrary.opening(new ZooKeeperLockProvider(), () -> backend(client, settings)),
        options);
  }

  private static ZooKeeperBackend backend(CuratorFramework client, Map<String, String> settings) {
    Settings read = new Settings(ZooKeeperLockProvider.NAME, settings);
    ZooKeeperConfig.Locks locks = ZooKeeperConfig.Locks.of(read);
    read.finish();
    LockPaths paths = locks.paths().below(client.getNamespace());
    Duration timeout =
        locks.commandTimeout().orElseGet(() -> OwnClient.commandTimeout(sessionTimeout(client)));
    return new ZooKeeperBackend(
        new SessionRequests(new CurrentSession(client), paths, locks.acl(), timeout), () -> {});
  }

  private static Duration sessionTimeout(CuratorFramework client) {
    int negotiated = client.getZookeeperClient().getLastNegotiatedSessionTimeoutMs();
    return negotiated > 0 ? Duration.ofMillis(negotiated) : Duration.ofSeconds(6);
  }
}
