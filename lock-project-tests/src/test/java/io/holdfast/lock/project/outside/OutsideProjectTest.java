/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.project.outside;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.servers.EtcdServer;
import io.holdfast.lock.servers.PostgresServer;
import io.holdfast.lock.servers.RedisServer;
import io.holdfast.lock.servers.Server;
import io.holdfast.lock.servers.ZooKeeperServer;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A project that is no part of this build takes all modules, with the bill of materials and without
 * it: Maven finds no two versions of anything, the class paths are the same, and one JVM holds
 * locks of all backends at a time. Two others, the samples of {@code docs/adding-a-backend.md},
 * have backends of their own, and run the conformance kit.
 */
class OutsideProjectTest {

  private static final Path SOURCES = Path.of("src", "test", "outside").toAbsolutePath();
  private static final List<String> PROVIDERS =
      List.of("redis", "redlock", "zookeeper", "etcd", "postgres-advisory", "memory");

  private static final Path SAMPLES = Path.of("..", "samples").toAbsolutePath();

  /** {@link SampleMutantsTest} tries the faulty variants. */
  private static final String ONLY_RULES = "-Dtest=H2LockConformanceTest";

  /** Rules that a server and a network make hard; all rules take longer than a build may. */
  private static final List<String> RULES_OF_H2 =
      List.of(
          "EX-3", "EX-5", "EX-6", "OW-2", "OW-8", "OW-9", "OW-10", "LT-1", "LT-3", "LT-4", "RN-4",
          "RN-6", "LS-1", "LS-3", "LS-9", "FN-2", "FN-8", "CA-8", "CA-9", "CA-10", "CA-12", "WT-18",
          "LC-10");

  @TempDir static Path dir;
  private static final List<Server> SERVERS = new ArrayList<>();
  private static final Map<String, String> outputs = new HashMap<>();
  private static OutsideBuild build;

  /** The servers start while Maven is at work. */
  @BeforeAll
  static void build() throws Exception {
    build = new OutsideBuild(dir);
    Map<String, Process> started = new LinkedHashMap<>();
    try {
      started.put("project", build.maven("project", SOURCES, "compile"));
      started.put("lock-file", build.maven("lock-file", SAMPLES.resolve("lock-file"), "test"));
      String rules = "-Dholdfast.tck.rule=" + String.join(",", RULES_OF_H2);
      started.put(
          "lock-h2", build.maven("lock-h2", SAMPLES.resolve("lock-h2"), ONLY_RULES, rules, "test"));
      launchServers();
      for (Map.Entry<String, Process> each : started.entrySet()) {
        outputs.put(
            each.getKey(), build.assertEnds(each.getValue(), each.getKey(), Duration.ofMinutes(4)));
      }
    } finally {
      started.values().forEach(Process::destroyForcibly);
    }
  }

  @AfterAll
  static void stop() throws IOException {
    SERVERS.forEach(Server::close);
    build.close();
  }

  /** It was built, and its tests have passed; so a rule of theirs is broken nowhere. */
  @Test
  void theSampleBackendWasHeldToTheRules() throws IOException {
    Map<String, Set<String>> rules =
        Files.readAllLines(build.project("lock-file").resolve("target/conformance/file.tsv"))
            .stream()
            .map(line -> line.split("\t", -1))
            .collect(
                Collectors.groupingBy(
                    columns -> columns[2],
                    Collectors.mapping(columns -> columns[0], Collectors.toSet())));
    Set<String> held = rules.getOrDefault("HELD", Set.of());
    for (String rule : List.of("EX-3", "EX-8", "LT-1", "LS-3", "LS-7", "FN-2", "CA-3", "WT-12")) {
      assertTrue(held.contains(rule), () -> rule + " was not held: " + rules);
    }
    assertEquals(Set.of("WT-5", "WT-8", "WT-10"), prefixed(rules, "NOT_PROMISED", "WT"));
    assertEquals(8, prefixed(rules, "NOT_PROMISED", "IN").size(), rules::toString);
  }

  /** Over a network: links that break, requests that come late, a server that crashes. */
  @Test
  void theSampleOnH2WasHeldToTheRules() {
    String output = Objects.requireNonNull(outputs.get("lock-h2"));
    assertTrue(output.contains("conformance of h2: " + RULES_OF_H2.size() + " held"), () -> output);
  }

  private static Set<String> prefixed(
      Map<String, Set<String>> rules, String verdict, String group) {
    return rules.getOrDefault(verdict, Set.of()).stream()
        .filter(rule -> rule.startsWith(group))
        .collect(Collectors.toSet());
  }

