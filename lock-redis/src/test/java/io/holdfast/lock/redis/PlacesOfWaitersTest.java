/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.servers.RedisServer;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The order in which a release names those who wait. */
class PlacesOfWaitersTest {

  private static final String LOCK = "lock:a";
  private static final String WAITING = "lock#waiting:lock:a";

  private final RedisServer server = RedisServer.launch();

  @AfterEach
  void end() {
    server.close();
  }

  /** Each waiter asks again now and then; whoever did so last would never be named first. */
  @Test
  void oneThatAsksAgainKeepsItsPlace() throws IOException {
    asks("holder");
    asks("first");
    asks("second");
    asks("first");
    assertEquals(List.of("first", "second"), waiting());
    String release = script("release.lua");
    server.values("EVAL", release, "1", LOCK, "holder", "tell", WAITING);
    assertEquals(List.of("second"), waiting(), "the first one is named");
  }

  /** Also those of clients that were killed, at a lock that nobody uses any more. */
  @Test
  void thePlacesEndByThemselves() throws IOException {
    asks("holder");
    asks("first");
    long left = Long.parseLong(server.command("PTTL", WAITING));
    assertTrue(left > 0 && left <= 60_000, left + " ms are left");
  }

  private void asks(String owner) throws IOException {
    String acquire = script("acquire.lua");
    server.values("EVAL", acquire, "2", LOCK, "lock#token", owner, "600000", "0", "1", WAITING);
  }

  private List<String> waiting() {
    return server.values("ZRANGE", WAITING, "0", "-1");
  }

  private static String script(String name) throws IOException {
    return text("read.lua") + text(name);
  }

  private static String text(String name) throws IOException {
    try (InputStream in = RedisBackend.class.getResourceAsStream("node/" + name)) {
      return new String(
          Optional.ofNullable(in).orElseThrow().readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
