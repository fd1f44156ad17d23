/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redis;

import io.holdfast.lock.mutants.FaultyBackends;
import io.holdfast.lock.servers.TcpProxy;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each historical recipe is caught, on a real server, by the rule that it breaks. */
class RecipesTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          client-clocks      | EX-2 | SETNX and GETSET with expiry by the clocks of the clients: a clock that is ahead takes over a living lock
          latency-guard      | CA-9 | SETEX and RENAMENX in MULTI with a latency guard: what was carried out late does not count, and stays
          watched-release    | OW-3 | WATCH, MULTI, EXEC on a shared connection: another EXEC ends the watch, and the release deletes the next owner's lock
          get-then-del       | OW-3 | GET, then DEL: between the two the lock became another's
          renewal-takes-anew | RN-6 | GET, then EXPIRE, or SET if it is gone: a watchdog that takes the lock anew without anybody knowing
          """)
  void isCaught(String recipe, String rule, String pitfall) {
    try (RecipeFixture fixture = new RecipeFixture(recipe)) {
      FaultyBackends.expectCaught(fixture, rule, pitfall);
    }
  }

  /**
   * The Redis fixture with a recipe in the place of the backend; every second host's clock is
   * ahead.
   */
  private static final class RecipeFixture extends RedisFixture {

    private final String recipe;
    private final AtomicInteger opened = new AtomicInteger();

    RecipeFixture(String recipe) {
      this.recipe = recipe;
    }

    @Override
    public String name() {
      return "redis-" + recipe;
    }

    @Override
    public Optional<Map<String, String>> settings() {
      return super.settings().map(this::withRecipe);
    }

    @Override
    public Optional<Map<String, String>> settings(TcpProxy link) {
      return super.settings(link).map(this::withRecipe);
    }

    private Map<String, String> withRecipe(Map<String, String> settings) {
      Map<String, String> changed = new HashMap<>(settings);
      changed.put("provider", "redis-recipe");
      changed.put("recipe", recipe);
      changed.put("skew-seconds", opened.getAndIncrement() % 2 == 0 ? "0" : "3600");
      changed.remove("command-timeout");
      return changed;
    }
  }
}
