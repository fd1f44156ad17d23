/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.servers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class TcpProxyTest {

  private static final int QUIET_MILLIS = 150;
  private static final int PATIENCE_MILLIS = 10_000;

  private EchoServer server;
  private TcpProxy proxy;

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

  @Test
  void passesBytesAndEnds() throws IOException {
    try (Socket client = connect()) {
      assertEquals('a', ask(client, 'a'));
      assertEquals(1, proxy.connections());
      client.shutdownOutput();
      assertEquals(-1, client.getInputStream().read());
    }
    Until.holds("the connection is forgotten", () -> proxy.connections() == 0);
  }

  @Test
  void passesManyBytesWithoutLoss() throws IOException {
    byte[] sent = new byte[300_000];
    for (int i = 0; i < sent.length; i++) {
      sent[i] = (byte) i;
    }
    try (Socket client = connect()) {
      Thread writer =
          new Thread(
              () -> {
                try {
                  client.getOutputStream().write(sent);
                  client.shutdownOutput();
                } catch (IOException e) {
                  throw new AssertionError(e);
                }
              });
      writer.start();
      org.junit.jupiter.api.Assertions.assertArrayEquals(
          sent, client.getInputStream().readAllBytes());
    }
  }

  @Test
  void delaysEachDirectionByItself() throws IOException {
    try (Socket client = connect()) {
      ask(client, 'a');
      proxy.delay(Direction.TO_SERVER, Duration.ofMillis(400));
      proxy.delay(Direction.TO_CLIENT, Duration.ofMillis(800));
      long begin = System.nanoTime();
      ask(client, 'b');
      Duration took = Duration.ofNanos(System.nanoTime() - begin);
      assertTrue(took.toMillis() >= 1_200, took.toString());

      proxy.heal();
      assertFast(client, 1, Duration.ofMillis(1_200));
    }
  }

  @Test
  void letsOnlySoManyBytesThrough() throws IOException {
    try (Socket client = connect()) {
      ask(client, 'a');
      proxy.throttle(Direction.TO_SERVER, 10);
      long begin = System.nanoTime();
      for (int next = 'b'; next < 'f'; next++) {
        assertEquals(next, ask(client, next));
      }
      Duration took = Duration.ofNanos(System.nanoTime() - begin);
      assertTrue(took.toMillis() >= 300, took.toString());

      proxy.heal();
      assertFast(client, 20, Duration.ofSeconds(2));
    }
  }

  @Test
  void holdsRequestsBackAndDeliversThemLate() throws IOException {
    try (Socket client = connect()) {
      ask(client, 'a');
      proxy.stall(Direction.TO_SERVER);
      assertSilent(client, 'b');
      assertEquals(1, server.received.get());
      proxy.heal();
      assertEquals('b', client.getInputStream().read());
    }
  }

  @Test
  void holdsRepliesBack() throws IOException {
    try (Socket client = connect()) {
      proxy.stall(Direction.TO_CLIENT);
      assertSilent(client, 'a');
      Until.holds("the request arrives", () -> server.received.get() == 1);
      proxy.heal();
      assertEquals('a', client.getInputStream().read());
    }
  }

  @Test
  void stallsNewConnectionsToo() throws IOException {
    proxy.stall(Direction.TO_SERVER, Direction.TO_CLIENT);
    try (Socket client = connect()) {
      assertSilent(client, 'a');
      proxy.heal();
      assertEquals('a', client.getInputStream().read());
    }
  }

  @Test
  void aNewConnectionOvertakesThoseThatAreStalled() throws IOException {
    try (Socket old = connect()) {
      ask(old, 'a');
      proxy.stallExisting(Direction.TO_SERVER);
      assertSilent(old, 'b');
      try (Socket next = connect()) {
        assertEquals('c', ask(next, 'c'));
      }
      assertEquals(2, server.received.get());
      proxy.heal();
      assertEquals('b', old.getInputStream().read());
    }
  }

  @Test
  void anAnswerOnANewConnectionOvertakesThoseThatAreStalled() throws IOException {
    try (Socket old = connect()) {
      ask(old, 'a');
      proxy.stallExisting(Direction.TO_CLIENT);
      assertSilent(old, 'b');
      Until.holds("the request arrives", () -> server.received.get() == 2);
      try (Socket next = connect()) {
        assertEquals('c', ask(next, 'c'));
      }
      proxy.heal();
      assertEquals('b', old.getInputStream().read());
    }
  }

  @Test
  void stallsASingleConnectionInOneDirection() throws IOException {
    try (Socket first = connect()) {
      ask(first, 'a');
      try (Socket second = connect()) {
        ask(second, 'b');
        proxy.stallConnection(1, Direction.TO_SERVER);
        proxy.stallConnection(7, Direction.TO_SERVER);
        assertSilent(second, 'c');
        assertEquals('d', ask(first, 'd'));
        proxy.heal();
        assertEquals('c', second.getInputStream().read());
      }
    }
  }

  @Test
  void delaysOnlyConnectionsThatAreMadeAfterwards() throws IOException {
    try (Socket old = connect()) {
      ask(old, 'a');
      proxy.delayNew(Direction.TO_SERVER, Duration.ofMinutes(1));
      try (Socket next = connect()) {
        assertSilent(next, 'b');
        assertEquals('c', ask(old, 'c'));
        proxy.heal();
        assertEquals('b', next.getInputStream().read());
      }
    }
  }

  @Test
  void deliversLateWithoutTheEndOfTheConnection() throws IOException {
    try (Socket client = connect()) {
      ask(client, 'a');
      proxy.stallExisting(Direction.TO_SERVER);
      client.getOutputStream().write('b');
      client.getOutputStream().flush();
    }
    proxy.deliverButEnds();
    Until.holds("the request arrives", () -> server.received.get() == 2);
    try (Socket next = connect()) {
      assertEquals('c', ask(next, 'c'));
    }
    Until.holds("a new connection ends", () -> server.ended.get() == 1);
    Until.holds("it is forgotten", () -> proxy.connections() == 1);
    assertEquals(1, server.ended.get());
    proxy.heal();
    Until.holds("the old one ends", () -> server.ended.get() == 2);
  }

  @Test
  void deliversLateWhatAClientSentThatHasGone() throws IOException {
    try (Socket client = connect()) {
      ask(client, 'a');
      proxy.stall(Direction.TO_SERVER, Direction.TO_CLIENT);
      client.getOutputStream().write('b');
      client.getOutputStream().flush();
    }
    assertEquals(1, server.received.get());
    assertEquals(0, server.ended.get());
    proxy.heal();
    Until.holds("the request arrives", () -> server.received.get() == 2);
    Until.holds("and its end", () -> server.ended.get() == 1);
    Until.holds("the connection is forgotten", () -> proxy.connections() == 0);
  }

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

  private Socket connect() throws IOException {
    Socket socket = new Socket(proxy.host(), proxy.port());
    socket.setSoTimeout(PATIENCE_MILLIS);
    return socket;
  }

  private static int ask(Socket client, int b) throws IOException {
    client.getOutputStream().write(b);
    return client.getInputStream().read();
  }

  /** One round in time is enough: a busy machine can take a second from any. */
  private static void assertFast(Socket client, int questions, Duration limit) throws IOException {
    Duration took;
    int rounds = 0;
    do {
      long begin = System.nanoTime();
      for (int next = 'f'; next < 'f' + questions; next++) {
        assertEquals(next, ask(client, next));
      }
      took = Duration.ofNanos(System.nanoTime() - begin);
      rounds++;
    } while (took.compareTo(limit) >= 0 && rounds < 5);
    assertTrue(took.compareTo(limit) < 0, took.toString());
  }

  private static void assertSilent(Socket client, int b) throws IOException {
    client.getOutputStream().write(b);
    client.setSoTimeout(QUIET_MILLIS);
    assertThrows(SocketTimeoutException.class, () -> client.getInputStream().read());
    client.setSoTimeout(PATIENCE_MILLIS);
  }
}
