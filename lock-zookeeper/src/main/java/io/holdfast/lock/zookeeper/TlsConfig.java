/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.zookeeper;

import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.spi.Settings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.apache.zookeeper.client.ZKClientConfig;
import org.apache.zookeeper.common.ClientX509Util;

/**
 * TLS to the servers. The kind of a store is told by its file's ending: {@code .jks}, {@code .p12},
 * {@code .pem} or {@code .bcfks}.
 *
 * @param truststore whom to trust; the JVM's own if empty
 * @param keystore who we are, for servers that ask
 * @param hostnameVerification whether the server's certificate must name its host
 */
record TlsConfig(
    Optional<Store> truststore, Optional<Store> keystore, boolean hostnameVerification) {

  /**
   * A store of keys or certificates.
   *
   * @param file where it is
   * @param password its password, a secret; empty if it has none
   */
  record Store(String file, String password) {

    /** Shows no secret. */
    @Override
    public String toString() {
      return "Store[" + file + "]";
    }
  }

  static Optional<TlsConfig> of(Settings settings) {
    boolean wanted = settings.flag("tls", false);
    TlsConfig config =
        new TlsConfig(
            store(settings, "truststore"),
            store(settings, "keystore"),
            settings.flag("tls-hostname-verification", true));
    if (!wanted && (config.truststore().isPresent() || config.keystore().isPresent())) {
      throw new LockConfigurationException(
          "Provider 'zookeeper' has a truststore or a keystore, but no TLS; set tls=true");
    }
    return wanted ? Optional.of(config) : Optional.empty();
  }

  private static Optional<Store> store(Settings settings, String key) {
    Optional<String> file = settings.text(key);
    String password = settings.text(key + "-password").orElse("");
    return file.map(
        name -> {
          if (!Files.isReadable(Path.of(name))) {
            throw settings.bad(key, name, "a file that can be read");
          }
          return new Store(name, password);
        });
  }

  /** ZooKeeper's TLS works over Netty only. */
  void apply(ZKClientConfig config) {
    config.setProperty(ZKClientConfig.SECURE_CLIENT, "true");
    config.setProperty(
        ZKClientConfig.ZOOKEEPER_CLIENT_CNXN_SOCKET, "org.apache.zookeeper.ClientCnxnSocketNetty");
    try (ClientX509Util names = new ClientX509Util()) {
      truststore.ifPresent(
          store -> {
            config.setProperty(names.getSslTruststoreLocationProperty(), store.file());
            config.setProperty(names.getSslTruststorePasswdProperty(), store.password());
          });
      keystore.ifPresent(
          store -> {
            config.setProperty(names.getSslKeystoreLocationProperty(), store.file());
            config.setProperty(names.getSslKeystorePasswdProperty(), store.password());
          });
      config.setProperty(
          names.getSslHostnameVerificationEnabledProperty(),
          Boolean.toString(hostnameVerification));
    }
  }
}
