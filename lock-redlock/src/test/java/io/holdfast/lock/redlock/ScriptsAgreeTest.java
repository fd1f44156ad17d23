/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redlock;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.holdfast.lock.servers.RedisServer;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.Test;

/** The node of the model answers as the scripts do at a real server, whatever comes. */
class ScriptsAgreeTest {

  private static final long TTL_MILLIS = 600_000;

  /** So far above the clock that the clock does not matter. */
  private static final long FAR = 1L << 52;

  @Test
  void theModelDoesWhatTheScriptsDo() throws IOException {
    long seed = ThreadLocalRandom.current().nextLong(1L << 40);
    Random random = new Random(seed);
    String read = script("/io/holdfast/lock/redis/node/read.lua");
    String acquire = read + script("/io/holdfast/lock/redis/node/acquire.lua");
    String renew = read + script("/io/holdfast/lock/redis/node/renew.lua");
    String release = read + script("/io/holdfast/lock/redis/node/release.lua");
    String raise = script("/io/holdfast/lock/redlock/raise.lua");
    try (RedisServer server = RedisServer.launch()) {
      ModelNode model = new ModelNode(0);
      List<String> history = new ArrayList<>();
      for (int i = 0; i < 2_000; i++) {
        String who = String.valueOf((char) ('A' + random.nextInt(3)));
        String number = String.valueOf(FAR + random.nextInt(2_000));
        int what = random.nextInt(20);
        history.add(what + who + number);
        String said;
        String expected;
        if (what < 8) {
          ModelNode.Answer answer = model.acquire(0, who, TTL_MILLIS, Long.parseLong(number));
          expected = answer.number().map(String::valueOf).orElse(answer.owner());
          said =
              server
                  .values("EVAL", acquire, "2", "l", "c", who, "" + TTL_MILLIS, number, "1048576")
                  .get(0);
        } else if (what < 12) {
          expected = flag(model.raise(0, who, Long.parseLong(number)));
          said = server.command("EVAL", raise, "2", "l", "c", who, number);
        } else if (what < 15) {
          // Always longer than before: what has more left is answered with its end.
          expected = flag(model.prolong(0, who, TTL_MILLIS + 10L * i));
          said = server.command("EVAL", renew, "1", "l", who, "" + (TTL_MILLIS + 10L * i));
        } else if (what < 19) {
          expected = flag(model.release(0, who));
          said = server.command("EVAL", release, "1", "l", who, what == 15 ? "quiet" : "tell");
        } else {
          model.restartEmpty(0);
          expected = "OK";
          said = server.command("FLUSHALL");
        }
        assertEquals(expected, said, "seed " + seed + ", step " + i + ": " + history);
      }
    }
  }

  private static String flag(boolean yes) {
    return yes ? "1" : "0";
  }

  private static String script(String resource) throws IOException {
    try (InputStream in = ScriptsAgreeTest.class.getResourceAsStream(resource)) {
      return new String(
          Optional.ofNullable(in).orElseThrow().readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
