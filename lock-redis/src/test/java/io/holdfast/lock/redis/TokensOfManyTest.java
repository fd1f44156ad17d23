/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.redis.node.Script;
import io.holdfast.lock.servers.RedisServer;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.Test;

/** The numbers of locks that are taken with one request, where some need a greater one. */
class TokensOfManyTest {

  /** So far above the clock that the clock does not matter. */
  private static final long FAR = 1L << 52;

  private static final int ROUNDS = 300;

  private record Take(String key, String counter, long atLeast) {}

  @Test
  void eachIsGreaterThanAllThatItsCounterHasDrawn() throws IOException {
    long seed = ThreadLocalRandom.current().nextLong(1L << 40);
    Random random = new Random(seed);
    String script = text("read.lua") + text("acquire.lua");
    Map<String, Long> greatest = new HashMap<>(Map.of("one", 0L, "two", 0L));
    try (RedisServer server = RedisServer.launch()) {
      for (int round = 0; round < ROUNDS; round++) {
        List<Take> takes = takes(random, round);
        List<String> numbers = server.values(command(script, takes));
        String told = "seed %d: %s for %s".formatted(seed, numbers, takes);
        assertEquals(takes.size(), numbers.size(), told);
        for (int i = 0; i < takes.size(); i++) {
          Take take = takes.get(i);
          long number = Long.parseLong(numbers.get(i));
          Long before = greatest.put(take.counter, number);
          assertTrue(before != null && number > before && number >= take.atLeast, told);
        }
        for (Take take : takes) {
          long stored = Long.parseLong(server.command("GET", take.counter));
          Long drawn = greatest.get(take.counter);
          assertTrue(drawn != null && stored >= drawn, () -> told + ", and then " + stored);
        }
      }
    }
  }

  /** Of two counters; some need no number in particular. */
  private static List<Take> takes(Random random, int round) {
    List<Take> takes = new ArrayList<>();
    for (int i = random.nextInt(6); i >= 0; i--) {
      long atLeast = random.nextBoolean() ? 0 : FAR + 1000L * round + random.nextInt(2_000);
      takes.add(new Take(round + ":" + i, random.nextBoolean() ? "one" : "two", atLeast));
    }
    return takes;
  }

  private static String[] command(String script, List<Take> takes) {
    List<String> words = new ArrayList<>(List.of("EVAL", script, "" + 2 * takes.size()));
    takes.forEach(take -> words.addAll(List.of(take.key, take.counter)));
    takes.forEach(take -> words.addAll(List.of("owner", "600000", "" + take.atLeast, "1")));
    return words.toArray(String[]::new);
  }

  private static String text(String resource) throws IOException {
    try (InputStream in = Script.class.getResourceAsStream(resource)) {
      return new String(
          Optional.ofNullable(in).orElseThrow().readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
