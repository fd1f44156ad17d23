/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.spring.boot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.servers.RedisServer;
import io.holdfast.lock.spring.Locked;
import io.holdfast.lock.spring.Locked.Busy;
import io.holdfast.lock.spring.Locked.Mode;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Two instances of one application that share names in Redis, by their properties. */
class SharedLocksTest {

  private static final List<ConfigurableApplicationContext> INSTANCES = new ArrayList<>();

  private static RedisServer redis;

  /** Has permits and both sides of a name. */
  public static class Desk {

    @Locked(name = "exports", scenario = "exports", permits = 1, busy = Busy.SKIP)
    public @Nullable String export(Supplier<@Nullable String> work) {
      return work.get();
    }

    @Locked(name = "exports", scenario = "exports", permits = 2, of = 2, busy = Busy.SKIP)
    public @Nullable String exportAll(Supplier<@Nullable String> work) {
      return work.get();
    }

    @Locked(name = "imports", permits = 1, busy = Busy.SKIP)
    public @Nullable String load(Supplier<@Nullable String> work) {
      return work.get();
    }

    @Locked(name = "prices", scenario = "prices", mode = Mode.READ, busy = Busy.SKIP)
    public @Nullable String read(Supplier<@Nullable String> work) {
      return work.get();
    }

    @Locked(name = "prices", mode = Mode.WRITE, busy = Busy.SKIP)
    public @Nullable String write(Supplier<@Nullable String> work) {
      return work.get();
    }
  }

  @Configuration(proxyBeanMethods = false)
  @ImportAutoConfiguration(HoldfastAutoConfiguration.class)
  @Import(Desk.class)
  static class Application {}

  @BeforeAll
  static void start() {
    redis = RedisServer.launch();
    INSTANCES.add(instance("holdfast.scenario.exports.permits=2"));
    INSTANCES.add(instance("holdfast.scenario.exports.permits=2"));
  }

  private static ConfigurableApplicationContext instance(String exports) {
    return new SpringApplicationBuilder(Application.class)
        .web(WebApplicationType.NONE)
        .properties(
            "holdfast.url=redis://localhost:" + redis.port(),
            "holdfast.command-timeout=5s",
            "holdfast.scenario.default.permits=1",
            "holdfast.scenario.prices.sharing=read-write",
            exports)
        .run();
  }

  @AfterAll
  static void stop() {
    INSTANCES.forEach(ConfigurableApplicationContext::close);
    if (redis != null) {
      redis.close();
    }
  }

  private static Desk desk(int instance) {
    return INSTANCES.get(instance).getBean(Desk.class);
  }

  @Test
  void permitsAreThoseOfTheScenario() {
    assertEquals(
        "one",
        desk(0)
            .export(
                () -> {
                  assertNull(desk(1).exportAll(() -> "both"));
                  return desk(1).export(() -> "one");
                }));
    assertEquals(
        "both", desk(1).exportAll(() -> desk(0).export(() -> "one") == null ? "both" : null));
    assertNull(desk(0).load(() -> desk(1).load(() -> "second")));
  }

  @Test
  void instancesReadTogetherAndWriteAlone() {
    assertEquals(
        "both",
        desk(0)
            .read(
                () -> {
                  assertNull(desk(1).write(() -> "written"));
                  return desk(1).read(() -> "both");
                }));
    assertEquals("alone", desk(1).write(() -> desk(0).read(() -> "read") == null ? "alone" : null));
  }

  @Test
  void permitsThatNobodyHasSaidFailTheStart() {
    RuntimeException refused =
        assertThrows(RuntimeException.class, () -> instance("holdfast.scenario.exports.ttl=5s"));
    String told = String.valueOf(refused);
    assertTrue(told.contains("'scenario.exports.permits', for example to 5"), told);
  }
}
