/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.spring.boot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockEvent;
import io.holdfast.lock.LockListener;
import io.holdfast.lock.config.Scenarios;
import io.holdfast.lock.memory.MemoryServer;
import io.holdfast.lock.micrometer.MeterOptions;
import io.holdfast.lock.servers.Conditions;
import io.holdfast.lock.servers.RedisServer;
import io.holdfast.lock.shedlock.HoldfastLockProvider;
import io.holdfast.lock.spring.integration.HoldfastLockRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.core.SimpleLock;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.integration.support.locks.DefaultLockRegistry;
import org.springframework.integration.support.locks.LockRegistry;

/** Listeners, meters, and the beans for other libraries that the starter brings. */
class AdapterBeansTest {

  private static final Duration SOON = Duration.ofSeconds(20);

  @Configuration(proxyBeanMethods = false)
  @AutoConfigureMemoryLocks
  @ImportAutoConfiguration({LockRegistryAutoConfiguration.class, ShedLockAutoConfiguration.class})
  static class Adapters {}

  /** Beans of its own. */
  @Configuration(proxyBeanMethods = false)
  @Import(Adapters.class)
  static class Own {

    @Bean
    LockProvider ownProvider() {
      return configuration -> Optional.empty();
    }

    @Bean
    LockRegistry ownRegistry() {
      return new DefaultLockRegistry();
    }
  }

  @Configuration(proxyBeanMethods = false)
  @ImportAutoConfiguration({HoldfastAutoConfiguration.class, LockMetersAutoConfiguration.class})
  static class TwoBackends {

    @Bean
    Heard heard() {
      return new Heard(new CopyOnWriteArrayList<>());
    }

    @Bean
    MeterOptions meterOptions() {
      return MeterOptions.defaults().withFamiliesByPrefix();
    }
  }

  /** The names of the locks that were granted. */
  record Heard(List<String> names) implements LockListener {

    @Override
    public void on(LockEvent event) {
      if (event instanceof LockEvent.Granted) {
        names.add(event.lockName());
      }
    }
  }

  private static ConfigurableApplicationContext run(
      Class<?> application, Map<String, Object> properties) {
    return new SpringApplicationBuilder(application)
        .web(WebApplicationType.NONE)
        .properties(properties)
        .run();
  }

  @Test
  void theProviderOfShedLockLocks() {
    try (ConfigurableApplicationContext context = run(Adapters.class, Map.of())) {
      LockProvider provider = context.getBean(LockProvider.class);
      assertInstanceOf(HoldfastLockProvider.class, provider);
      LockConfiguration nightly =
          new LockConfiguration(
              Instant.now(), "nightly", Duration.ofMinutes(1), Duration.ofSeconds(0));
      SimpleLock lock = provider.lock(nightly).orElseThrow();
      MemoryServer server = context.getBean(MemoryServer.class);
      assertEquals(Set.of("nightly"), server.owners().keySet());
      assertEquals(Optional.empty(), provider.lock(nightly));
      lock.unlock();
      assertTrue(server.owners().isEmpty());
    }
  }

  @Test
  void theRegistryOfSpringIntegrationLocks() {
    try (ConfigurableApplicationContext context = run(Adapters.class, Map.of())) {
      LockRegistry registry = context.getBean(LockRegistry.class);
      assertInstanceOf(HoldfastLockRegistry.class, registry);
      assertTrue(registry.obtain("file").tryLock());
      assertEquals(Set.of("file"), context.getBean(MemoryServer.class).owners().keySet());
      registry.obtain("file").unlock();
    }
  }

  @Test
  void beansOfTheApplicationGoFirst() {
    try (ConfigurableApplicationContext context = run(Own.class, Map.of())) {
      assertSame(context.getBean("ownProvider"), context.getBean(LockProvider.class));
      assertSame(context.getBean("ownRegistry"), context.getBean(LockRegistry.class));
    }
  }

  /** Before a registry of meters is complete, and after. */
  @Test
  void clientsOfAllScenariosAreListenedToAndMeasured() throws Exception {
    try (RedisServer server = RedisServer.launch()) {
      String uri = "redis://" + server.host() + ":" + server.port();
      try (ConfigurableApplicationContext context =
          run(
              TwoBackends.class,
              Map.of(
                  "holdfast.backend.main.uri", uri,
                  "holdfast.backend.main.provider", "redis",
                  "holdfast.backend.second.uri", uri,
                  "holdfast.backend.second.provider", "redis",
                  "holdfast.backend.second.namespace", "second",
                  "holdfast.scenario.default.backend", "main",
                  "holdfast.scenario.own.backend", "second"))) {
        context.getBean(LockClient.class).lock("orders:1").run(lease -> {});
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        context.getBean(MeterBinder.class).bindTo(registry);
        assertNull(wait(registry, "second"));
        context.getBean(LockClient.class).lock("orders:2").run(lease -> {});
        context.getBean(Scenarios.class).forScenario("own").lock("orders:3").run(lease -> {});
        Heard heard = context.getBean(Heard.class);
        Conditions.until(
            "all were heard of",
            SOON,
            // Those of another client may be told earlier.
            () ->
                heard.names().stream()
                    .sorted()
                    .toList()
                    .equals(List.of("orders:1", "orders:2", "orders:3")));
        Conditions.until("both were measured", SOON, () -> isOne(registry, "main", "second"));
        assertFalse(registry.find("holdfast.lock.held").gauges().isEmpty());
      }
    }
  }

  private static boolean isOne(SimpleMeterRegistry registry, String... clients) {
    return List.of(clients).stream()
        .map(client -> wait(registry, client))
        .allMatch(timer -> timer != null && timer.count() == 1);
  }

  private static Timer wait(SimpleMeterRegistry registry, String client) {
    return registry
        .find("holdfast.lock.wait")
        .tags("client", client, "family", "orders", "outcome", "granted")
        .timer();
  }
}
