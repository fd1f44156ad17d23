/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.spring.boot;

import io.holdfast.lock.config.LockConfig;
import io.holdfast.lock.config.Preset;
import io.holdfast.lock.spi.Settings.Value;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.core.env.Environment;

/**
 * What the environment and the connections of an application say about its locks.
 *
 * @param config which opens backends over the connections
 * @param connections of the application
 */
record ApplicationConfig(LockConfig config, ApplicationConnections connections) {

  /** The scenario of the lock client that is a bean. */
  static final String USUAL = "default";

  private static final String BACKEND = "backend.";
  private static final String SCENARIO = "scenario.";
  private static final String BEAN = "." + KnownKeys.BEAN;

  static ApplicationConfig of(Environment environment, ListableBeanFactory beans) {
    Map<String, Value> values = new TreeMap<>();
    EnvironmentKeys.read(environment)
        .forEach((key, value) -> values.put(key.contains(".") ? key : usual(key), value));
    Map<String, String> named = takeBeans(values);
    ApplicationConnections connections = new ApplicationConnections(beans, named);
    if (connections.inMemory()) {
      putInMemory(values);
    } else if (!isComplete(values)) {
      connections
          .provider()
          .ifPresent(
              provider ->
                  values.put(
                      usual("provider"),
                      new Value(provider, "as the application has a connection", false)));
    }
    values.putIfAbsent(
        SCENARIO + USUAL + ".preset", new Value("none", "as the usual scenario", false));
    return new ApplicationConfig(LockConfig.ofValues(values).withOpener(connections), connections);
  }

  private static String usual(String setting) {
    return BACKEND + "default." + setting;
  }

  /** The names of beans, which are for nobody else, by backend. */
  private static Map<String, String> takeBeans(Map<String, Value> values) {
    Map<String, String> named = new TreeMap<>();
    for (String key : Set.copyOf(values.keySet())) {
      if (key.startsWith(BACKEND) && key.endsWith(BEAN)) {
        String backend = key.substring(BACKEND.length(), key.length() - BEAN.length());
        Value bean = values.remove(key);
        if (bean != null) {
          named.put(backend, bean.text());
        }
      }
    }
    return named;
  }

  /** Whether anything says what is to be connected to. */
  private static boolean isComplete(Map<String, Value> values) {
    return values.keySet().stream()
        .anyMatch(key -> key.startsWith(BACKEND) && key.matches(".*\\.(provider|url)"));
  }

  /** One backend for all scenarios, whatever they demand. */
  private static void putInMemory(Map<String, Value> values) {
    values.keySet().removeIf(key -> key.startsWith(BACKEND) || key.matches("scenario.*\\.backend"));
    Value memory = new Value("memory", "as there is a MemoryServer", false);
    values.put(usual("provider"), memory);
    Set<String> scenarios = new TreeSet<>(Set.of("batch", "session"));
    values.keySet().stream()
        .filter(key -> key.startsWith(SCENARIO))
        .map(key -> key.split("\\.", -1)[1])
        .forEach(scenarios::add);
    scenarios.stream()
        .filter(scenario -> !limits(scenario, values))
        .forEach(
            scenario ->
                values.put(
                    SCENARIO + scenario + ".accept-weaker",
                    new Value("true", memory.origin(), false)));
  }

  /** Whether it has a limiter and no locks, and so no demands that could be given up. */
  private static boolean limits(String scenario, Map<String, Value> values) {
    Value preset = values.get(SCENARIO + scenario + ".preset");
    return (preset == null ? scenario : preset.text().strip()).equals(Preset.RATE_LIMIT.id());
  }
}
