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
