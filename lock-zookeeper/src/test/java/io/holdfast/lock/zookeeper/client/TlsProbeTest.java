/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.zookeeper.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A look at the TLS of a server that says nothing. */
class TlsProbeTest {

  private static final int PATIENCE_SECONDS = 20;

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
}
