/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.etcd;

import io.holdfast.lock.Capabilities;
import io.holdfast.lock.spi.ClientLibrary;
import io.holdfast.lock.spi.LockBackend;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.spi.Settings;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The provider {@code etcd}. Its settings:
 *
 * <ul>
 *   <li>{@code endpoints} (required): {@code http://host:port}, or {@code https://} for TLS; more
 *       members of the same cluster behind commas, of which one is asked at a time
 *   <li>{@code namespace}: where locks live below {@code root}; {@code lock} if not set
 *   <li>{@code root}: what all keys begin with; {@code /holdfast} if not set
 *   <li>{@code username} and {@code password}: of an etcd user with the permission readwrite on the
 *       keys that begin with {@code <root>/<namespace>/}; the password is a secret
 *   <li>{@code connect-timeout}: for opening; {@code 10s} if not set. Each endpoint has an equal
 *       part of what is left of it
 *   <li>{@code command-timeout}: for every operation; {@code 2s} if not set
 *   <li>{@code tls-truststore}, {@code tls-truststore-password}, {@code tls-keystore}, {@code
 *       tls-keystore-password}: PEM files, by the ending .pem, .crt or .key, or Java key stores;
 *       the passwords are secrets. With TLS, certificate and host name are checked
 * </ul>
 */
public final class EtcdLockProvider implements LockProvider {

  static final Capabilities CAPABILITIES =
      new Capabilities(
          Capabilities.Fencing.WHILE_DATA_LASTS,
          Capabilities.Lifetime.TTL,
          Capabilities.Ordering.FIRST_COME_FIRST_SERVED,
          Capabilities.WakeUp.MESSAGE,
          Capabilities.ExpiryClock.SERVER_MONOTONIC,
          Capabilities.Scope.LEASE,
          Capabilities.Survival.MINORITY,
          Capabilities.Inspection.OWNER_AND_TOKEN,
          Capabilities.Retention.SERVER,
          Capabilities.Sharing.PERMITS);

  static final String NAME = "etcd";

  private static final Pattern URL = Pattern.compile("etcd(s?)://(.*)");

  /** For {@link java.util.ServiceLoader}. */
  public EtcdLockProvider() {}

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
        new ClientLibrary("io.etcd:jetcd-grpc", "io.etcd.jetcd.api.PutRequest", "0.7.7"),
        new ClientLibrary("io.grpc:grpc-api", "io.grpc.Channel", "1.63.2"),
        new ClientLibrary(
            "com.google.protobuf:protobuf-java", "com.google.protobuf.Message", "3.24.0"));
  }

  @Override
  public Optional<Map<String, String>> settingsOf(String url) {
    Matcher matcher = URL.matcher(url);
    return matcher.matches()
        ? Optional.of(Map.of("endpoints", endpoints("http" + matcher.group(1), matcher.group(2))))
        : Optional.empty();
  }

  @Override
  public LockBackend<?> open(Settings settings) {
    return EtcdOpening.open(EtcdConfig.of(settings));
  }

  private static String endpoints(String scheme, String hosts) {
    return Pattern.compile(",")
        .splitAsStream(hosts)
        .map(host -> scheme + "://" + host.trim())
        .collect(Collectors.joining(","));
  }
}