  @Test
  void theBillNamesWhatUsersCanTake() throws IOException {
    Set<String> users = new TreeSet<>(OutsideBuild.MODULES);
    assertEquals(users, modulesIn(Path.of("..", "lock-bom", "pom.xml"), "holdfast"));
    for (String project : List.of("with-bom", "without-bom")) {
      assertEquals(users, modulesIn(SOURCES.resolve(project).resolve("pom.xml"), "lock-bom"));
    }
    try (Stream<Path> modules = Files.list(Path.of("").toAbsolutePath().getParent())) {
      Set<String> all =
          modules
              .filter(module -> Files.exists(module.resolve("src")))
              .map(module -> module.getFileName().toString())
              .collect(Collectors.toCollection(TreeSet::new));
      all.removeAll(
          Set.of(
              "lock-bench",
              "lock-cli",
              "lock-project-tests",
              "lock-sample",
              "lock-tck-tests",
              "lock-test-support"));
      assertEquals(all, users);
    }
  }

  private static Set<String> modulesIn(Path pom, String except) throws IOException {
    return Pattern.compile("<groupId>io.holdfast</groupId>\\s*<artifactId>(.*?)</artifactId>")
        .matcher(Files.readString(pom))
        .results()
        .map(found -> found.group(1))
        .filter(name -> !name.equals(except))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  @Test
  void theVersionsAreTheSameBothWays() throws IOException {
    List<Path> with = classPath("with-bom");
    assertEquals(new TreeSet<>(with), new TreeSet<>(classPath("without-bom")));
    for (String group : List.of("io/netty", "io/grpc", "io/holdfast")) {
      Set<Path> versions =
          with.stream()
              .filter(jar -> jar.startsWith(group))
              .map(jar -> jar.getParent().getFileName())
              .collect(Collectors.toSet());
      assertEquals(1, versions.size(), () -> group + ": " + versions);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"with-bom", "without-bom"})
  void oneJvmHoldsLocksOfAllBackends(String project) throws Exception {
    Path classes = build.project("project").resolve(project).resolve("target");
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                classes.resolve("classes")
                    + File.pathSeparator
                    + Files.readString(classes.resolve("class-path")),
                "Outside"));
    command.addAll(PROVIDERS);
    Process outside = build.start(project, dir, command);
    try {
      String output = build.assertEnds(outside, project, Duration.ofMinutes(2));
      for (String provider : PROVIDERS) {
        assertTrue(output.contains(provider + " holds with token "), output);
      }
      assertTrue(
          Pattern.compile("all held, with Netty \\[\\d[\\w.]+]").matcher(output).find(), output);
      assertFalse(output.contains("Exception"), output);
    } finally {
      outside.destroyForcibly();
    }
  }

  private static void launchServers() throws IOException {
    StringBuilder settings = new StringBuilder();
    for (String provider : PROVIDERS) {
      settings.append("scenario.%s.backend = %s\n".formatted(provider, provider));
      settings.append("backend.%s.url = %s\n".formatted(provider, launch(provider)));
      if (!provider.equals("memory")) {
        settings.append("backend.%s.connect-timeout = 30s\n".formatted(provider));
        settings.append("backend.%s.command-timeout = 5s\n".formatted(provider));
      }
    }
    settings.append("backend.redlock.restart-delay = none\n");
    settings.append("backend.postgres-advisory.provider = postgres-advisory\n");
    settings.append("backend.postgres-advisory.username = holdfast\n");
    settings.append("backend.postgres-advisory.create-schema = true\n");
    Files.writeString(dir.resolve("holdfast.properties"), settings);
  }

  /** The address of a new server. */
  private static String launch(String provider) {
    return switch (provider) {
      case "redis" -> "redis://localhost:" + add(RedisServer.launch()).port();
      case "redlock" ->
          Stream.generate(() -> launch("redis")).limit(3).collect(Collectors.joining(","));
      case "zookeeper" ->
          "zookeeper://localhost:" + add(ZooKeeperServer.launch(Duration.ofMillis(500))).port();
      case "etcd" -> "etcd://localhost:" + add(EtcdServer.launch()).port();
      case "postgres-advisory" -> add(PostgresServer.launch()).url();
      default -> "memory:";
    };
  }

  private static <S extends Server> S add(S server) {
    SERVERS.add(server);
    return server;
  }

  /** The jars, without those of the project itself, as their places in the repository. */
  private static List<Path> classPath(String project) throws IOException {
    Path file = build.project("project").resolve(project).resolve("target").resolve("class-path");
    return Stream.of(Files.readString(file).split(File.pathSeparator))
        .map(jar -> build.repository().relativize(Path.of(jar)))
        .toList();
  }
}
