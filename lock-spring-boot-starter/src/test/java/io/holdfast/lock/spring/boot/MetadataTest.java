/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.spring.boot;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.Locks;
import io.holdfast.lock.config.LockConfig;
import io.holdfast.lock.config.Preset;
import io.holdfast.lock.spi.Settings;
import io.holdfast.lock.spring.LockedConfiguration;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The metadata that editors complete properties from names every setting there is, and no other.
 * The expected file is what the first test prints if it differs.
 */
class MetadataTest {

  private static final String FILE = "META-INF/spring-configuration-metadata.json";
  private static final Pattern LIST = Pattern.compile("It knows \\[(.*)]");
  private static final Set<String> LIMITS = Set.of("window", "when-unavailable");
  private static final Set<String> OF_A_LIMITER = Set.of("permits", "preset", "backend");

  private static final Map<String, String> TEXTS = new TreeMap<>();

  static {
    text("provider", "What kind of lock server it is, and which of its promises are meant.");
    text("url", "The address, from which the provider follows where that is clear.");
    text("bean", "The bean with the application's own connections, if there are several.");
    text("namespace", "What the names of locks begin with at the server.");
    text("client-name", "The readable beginning of owner ids.");
    text("connect-timeout", "How long a connection may take.");
    text("command-timeout", "How long an answer of the server may take.");
    text(
        "uri", "The address of Redis: redis://, rediss://, redis-sentinel:// or redis-cluster://.");
    text("uris", "The addresses of the independent Redis servers of Redlock.");
    text("connect", "The addresses of ZooKeeper, as host:2181,host2:2181/chroot.");
    text("endpoints", "The addresses of etcd, as http://host:2379.");
    text("username", "The user at the server.");
    text("password", "The password of that user.");
    text("database", "The number of the database in Redis.");
    text("wait-replicas", "How many replicas of Redis confirm a grant before it counts.");
    text("restart-delay", "For how long a server of Redlock that was restarted does not count.");
    text("session-timeout", "After what silence the server ends a session and frees its locks.");
    text("root", "Where locks are in ZooKeeper or etcd.");
    text("auth", "Digest for ZooKeeper, as user:password.");
    text("acl", "Who may touch the nodes in ZooKeeper.");
    text("schema", "The schema of the tables in PostgreSQL.");
    text("create-schema", "Whether to make the tables that are missing in PostgreSQL.");
    text("pooler", "What is between the application and PostgreSQL.");
    text("pool-size", "How many leases of postgres-row there can be at a time.");
    text("tls", "Whether to use TLS with ZooKeeper.");
    text("tls-hostname-verification", "Whether ZooKeeper's certificate must be for its host.");
    text("tls-truststore", "Whom to trust.");
    text("tls-truststore-password", "The password of the trust store.");
    text("tls-keystore", "Who we are.");
    text("tls-keystore-password", "The password of the key store.");
    text("preset", "The usual scenario whose terms and demands it has.");
    text("backend", "The backend that has the locks; if not set, the one that suits best.");
    text("ttl", "How long the server keeps a lock whose holder has died.");
    text("renewal", "How leases are kept: auto, none, or an interval.");
    text("retry-initial", "The first pause between two attempts.");
    text("retry-max", "The longest pause between two attempts.");
    text("retry-jitter", "The share of a pause that is left to chance, from 0 to 1.");
    text("retry-attempts", "How often a lock is asked for, or unlimited.");
    text("hand-over", "For how long one instance may pass a lock on among its threads, or none.");
    text("min-hold", "How long a name stays taken after an early release.");
    text("max-hold", "After which time a lease ends, however often it is renewed.");
    text("lock-delay", "How long nobody gets the lock after a loss.");
    text(
        "early-warning",
        "How much validity is left when holders and listeners are warned of renewals that fail.");
    text("accept-weaker", "Whether a backend will do that does not meet the demands.");
    text("sharing", "What several owners may have of a name: read-write, or none.");
    text(
        "permits",
        "How many permits a semaphore has; with the preset rate-limit, how many are granted within"
            + " the window.");
    text("window", "The time within which permits are counted.");
    text("when-unavailable", "What holds while the server of the limiter does not answer.");
  }

  private static void text(String key, String text) {
    TEXTS.put(key, text);
  }

  private static final Map<String, List<String>> VALUES =
      Map.of(
          "preset", Stream.concat(Preset.ids().stream(), Stream.of("none")).toList(),
          "renewal", List.of("auto", "none"),
          "sharing", List.of("read-write", "none"),
          "when-unavailable", List.of("allow", "refuse"),
          "pooler", List.of("refuse", "session"),
          "acl", List.of("open", "creator"),
          "provider",
              List.of(
                  "redis",
                  "redlock",
                  "zookeeper",
                  "etcd",
                  "postgres-advisory",
                  "postgres-table",
                  "postgres-row"));

  private static String type(String key) {
    return switch (key) {
      case "create-schema", "tls", "tls-hostname-verification", "accept-weaker" ->
          "java.lang.Boolean";
      case "database", "wait-replicas", "pool-size", "permits" -> "java.lang.Integer";
      case "uris", "endpoints" -> "java.util.List<java.lang.String>";
      default -> "java.lang.String";
    };
  }

  private static String entry(String prefix, String key) {
    return """
            {
              "name": "%s%s",
              "type": "%s",
              "description": "%s"
            }"""
        .formatted(prefix, key, type(key), TEXTS.get(key));
  }

