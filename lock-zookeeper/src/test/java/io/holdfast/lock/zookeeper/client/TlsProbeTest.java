/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.zookeeper.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.servers.Certificates;
import io.holdfast.lock.spi.StoreFile;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A look at the TLS of a server that says nothing, before it or after. */
class TlsProbeTest {

  private static final int PATIENCE_SECONDS = 20;
  private static final String PASSWORD = "not-a-secret";

  @TempDir private Path directory;

  private final TlsProbe probe =
      TlsProbe.of(
          new ZooKeeperTls(Optional.empty(), Optional.empty(), true), Duration.ofMillis(200));

  /** As one that stands still. It is looked at again at each try to connect. */
  @Test
  void itEndsInTimeAndLeavesNoConnection() throws Exception {
    try (ServerSocket silent = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
      silent.setSoTimeout(PATIENCE_SECONDS * 1_000);
      InetSocketAddress address =
          new InetSocketAddress(InetAddress.getLoopbackAddress(), silent.getLocalPort());
      CompletableFuture<Optional<?>> told =
          CompletableFuture.supplyAsync(() -> probe.failure("Opening", address));
      try (Socket accepted = silent.accept()) {
        accepted.setSoTimeout(PATIENCE_SECONDS * 1_000);
        assertEquals(Optional.empty(), told.get(PATIENCE_SECONDS, TimeUnit.SECONDS));
        assertTrue(accepted.getInputStream().readAllBytes().length > 0, "what TLS begins with");
      }
    }
  }

  /** With TLS as it should be, a server says nothing until it is asked. */
  @Test
  void aServerThatWaitsToBeAskedIsNotWaitedFor() throws Exception {
    Certificates certificates = new Certificates(directory);
    Path trusted = certificates.authority("server");
    try (ServerSocket waiting = listen(certificates.store("server", PASSWORD))) {
      TlsProbe trusting =
          TlsProbe.of(
              new ZooKeeperTls(
                  Optional.of(new StoreFile(trusted, "")),
                  Optional.empty(),
                  /* hostnameVerification= */ false),
              Duration.ofSeconds(10 * PATIENCE_SECONDS));
      InetSocketAddress address =
          new InetSocketAddress(InetAddress.getLoopbackAddress(), waiting.getLocalPort());
      CompletableFuture<Optional<?>> told =
          CompletableFuture.supplyAsync(() -> trusting.failure("Opening", address));
      try (SSLSocket accepted = (SSLSocket) waiting.accept()) {
        accepted.setSoTimeout(PATIENCE_SECONDS * 1_000);
        accepted.startHandshake();
        assertEquals(Optional.empty(), told.get(PATIENCE_SECONDS, TimeUnit.SECONDS));
      }
    }
  }

  private static ServerSocket listen(Path keys) throws Exception {
    KeyManagerFactory keyManagers =
        KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keyManagers.init(
        KeyStore.getInstance(keys.toFile(), PASSWORD.toCharArray()), PASSWORD.toCharArray());
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(keyManagers.getKeyManagers(), null, null);
    ServerSocket server =
        context.getServerSocketFactory().createServerSocket(0, 5, InetAddress.getLoopbackAddress());
    server.setSoTimeout(PATIENCE_SECONDS * 1_000);
    return server;
  }
}
