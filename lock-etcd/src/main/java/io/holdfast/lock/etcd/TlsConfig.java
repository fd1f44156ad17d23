/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.etcd;

import io.grpc.TlsChannelCredentials;
import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.spi.Settings;
import java.io.File;
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
record TlsConfig(Optional<Store> truststore, Optional<Store> keystore) {

  /**
   * A store of keys or certificates.
   *
   * @param file where it is
   * @param password a secret; empty if it has none
   */
  record Store(File file, String password) {

    boolean isPem() {
      return file.getName().matches(".*\\.(pem|crt|key)");
    }

    KeyStore open() throws GeneralSecurityException, IOException {
      return KeyStore.getInstance(file, password.toCharArray());
    }

    /** Shows no secret. */
    @Override
    public String toString() {
      return "Store[" + file + "]";
    }
  }

  static Optional<TlsConfig> of(Settings settings, boolean wanted) {
    TlsConfig config =
        new TlsConfig(store(settings, "tls-truststore"), store(settings, "tls-keystore"));
    if (!wanted && (config.truststore().isPresent() || config.keystore().isPresent())) {
      throw new LockConfigurationException(
          "Settings 'tls-truststore' and 'tls-keystore' of provider 'etcd' need endpoints that begin"
              + " with https://");
    }
    return wanted ? Optional.of(config) : Optional.empty();
  }

  private static Optional<Store> store(Settings settings, String key) {
    String password = settings.text(key + "-password").orElse("");
    return settings
        .text(key)
        .map(
            name -> {
              if (!new File(name).canRead()) {
                throw settings.bad(key, name, "a file that can be read");
              }
              return new Store(new File(name), password);
            });
  }

  TlsChannelCredentials.Builder credentials() {
    TlsChannelCredentials.Builder tls = TlsChannelCredentials.newBuilder();
    truststore.ifPresent(store -> use("tls-truststore", store, () -> trust(tls, store)));
    keystore.ifPresent(store -> use("tls-keystore", store, () -> identify(tls, store)));
    return tls;
  }

  private static void trust(TlsChannelCredentials.Builder tls, Store store)
      throws GeneralSecurityException, IOException {
    if (store.isPem()) {
      tls.trustManager(store.file());
    } else {
      TrustManagerFactory factory =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      factory.init(store.open());
      tls.trustManager(factory.getTrustManagers());
    }
  }

  private static void identify(TlsChannelCredentials.Builder tls, Store store)
      throws GeneralSecurityException, IOException {
    if (store.isPem()) {
      tls.keyManager(
          store.file(), store.file(), store.password().isEmpty() ? null : store.password());
    } else {
      KeyManagerFactory factory =
          KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      factory.init(store.open(), store.password().toCharArray());
      tls.keyManager(factory.getKeyManagers());
    }
  }

  private interface Reading {
    void run() throws GeneralSecurityException, IOException;
  }

  private static void use(String key, Store store, Reading reading) {
    try {
      reading.run();
    } catch (GeneralSecurityException | IOException | IllegalArgumentException e) {
      throw new LockConfigurationException(
          "Setting '"
              + key
              + "' of provider 'etcd' is '"
              + store.file()
              + "', which is no readable store; is its password right?",
          e);
    }
  }
}
