/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.etcd;

import io.grpc.Channel;
import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.Locks;
import io.holdfast.lock.TimeSource;
import io.holdfast.lock.etcd.client.Credentials;
import io.holdfast.lock.etcd.client.EtcdConnection;
import io.holdfast.lock.etcd.client.Member;
import io.holdfast.lock.spi.ClientLibrary;
import io.holdfast.lock.spi.Settings;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Locks through a gRPC channel to etcd that is there already. It is never closed or configured from
 * here; its endpoints, TLS and interceptors are used as they are. (A jetcd {@code Client} hides its
 * channel, and can therefore not be shared.)
 */
public final class EtcdLocks {

  private EtcdLocks() {}

  /**
   * A lock client with default settings.
   *
   * @param channel leads to one member at a time, as gRPC's own {@code pick_first} does
   * @return an open client, to be closed by the caller before the channel is
   */
  public static LockClient using(Channel channel) {
    return using(channel, Map.of(), ClientOptions.defaults());
  }

  /**
   * A lock client.
   *
   * @param channel leads to one member at a time, as gRPC's own {@code pick_first} does
   * @param settings any of {@code namespace}, {@code root}, {@code username}, {@code password} and
   *     {@code command-timeout}, as {@link EtcdLockProvider} has them
   * @param options what the lock client takes from its surroundings
   * @return an open client, to be closed by the caller before the channel is
   * @throws io.holdfast.lock.LockConfigurationException if a setting is unknown or malformed, or a
   *     library is too old
   */
  public static LockClient using(
      Channel channel, Map<String, String> settings, ClientOptions options) {
    Objects.requireNonNull(channel, "channel");
    Objects.requireNonNull(options, "options");
    return Locks.using(
        ClientLibrary.opening(new EtcdLockProvider(), () -> backend(channel, settings)), options);
  }

  private static EtcdBackend backend(Channel channel, Map<String, String> settings) {
    Settings read = new Settings(EtcdLockProvider.NAME, settings);
    EtcdConfig.Locks locks = EtcdConfig.Locks.of(read);
    Optional<Credentials> credentials = EtcdConfig.credentials(read);
    read.finish();
    EtcdConnection link =
        new EtcdConnection(List.of(Member.borrowed(channel)), credentials, locks.commandTimeout());
    return new EtcdBackend(locks.keys(), link, TimeSource.host());
  }
}
