/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redis;

import static io.holdfast.lock.redis.RedisHarness.PATIENCE;
import static io.holdfast.lock.redis.RedisHarness.SHORT;
import static io.holdfast.lock.redis.RedisHarness.until;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.servers.TcpProxy;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests which requests are killed with a connection, and which connection that is. */
class KilledConnectionTest {

  private final RedisHarness scene = new RedisHarness();

  @AfterEach
  void end() {
    scene.close();
  }

  /** Connection numbers begin anew with a server, and are then other people's. */
  @Test
  void afterARestartNobodyElsesConnectionIsKilled() throws Exception {
    for (int i = 0; i < 60; i++) {
      scene.server.command("PING");
    }
    TcpProxy link = scene.link();
    LockClient client = scene.client(link, Map.of());
    client.lock("a", SHORT).acquire().release();
    String old = scene.connections().get(0);
    link.refuse();
    scene.server.kill();
    scene.server.start();
    long last = 0;
    while (last < Long.parseLong(old)) {
      Socket stranger = scene.closing(new Socket(scene.server.host(), scene.server.port()));
      last = Long.parseLong(ask(stranger, "CLIENT ID\r\n").substring(1).trim());
    }
    List<String> strangers = scene.connections();
    assertTrue(strangers.contains(old));
    link.heal();
    client.lock("a", SHORT).acquire(PATIENCE).release();
    assertTrue(scene.connections().containsAll(strangers), old + " was killed");
  }

  /** The backend relies on this: input of a killed connection that was not read is dropped. */
  @Test
  void redisDropsWhatItHasNotReadOfAKilledConnection() throws Exception {
    Socket victim = scene.closing(new Socket(scene.server.host(), scene.server.port()));
    String id = ask(victim, "CLIENT ID\r\n").substring(1).trim();
    Socket killer = scene.closing(new Socket(scene.server.host(), scene.server.port()));
    greet(killer);
    String busy =
        "local function now() local t = redis.call('TIME'); return t[1] * 1000 + t[2] / 1000 end;"
            + "local till = now() + 4000; while now() < till do end; return 1";
    String script = "*3\r\n$4\r\nEVAL\r\n$" + busy.length() + "\r\n" + busy + "\r\n$1\r\n0\r\n";
    Socket asking = scene.closing(new Socket(scene.server.host(), scene.server.port()));
    asking.setSoTimeout(1_000);
    killer.getOutputStream().write((script + "CLIENT KILL ID " + id + "\r\n").getBytes(US_ASCII));
    // While the script runs, the server answers nobody, so silence tells that it has begun.
    until("a server that is busy", () -> isSilent(asking));
    victim.getOutputStream().write("SET ghost 1\r\n".getBytes(US_ASCII));
    InputStream answers = killer.getInputStream();
    StringBuilder both = new StringBuilder();
    while (!both.toString().endsWith(":1\r\n:1\r\n")) {
      int next = answers.read();
      assertNotEquals(-1, next);
      both.append((char) next);
    }
    assertEquals("", scene.server.command("GET", "ghost"));
  }

  private static boolean isSilent(Socket asking) {
    try {
      greet(asking);
      return false;
    } catch (SocketTimeoutException e) {
      return true;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void greet(Socket socket) throws IOException {
    assertEquals("+PONG\r\n", ask(socket, "PING\r\n"));
  }

  private static String ask(Socket socket, String command) throws IOException {
    socket.getOutputStream().write(command.getBytes(US_ASCII));
    StringBuilder line = new StringBuilder();
    while (line.indexOf("\n") < 0) {
      line.append((char) socket.getInputStream().read());
    }
    return line.toString();
  }
}
