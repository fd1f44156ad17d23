/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.servers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import org.junit.jupiter.api.Test;

/** Tests how a breakable link ends connections, and lets none in. */
class TcpProxyCutsTest extends ProxiedEcho {

  @Test
  void cutsLivingConnectionsAndLetsNewOnesIn() throws IOException {
    try (Socket client = connect()) {
      ask(client, 'a');
      proxy.cut();
      assertThrows(SocketException.class, () -> client.getInputStream().read());
    }
    try (Socket client = connect()) {
      assertEquals('b', ask(client, 'b'));
    }
    Until.holds("the server sees the cut", () -> server.ended.get() == 2);
  }

  @Test
  void cutsStalledConnections() throws IOException {
    try (Socket client = connect()) {
      ask(client, 'a');
      proxy.stall(Direction.TO_SERVER);
      client.getOutputStream().write('b');
      proxy.cut();
      assertThrows(SocketException.class, () -> client.getInputStream().read());
    }
    Until.holds("the connection is forgotten", () -> proxy.connections() == 0);
    proxy.heal();
    assertEquals(1, server.received.get());
  }

  @Test
  void keepsItsPortWhileItRefuses() throws IOException {
    proxy.refuse();
    try (ServerSocket other = new ServerSocket()) {
      assertThrows(
          BindException.class,
          () -> other.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), proxy.port())));
    }
    proxy.heal();
    try (Socket client = connect()) {
      assertEquals('a', ask(client, 'a'));
    }
  }

  @Test
  void refusesUntilHealed() throws IOException {
    try (Socket client = connect()) {
      ask(client, 'a');
      proxy.refuse();
      assertThrows(SocketException.class, () -> client.getInputStream().read());
    }
    assertThrows(ConnectException.class, () -> connect().close());
    proxy.heal();
    try (Socket client = connect()) {
      assertEquals('b', ask(client, 'b'));
    }
  }

  @Test
  void losesOneReplyAfterTheRequestWasCarriedOut() throws IOException {
    try (Socket idle = connect();
        Socket client = connect()) {
      ask(idle, 'i');
      ask(client, 'a');
      proxy.loseNextReply();
      client.getOutputStream().write('b');
      assertThrows(SocketException.class, () -> client.getInputStream().read());
      assertEquals(3, server.received.get());
      assertEquals('j', ask(idle, 'j'));
    }
  }

  @Test
  void closesTwiceAndRefusesAfterwards() {
    proxy.close();
    proxy.close();
    proxy.heal();
    assertThrows(ConnectException.class, () -> connect().close());
  }

  @Test
  void resetsWhomItCannotConnect() throws IOException {
    server.close();
    try (Socket client = connect()) {
      assertThrows(SocketException.class, () -> client.getInputStream().read());
    }
  }
}
