/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.servers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.util.List;
import org.junit.jupiter.api.Test;

class RedisServerTest {

  @Test
  void answersAndSaysWhatItIs() {
    try (RedisServer redis = RedisServer.launch()) {
      assertEquals("PONG", redis.command("PING"));
      assertTrue(redis.describe().startsWith("redis"), redis.describe());
      redis.command("RPUSH", "list", "ä", "b c");
      assertEquals(List.of("ä", "b c"), redis.values("LRANGE", "list", "0", "-1"));
      assertEquals("", redis.command("GET", "nothing"));
      IllegalStateException error =
          assertThrows(IllegalStateException.class, () -> redis.command("GET", "list"));
      assertTrue(String.valueOf(error.getMessage()).contains("WRONGTYPE"), error.getMessage());
    }
  }

  @Test
  void keepsItsPortAndItsDataThroughAKill() {
    try (RedisServer redis = RedisServer.launch("--appendonly", "yes", "--appendfsync", "always")) {
      int port = redis.port();
      redis.command("SET", "key", "value");
      redis.kill();
      assertThrows(UncheckedIOException.class, () -> redis.command("PING"));
      redis.start();
      assertEquals(port, redis.port());
      assertEquals("value", redis.command("GET", "key"));
      redis.stop();
      redis.wipe();
      redis.start();
      assertEquals("", redis.command("GET", "key"));
      assertThrows(IllegalStateException.class, redis::wipe);
    }
  }

  @Test
  void losesItsDataWithoutPersistence() {
    try (RedisServer redis = RedisServer.launch()) {
      redis.command("SET", "key", "value");
      redis.stop();
      redis.start();
      assertEquals("", redis.command("GET", "key"));
    }
  }

  @Test
  void knowsItsPassword() {
    try (RedisServer redis = RedisServer.launch("--requirepass", "secret")) {
      assertEquals("PONG", redis.command("PING"));
      assertFalse(redis.describe().contains("secret"));
    }
  }

  private static ServerFault trouble(Server server, String name) {
    return server.troubles().stream()
        .filter(one -> one.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void canBeShortOfMemory() {
    try (RedisServer redis = RedisServer.launch()) {
      ServerFault trouble = trouble(redis, "out of memory");
      trouble.begin().run();
      IllegalStateException error =
          assertThrows(IllegalStateException.class, () -> redis.command("SET", "key", "value"));
      assertTrue(String.valueOf(error.getMessage()).contains("OOM"), error.getMessage());
      trouble.end().run();
      assertEquals("OK", redis.command("SET", "key", "value"));
    }
  }

  @Test
  void forgetsItsScripts() {
    try (RedisServer redis = RedisServer.launch()) {
      String script = redis.command("SCRIPT", "LOAD", "return 1");
      assertEquals("1", redis.command("EVALSHA", script, "0"));
      trouble(redis, "script flush").begin().run();
      assertEquals("0", redis.command("SCRIPT", "EXISTS", script));
    }
  }

  @Test
  void throwsOutItsClients() throws Exception {
    try (RedisServer redis = RedisServer.launch();
        Resp normal = new Resp(redis.host(), redis.port());
        Resp listening = new Resp(redis.host(), redis.port())) {
      assertEquals(List.of("PONG"), normal.call("PING"));
      assertEquals(List.of("subscribe", "news", "1"), listening.call("SUBSCRIBE", "news"));
      trouble(redis, "connections killed").begin().run();
      assertThrows(IOException.class, () -> normal.call("PING"));
      assertThrows(IOException.class, () -> listening.call("PING"));
      assertEquals("PONG", redis.command("PING"));
    }
  }

  @Test
  void canHaveNoRoomForClients() throws Exception {
    try (RedisServer redis = RedisServer.launch();
        Resp before = new Resp(redis.host(), redis.port())) {
      assertEquals(List.of("PONG"), before.call("PING"));
      ServerFault trouble = trouble(redis, "connection limit");
      trouble.begin().run();
      assertThrows(IOException.class, () -> before.call("PING"));
      assertThrows(RuntimeException.class, () -> redis.command("PING"));
      trouble.end().run();
      assertEquals("PONG", redis.command("PING"));
      trouble.end().run();
    }
  }

  @Test
  void canBeSuspendedAndClosedWhileItIs() throws IOException {
    RedisServer redis = RedisServer.launch();
    redis.suspend();
    try (Socket connects = new Socket(redis.host(), redis.port())) {
      connects.setSoTimeout(200);
      connects
          .getOutputStream()
          .write("PING\r\n".getBytes(java.nio.charset.StandardCharsets.US_ASCII));
      assertThrows(IOException.class, () -> connects.getInputStream().read());
    }
    redis.resume();
    assertEquals("PONG", redis.command("PING"));
    redis.suspend();
    redis.close();
    redis.close();
    assertThrows(UncheckedIOException.class, () -> redis.command("PING"));
    assertThrows(IllegalStateException.class, redis::start);
  }
}
