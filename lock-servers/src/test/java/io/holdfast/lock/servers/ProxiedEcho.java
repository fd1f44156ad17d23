/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.servers;

import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A server behind a breakable link, and clients that ask it. */
abstract class ProxiedEcho {

  private static final int QUIET_MILLIS = 150;
  private static final int PATIENCE_MILLIS = 10_000;

  EchoServer server;
  TcpProxy proxy;

  @BeforeEach
  void open() throws IOException {
    server = new EchoServer();
    proxy = TcpProxy.to("127.0.0.1", server.port());
  }

  @AfterEach
  void close() throws IOException {
    proxy.close();
    server.close();
  }

  Socket connect() throws IOException {
    Socket socket = new Socket(proxy.host(), proxy.port());
    socket.setSoTimeout(PATIENCE_MILLIS);
    return socket;
  }

  static int ask(Socket client, int b) throws IOException {
    client.getOutputStream().write(b);
    return client.getInputStream().read();
  }

  static void assertSilent(Socket client, int b) throws IOException {
    client.getOutputStream().write(b);
    client.setSoTimeout(QUIET_MILLIS);
    assertThrows(SocketTimeoutException.class, () -> client.getInputStream().read());
    client.setSoTimeout(PATIENCE_MILLIS);
  }
}
