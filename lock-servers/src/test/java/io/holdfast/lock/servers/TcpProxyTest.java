/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.servers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Tests what a breakable link passes on, holds back and delivers late. */
class TcpProxyTest extends ProxiedEcho {

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
}
