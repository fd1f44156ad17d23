/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.zookeeper.client;

import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.spi.Settings;
import io.holdfast.lock.spi.StoreFile;
import java.util.List;
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
public record ZooKeeperTls(
    Optional<StoreFile> truststore, Optional<StoreFile> keystore, boolean hostnameVerification) {

  public static Optional<ZooKeeperTls> of(Settings settings) {
    for (String store : List.of("truststore", "keystore")) {
      settings.renamed(store, "tls-" + store);
      settings.renamed(store + "-password", "tls-" + store + "-password");
    }
    boolean wanted = settings.flag("tls", false);
    ZooKeeperTls config =
        new ZooKeeperTls(
            settings.storeFile("tls-truststore"),
            settings.storeFile("tls-keystore"),
            settings.flag("tls-hostname-verification", true));
    if (!wanted && (config.truststore().isPresent() || config.keystore().isPresent())) {
      throw new LockConfigurationException(
          "Settings 'tls-truststore' and 'tls-keystore' of provider 'zookeeper' need tls=true");
    }
    return wanted ? Optional.of(config) : Optional.empty();
  }

  /** ZooKeeper's TLS works over Netty only. */
  public void apply(ZKClientConfig config) {
    config.setProperty(ZKClientConfig.SECURE_CLIENT, "true");
    config.setProperty(
        ZKClientConfig.ZOOKEEPER_CLIENT_CNXN_SOCKET, "org.apache.zookeeper.ClientCnxnSocketNetty");
    try (ClientX509Util names = new ClientX509Util()) {
      truststore.ifPresent(
          store -> {
            config.setProperty(names.getSslTruststoreLocationProperty(), store.file().toString());
            config.setProperty(names.getSslTruststorePasswdProperty(), store.password());
          });
      keystore.ifPresent(
          store -> {
            config.setProperty(names.getSslKeystoreLocationProperty(), store.file().toString());
            config.setProperty(names.getSslKeystorePasswdProperty(), store.password());
          });
      config.setProperty(
          names.getSslHostnameVerificationEnabledProperty(),
          Boolean.toString(hostnameVerification));
    }
  }
}
