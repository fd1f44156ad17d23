/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redis.recipes;

import io.holdfast.lock.Capabilities;
import io.holdfast.lock.spi.LockBackend;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.spi.Settings;
import java.time.Duration;

/** Opens a recipe by its name. */
public final class RecipeProvider implements LockProvider {

  @Override
  public String name() {
    return "redis-recipe";
  }

  @Override
  public Capabilities capabilities() {
    return Recipe.CAPABILITIES;
  }

  @Override
  public LockBackend<?> open(Settings settings) {
    String uri = settings.required("uri", "redis://localhost");
    String recipe = settings.required("recipe", "get-then-del");
    Duration skew = Duration.ofSeconds(settings.number("skew-seconds", 0, 0, 100_000));
    settings.finish();
    return switch (recipe) {
      case "client-clocks" -> new ClientClocks(uri, skew);
      case "latency-guard" -> new LatencyGuard(uri);
      case "watched-release" -> new WatchedRelease(uri);
      case "get-then-del" -> new GetThenDel(uri);
      case "renewal-takes-anew" -> new RenewalTakesAnew(uri);
      default -> throw settings.invalid("recipe", recipe, "one of the recipes");
    };
  }
}
