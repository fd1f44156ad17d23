/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.etcd;

import io.holdfast.lock.spi.LockBackend;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.spi.Settings;

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
 *   <li>{@code connect-timeout}: for opening; {@code 5s} if not set
 *   <li>{@code command-timeout}: for every operation; {@code 2s} if not set
 *   <li>{@code tls-truststore}, {@code tls-truststore-password}, {@code tls-keystore}, {@code
 *       tls-keystore-password}: PEM files, by the ending .pem, .crt or .key, or Java key stores;
 *       the passwords are secrets. With TLS, certificate and host name are checked
 * </ul>
 */
public final class EtcdLockProvider implements LockProvider {

  static final String NAME = "etcd";

  /** For {@link java.util.ServiceLoader}. */
  public EtcdLockProvider() {}

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public LockBackend open(Settings settings) {
    return EtcdOpening.open(EtcdConfig.of(settings));
  }
}
