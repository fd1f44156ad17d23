/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.servers;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import org.junit.jupiter.api.Test;

class DeadAddressTest {

  @Test
  void refusesConnectionsAndIsNobodyElses() throws IOException {
    DeadAddress dead = DeadAddress.take();
    InetSocketAddress address =
        new InetSocketAddress(InetAddress.getLoopbackAddress(), dead.port());
    try (dead;
        Socket client = new Socket();
        ServerSocket server = new ServerSocket()) {
      server.setReuseAddress(true);
      assertThrows(ConnectException.class, () -> client.connect(address));
      assertThrows(BindException.class, () -> server.bind(address));
    }
    try (ServerSocket server = new ServerSocket()) {
      assertDoesNotThrow(() -> server.bind(address));
    }
  }
}