  private static String own(String name, String type, String description, Object value) {
    return """
            {
              "name": "%s",
              "type": "%s",
              "description": "%s",
              "defaultValue": %s
            }"""
        .formatted(name, type, description, value);
  }

  private static String hint(String name, List<String> values) {
    return """
            {
              "name": "%s",
              "values": [%s]
            }"""
        .formatted(
            name,
            values.stream()
                .map(value -> "{\"value\": \"" + value + "\"}")
                .collect(Collectors.joining(", ")));
  }

  private static String expected() {
    List<String> properties = new ArrayList<>();
    List<String> hints = new ArrayList<>();
    properties.add(own("holdfast.enabled", "java.lang.Boolean", "Whether there are locks.", true));
    properties.add(
        own(
            "holdfast.locked.order",
            "java.lang.Integer",
            "The place of @Locked among the advisors of a method: smaller is further outside.",
            LockedConfiguration.DEFAULT_ORDER));
    properties.add(
        own(
            "holdfast.web.problem-details",
            "java.lang.Boolean",
            "Whether a busy lock is answered with 409, and one that is not available with 503.",
            false));
    properties.add(
        own(
            "management.endpoint.locks.access",
            "org.springframework.boot.actuate.endpoint.Access",
            "Whether locks can be looked at, evicted too, or neither.",
            "\"read-only\""));
    properties.add(
        own(
            "management.health.locks.enabled",
            "java.lang.Boolean",
            "Whether the health of the lock servers is looked at.",
            true));
    KnownKeys.BACKEND.forEach(key -> add(properties, hints, "holdfast.", key));
    for (String map : List.of("backend", "scenario")) {
      properties.add(
          """
              {
                "name": "holdfast.%s",
                "type": "java.util.Map<java.lang.String,java.util.Map<java.lang.String,java.lang.String>>",
                "description": "The settings of each %s, by its name."
              }"""
              .formatted(map, map));
    }
    Stream.concat(Stream.of("default"), Preset.ids().stream())
        .forEach(
            scenario ->
                KnownKeys.SCENARIO.stream()
                    .filter(key -> fits(scenario, key))
                    .forEach(
                        key -> add(properties, hints, "holdfast.scenario." + scenario + ".", key)));
    return "{\n  \"properties\": [\n%s\n  ],\n  \"hints\": [\n%s\n  ]\n}\n"
        .formatted(listed(properties), listed(hints));
  }

  private static String listed(List<String> entries) {
    return entries.stream()
        .map(entry -> entry.indent(4).stripTrailing())
        .collect(Collectors.joining(",\n"));
  }

  private static void add(List<String> properties, List<String> hints, String prefix, String key) {
    properties.add(entry(prefix, key));
    if (VALUES.containsKey(key)) {
      hints.add(hint(prefix + key, VALUES.get(key)));
    }
  }

  private static boolean fits(String scenario, String key) {
    return scenario.equals("rate-limit")
        ? LIMITS.contains(key) || OF_A_LIMITER.contains(key)
        : !LIMITS.contains(key);
  }

  @Test
  void theFileHasWhatThereIs() throws Exception {
    try (InputStream in = getClass().getClassLoader().getResourceAsStream(FILE)) {
      String found = in == null ? "" : new String(in.readAllBytes(), UTF_8);
      String expected = expected();
      assertTrue(found.equals(expected), () -> FILE + " should be:\n" + expected);
    }
  }

  /** A provider tells its settings when it is given one that it does not know. */
  @Test
  void noSettingOfABackendIsMissing() {
    Set<String> known = new TreeSet<>(Set.of("provider", "url", KnownKeys.BEAN, "client-name"));
    for (String provider : Locks.providers()) {
      Map<String, String> settings = new TreeMap<>(Map.of("no-setting", "x"));
      settings.put(
          switch (provider) {
            case "redis" -> "uri";
            case "redlock" -> "uris";
            case "zookeeper" -> "connect";
            case "etcd" -> "endpoints";
            case "memory" -> "namespace";
            default -> "url";
          },
          switch (provider) {
            case "redis" -> "redis://localhost";
            case "redlock" -> "redis://a,redis://b,redis://c";
            case "etcd" -> "http://localhost:2379";
            case "zookeeper" -> "localhost";
            case "memory" -> "lock";
            default -> "jdbc:postgresql://localhost/app";
          });
      known.addAll(
          told(
              assertThrows(
                  LockConfigurationException.class,
                  () -> Locks.provider(provider).open(new Settings(provider, settings)))));
    }
    assertEquals(known, new TreeSet<>(KnownKeys.BACKEND));
  }

  @Test
  void noSettingOfAScenarioIsMissing() {
    Set<String> known = new TreeSet<>();
    for (Map<String, String> settings :
        List.of(
            Map.of("scenario.own.no-setting", "x"),
            Map.of(
                "scenario.own.preset",
                "rate-limit",
                "scenario.own.permits",
                "1",
                "scenario.own.no-setting",
                "x"))) {
      known.addAll(
          told(assertThrows(LockConfigurationException.class, () -> LockConfig.of(settings))));
    }
    assertEquals(known, new TreeSet<>(KnownKeys.SCENARIO));
  }

  private static List<String> told(LockConfigurationException refused) {
    Matcher list = LIST.matcher(String.valueOf(refused.getMessage()));
    assertTrue(list.find(), refused::getMessage);
    return Arrays.asList(list.group(1).split(", "));
  }
}
