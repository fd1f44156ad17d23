/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.spring.boot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.config.LockConfig;
import io.holdfast.lock.spi.Settings.Value;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;
import org.springframework.core.io.ByteArrayResource;

/** Keys are read as Spring lets people write them. */
class EnvironmentKeysTest {

  private final StandardEnvironment environment = new StandardEnvironment();

  private void yaml(String text) throws IOException {
    new YamlPropertySourceLoader()
        .load("application.yml", new ByteArrayResource(text.getBytes(StandardCharsets.UTF_8)))
        .forEach(environment.getPropertySources()::addLast);
  }

  private void variables(Map<String, Object> variables) {
    String name = StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME;
    environment
        .getPropertySources()
        .replace(name, new SystemEnvironmentPropertySource(name, variables));
  }

  private Map<String, String> read() {
    return EnvironmentKeys.read(environment).entrySet().stream()
        .collect(
            Collectors.toMap(
                Map.Entry::getKey, entry -> entry.getValue().text(), (a, b) -> a, TreeMap::new));
  }

  @Test
  void readsEverySpelling() throws IOException {
    variables(Map.of("DB_PASSWORD", "secret"));
    yaml(
        """
        holdfast:
          provider: redis
          client_name: shop
          commandTimeout: 2s
          backend:
            main-db:
              url: jdbc:postgresql://localhost/app
              password: ${DB_PASSWORD}
              createSchema: true
            kv:
              endpoints:
                - http://a:2379
                - http://b:2379
          scenario:
            rate-limit:
              permits: 100
              when-unavailable: refuse
            bigJob:
              retry_initial: 1s
          web:
            problem-details: true
          locked:
            order: 7
        """);
    assertEquals(
        Map.of(
            "provider", "redis",
            "client-name", "shop",
            "command-timeout", "2s",
            "backend.main-db.url", "jdbc:postgresql://localhost/app",
            "backend.main-db.password", "secret",
            "backend.main-db.create-schema", "true",
            "backend.kv.endpoints", "http://a:2379,http://b:2379",
            "scenario.rate-limit.permits", "100",
            "scenario.rate-limit.when-unavailable", "refuse",
            "scenario.big-job.retry-initial", "1s"),
        read());
  }

  /** Spring's own form leaves hyphens out; Holdfast's has underscores for them. */
  @Test
  void readsEnvironmentVariablesOfBothForms() throws IOException {
    variables(
        Map.of(
            "HOLDFAST_PROVIDER", "redis",
            "HOLDFAST_CLIENTNAME", "shop",
            "HOLDFAST_BACKEND_MAINDB_CONNECTTIMEOUT", "1s",
            "HOLDFAST_BACKEND_MAINDB_CREATE_SCHEMA", "true",
            "HOLDFAST_SCENARIO_RATELIMIT_WHENUNAVAILABLE", "refuse",
            "HOLDFAST_TOKEN", "7",
            "HOLDFAST_TCK_RULE", "EX-1"));
    yaml("holdfast.backend.main-db.url: jdbc:postgresql://localhost/app");
    assertEquals(
        Map.of(
            "provider", "redis",
            "client-name", "shop",
            "backend.main-db.url", "jdbc:postgresql://localhost/app",
            "backend.main-db.connect-timeout", "1s",
            "backend.main-db.create-schema", "true",
            "scenario.rate-limit.when-unavailable", "refuse"),
        read());
  }

  @Test
  void theHigherSourceCounts() throws IOException {
    environment
        .getPropertySources()
        .addFirst(new MapPropertySource("args", Map.of("holdfast.scenario.cache.ttl", "9s")));
    yaml("holdfast.scenario.cache.ttl: 3s");
    assertEquals(Map.of("scenario.cache.ttl", "9s"), read());
  }

  @Test
  void aMistakeIsToldWithFileAndLine() throws IOException {
    yaml(
        """
        holdfast:
          scenario:
            cache:
              tttl: 3s
        """);
    Map<String, Value> values = EnvironmentKeys.read(environment);
    LockConfigurationException refused =
        assertThrows(LockConfigurationException.class, () -> LockConfig.ofValues(values));
    assertTrue(
        String.valueOf(refused.getMessage()).contains("'tttl'")
            && String.valueOf(refused.getMessage()).contains("did you mean 'ttl'?")
            && String.valueOf(refused.getMessage()).contains("4:13"),
        refused::getMessage);
  }

  @Test
  void aMistypedSectionIsRefused() throws IOException {
    yaml("holdfast.scenarios.cache.ttl: 3s");
    Map<String, Value> values = EnvironmentKeys.read(environment);
    LockConfigurationException refused =
        assertThrows(LockConfigurationException.class, () -> LockConfig.ofValues(values));
    assertTrue(
        String.valueOf(refused.getMessage()).contains("did you mean 'scenario.cache.ttl'?"),
        refused::getMessage);
  }
}
