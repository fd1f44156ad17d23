/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.etcd.client;

import io.grpc.TlsChannelCredentials;
import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.spi.Settings;
import io.holdfast.lock.spi.StoreFile;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Optional;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.TrustManagerFactory;

/**
 * TLS to the members. Stores are PEM files if their names end in {@code .pem}, {@code .crt} or
 * {@code .key}, and Java key stores otherwise. The certificate and the host's name are checked.
 *
 * @param truststore whom to trust; the JVM's own if empty
 * @param keystore who we are, for servers that ask; a PEM file has the certificates and the key
 */
public record EtcdTls(Optional<StoreFile> truststore, Optional<StoreFile> keystore) {

  public static Optional<EtcdTls> of(Settings settings, boolean wanted) {
    EtcdTls config =
        new EtcdTls(settings.storeFile("tls-truststore"), settings.storeFile("tls-keystore"));
    if (!wanted && (config.truststore().isPresent() || config.keystore().isPresent())) {
      throw new LockConfigurationException(
          "Settings 'tls-truststore' and 'tls-keystore' of provider 'etcd' need endpoints that begin"
              + " with https://");
    }
    return wanted ? Optional.of(config) : Optional.empty();
  }

  public TlsChannelCredentials.Builder credentials() {
    TlsChannelCredentials.Builder tls = TlsChannelCredentials.newBuilder();
    truststore.ifPresent(store -> use("tls-truststore", store, () -> trust(tls, store)));
    keystore.ifPresent(store -> use("tls-keystore", store, () -> identify(tls, store)));
    return tls;
  }

  private static void trust(TlsChannelCredentials.Builder tls, StoreFile store)
      throws GeneralSecurityException, IOException {
    if (isPem(store)) {
      tls.trustManager(store.file().toFile());
    } else {
      TrustManagerFactory factory =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      factory.init(open(store));
      tls.trustManager(factory.getTrustManagers());
    }
  }

  private static void identify(TlsChannelCredentials.Builder tls, StoreFile store)
      throws GeneralSecurityException, IOException {
    if (isPem(store)) {
      tls.keyManager(
          store.file().toFile(),
          store.file().toFile(),
          store.password().isEmpty() ? null : store.password());
    } else {
      KeyManagerFactory factory =
          KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      factory.init(open(store), store.password().toCharArray());
      tls.keyManager(factory.getKeyManagers());
    }
  }

  private static boolean isPem(StoreFile store) {
    return store.file().toString().matches(".*\\.(pem|crt|key)");
  }

  private static KeyStore open(StoreFile store) throws GeneralSecurityException, IOException {
    return KeyStore.getInstance(store.file().toFile(), store.password().toCharArray());
  }

  private interface Reading {
    void run() throws GeneralSecurityException, IOException;
  }

  private static void use(String key, StoreFile store, Reading reading) {
    try {
      reading.run();
    } catch (GeneralSecurityException | IOException | IllegalArgumentException e) {
      throw new LockConfigurationException(
          "Setting '"
              + key
              + "' of provider 'etcd' is '"
              + store.file()
              + "', which is not a readable key store; check its password",
          e);
    }
  }
}
