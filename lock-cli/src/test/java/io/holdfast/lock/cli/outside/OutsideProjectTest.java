/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.cli.outside;

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
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
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
 * locks of all backends at a time.
 */
class OutsideProjectTest {

  private static final Path SOURCES = Path.of("src", "test", "outside").toAbsolutePath();
  private static final List<String> MODULES =
      List.of(
          "lock-api",
          "lock-memory",
          "lock-worker",
          "lock-redis",
          "lock-redlock",
          "lock-zookeeper",
          "lock-etcd",
          "lock-postgres",
          "lock-servers",
          "lock-tck");
  private static final List<String> PROVIDERS =
      List.of("redis", "redlock", "zookeeper", "etcd", "postgres-advisory", "memory");

  @TempDir static Path dir;
  private static final List<Server> SERVERS = new ArrayList<>();
  private static ThrowAwayRepository repository;

  /** The servers start while Maven is at work. */
  @BeforeAll
  static void build() throws Exception {
    copy(SOURCES, dir.resolve("project"));
    repository = ThrowAwayRepository.create(dir.resolve("repository"), machineRepository());
    for (String pom : List.of("holdfast", "lock-parent", "lock-bom")) {
      repository.installPom(pom);
    }
    for (String module : MODULES) {
      repository.installJar(module);
    }
    Process maven = start("maven", dir.resolve("project"), maven());
    try {
      launchServers();
      assertEnds(maven, "maven", Duration.ofMinutes(4));
    } finally {
      maven.destroyForcibly();
    }
  }

  @AfterAll
  static void stop() throws IOException {
    SERVERS.forEach(Server::close);
    repository.close();
  }

  @Test
  void theBillNamesWhatUsersCanTake() throws IOException {
    Set<String> users = new TreeSet<>(MODULES);
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
      all.removeAll(Set.of("lock-bench", "lock-cli", "lock-sample"));
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
    Path classes = dir.resolve("project").resolve(project).resolve("target");
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
    Process outside = start(project, dir, command);
    try {
      String output = assertEnds(outside, project, Duration.ofMinutes(1));
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
      }
    }
    settings.append("backend.redlock.restart-delay = none\n");
    settings.append("backend.postgres-advisory.provider = postgres-advisory\n");
    settings.append("backend.postgres-advisory.user = holdfast\n");
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
    Path file = dir.resolve("project").resolve(project).resolve("target").resolve("class-path");
    return Stream.of(Files.readString(file).split(File.pathSeparator))
        .map(jar -> repository.directory().relativize(Path.of(jar)))
        .toList();
  }

  private static List<String> maven() {
    List<String> command = new ArrayList<>();
    String home = System.getProperty("outside.maven");
    command.add(home == null ? "mvn" : Path.of(home, "bin", "mvn").toString());
    command.addAll(List.of("-B", "-q", "-Dmaven.repo.local=" + repository.directory()));
    command.add("-Dholdfast.version=" + repository.version());
    String settings = System.getProperty("outside.settings");
    if (settings != null && Files.exists(Path.of(URI.create(settings)))) {
      command.addAll(List.of("-s", Path.of(URI.create(settings)).toString()));
    }
    if ("offline: true".equals(System.getProperty("outside.offline"))) {
      command.add("-o");
    }
    command.add("compile");
    return command;
  }

  private static Path machineRepository() {
    String known = System.getProperty("outside.repository");
    return known == null
        ? Path.of(System.getProperty("user.home"), ".m2", "repository")
        : Path.of(known);
  }

  private static Process start(String name, Path work, List<String> command) throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(work.toFile())
            .redirectErrorStream(true)
            .redirectOutput(dir.resolve(name + ".log").toFile());
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    builder
        .environment()
        .merge("MAVEN_OPTS", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC", (a, b) -> a + " " + b);
    return builder.start();
  }

  private static String assertEnds(Process process, String name, Duration limit) throws Exception {
    boolean ended = process.waitFor(limit.toSeconds(), TimeUnit.SECONDS);
    String output = Files.readString(dir.resolve(name + ".log"));
    assertTrue(ended, () -> name + " does not end:\n" + output);
    assertEquals(0, process.exitValue(), () -> name + " fails:\n" + output);
    return output;
  }

  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Path copy = to.resolve(from.relativize(file).toString());
        Files.createDirectories(copy.getParent());
        Files.copy(file, copy);
      }
    }
  }
}
