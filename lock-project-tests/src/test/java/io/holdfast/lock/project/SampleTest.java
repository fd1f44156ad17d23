/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.project;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.sample.Visits;
import io.holdfast.lock.servers.Conditions;
import io.holdfast.lock.servers.EtcdServer;
import io.holdfast.lock.servers.PostgresServer;
import io.holdfast.lock.servers.RedisServer;
import io.holdfast.lock.servers.Server;
import io.holdfast.lock.servers.ZooKeeperServer;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The sample application as it was built, two processes of it, with each provider: what differs is
 * the class path and the file beside it.
 */
@Execution(ExecutionMode.CONCURRENT)
class SampleTest {

  private static final String COUNTER = "io.holdfast.lock.sample.Counter";
  private static final int TIMES = 50;
  private static final Duration PATIENCE = Duration.ofSeconds(90);

  private static final String TERMINATE_THE_WRITER =
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
          + " WHERE wait_event_type = 'Lock' AND query LIKE 'UPDATE session%'";

  /** Two JVMs begin at once, on a machine that may be busy. */
  private static final String PATIENT =
      """
      backend.main.connect-timeout = 30s
      backend.main.command-timeout = 5s
      """;

  @TempDir Path dir;

  @Test
  void onRedis() throws Exception {
    try (Server server = RedisServer.launch()) {
      assertCounts("redis", "backend.main.url = redis://localhost:" + server.port());
    }
  }

  @Test
  void onRedlock() throws Exception {
    try (Server a = RedisServer.launch();
        Server b = RedisServer.launch();
        Server c = RedisServer.launch()) {
      assertCounts(
          "redlock",
          """
          backend.main.url = redis://localhost:%d, redis://localhost:%d, redis://localhost:%d
          backend.main.restart-delay = none
          """
              .formatted(a.port(), b.port(), c.port()));
    }
  }

  @Test
  void onZooKeeper() throws Exception {
    try (Server server = ZooKeeperServer.launch(Duration.ofMillis(500))) {
      assertCounts("zookeeper", "backend.main.url = zookeeper://localhost:" + server.port());
    }
  }

  @Test
  void onEtcd() throws Exception {
    try (Server server = EtcdServer.launch()) {
      assertCounts("etcd", "backend.main.url = etcd://localhost:" + server.port());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"postgres-advisory", "postgres-table", "postgres-row"})
  void onPostgres(String provider) throws Exception {
    try (PostgresServer server = PostgresServer.launch()) {
      assertCounts(
          provider,
          """
          backend.main.url = %s
          backend.main.provider = %s
          backend.main.username = holdfast
          backend.main.create-schema = true
          """
              .formatted(server.url(), provider));
    }
  }

  /** The writes are in the lock's own transaction, which ends with the lock. */
  @Test
  void theWritesOfASessionAreUndoneWithALoss() throws Exception {
    try (PostgresServer server = PostgresServer.launch()) {
      server.ask(resource("visits.sql") + "INSERT INTO session VALUES ('s7')");
      Files.writeString(
          dir.resolve("holdfast.properties"),
          PATIENT
              + """
          backend.main.url = %s
          backend.main.username = holdfast
          backend.main.create-schema = true
          """
                  .formatted(server.url()));
      visitWell(server, 50, visit("a", 25), visit("b", 25));
      try (Connection held = DriverManager.getConnection(server.url(), PostgresServer.USER, "");
          Statement statement = held.createStatement()) {
        held.setAutoCommit(false);
        statement.execute("LOCK TABLE session IN SHARE MODE");
        try (Started c = visit("c", 1)) {
          Conditions.until(
              "it has written one row, and waits to write the other",
              PATIENCE,
              () -> server.ask(TERMINATE_THE_WRITER).contains("t"));
          end(List.of(c)).forEach(run -> assertTrue(run.exitCode != 0, run.output));
        }
      }
      assertVisits(50, server);
      visitWell(server, 51, visit("d", 1));
    }
  }

  private static void visitWell(PostgresServer server, int sum, Started... visitors)
      throws Exception {
    try {
      end(List.of(visitors)).forEach(run -> assertEquals(0, run.exitCode, run.output));
      assertVisits(sum, server);
    } finally {
      List.of(visitors).forEach(Started::close);
    }
  }

  private Started visit(String name, int times) throws IOException {
    return start(
        name,
        ReadmeExampleTest.classPathWith("lock-sample", "lock-postgres"),
        Map.of(),
        Visits.class.getName(),
        "s7",
        String.valueOf(times));
  }

  private static void assertVisits(int count, PostgresServer server) {
    assertEquals(List.of(String.valueOf(count)), server.ask("SELECT visits FROM session"));
    assertEquals(
        IntStream.rangeClosed(1, count).mapToObj(String::valueOf).toList(),
        server.ask("SELECT number FROM visit ORDER BY number"));
  }

  private static String resource(String name) throws IOException {
    try (InputStream in = Objects.requireNonNull(Visits.class.getResourceAsStream(name))) {
      return new String(in.readAllBytes(), UTF_8);
    }
  }

  /** Shows the worth of the counter: with a backend that excludes nobody else, it notices. */
  @Test
  void inMemoryTheProcessesAreNotKeptApart() throws Exception {
    List<Run> runs = runTwice("memory", "backend.main.url = memory:", Map.of());
    assertTrue(
        runs.stream().anyMatch(run -> run.exitCode != 0) || count() != 2 * TIMES,
        () -> "counted right without a lock: " + runs);
  }

  @Test
  void theEnvironmentGoesBeforeTheFileAndASecretComesFromElsewhere() throws Exception {
    try (Server server = RedisServer.launch("--requirepass", "hunter-two")) {
      Path secret = dir.resolve("secret");
      Files.writeString(secret, "hunter-two\n");
      String file =
          PATIENT
              + """
          backend.main.url = redis://localhost:1
          backend.main.password-env = REDIS_PASSWORD
          """;
      String url = "redis://localhost:" + server.port();
      assertAllEndWell(
          "redis",
          runTwice(
              "redis",
              file,
              Map.of("HOLDFAST_BACKEND_MAIN_URL", url, "REDIS_PASSWORD", "hunter-two")));
      assertAllEndWell(
          "redis",
          runTwice(
              "redis",
              PATIENT,
              Map.of(
                  "HOLDFAST_BACKEND_MAIN_URL",
                  url,
                  "HOLDFAST_BACKEND_MAIN_PASSWORD_FILE",
                  secret.toString())));
    }
  }

  @Test
  void aMissingModuleIsNamed() throws Exception {
    List<Run> runs =
        runTwice(
            "zookeeper",
            """
            backend.main.provider = redis
            backend.main.uri = redis://localhost
            """,
            Map.of());
    for (Run run : runs) {
      assertTrue(run.exitCode != 0);
      assertTrue(run.output.contains("holdfast.properties, line 1"), run.output);
      assertTrue(run.output.contains("[zookeeper]"), run.output);
      assertTrue(run.output.contains("lock-redis"), run.output);
    }
  }

  @Test
  void aMissingLibraryIsNamed() throws Exception {
    String classPath =
        Arrays.stream(
                ReadmeExampleTest.classPathWith("lock-sample", "lock-redis")
                    .split(File.pathSeparator, -1))
            .filter(entry -> !entry.contains("lettuce"))
            .collect(Collectors.joining(File.pathSeparator));
    for (Run run : runTwiceWith(classPath, "backend.main.url = redis://localhost", Map.of())) {
      assertTrue(run.exitCode != 0);
      assertTrue(run.output.contains("LockConfigurationException: "), run.output);
      assertTrue(run.output.contains("io.lettuce:lettuce-core: missing, needed 6.5"), run.output);
    }
  }

  private void assertCounts(String provider, String configuration) throws Exception {
    assertAllEndWell(provider, runTwice(provider, PATIENT + configuration, Map.of()));
  }

  private void assertAllEndWell(String provider, List<Run> runs) throws IOException {
    for (Run run : runs) {
      assertEquals(0, run.exitCode, run.output);
      assertTrue(run.output.contains("counted " + TIMES + " times with " + provider), run.output);
      assertFalse(run.output.contains("hunter-two"), run.output);
    }
    assertEquals(2 * TIMES, count());
    Files.delete(dir.resolve("count"));
  }

  private long count() throws IOException {
    return Long.parseLong(Files.readString(dir.resolve("count")).split(" ", 2)[0]);
  }

  private record Run(int exitCode, String output) {}

  private record Started(Process process, Path output) implements AutoCloseable {
    @Override
    public void close() {
      process.destroyForcibly();
    }
  }

  private List<Run> runTwice(String provider, String configuration, Map<String, String> environment)
      throws Exception {
    int hyphen = provider.indexOf('-');
    String module = "lock-" + (hyphen < 0 ? provider : provider.substring(0, hyphen));
    String classPath =
        provider.equals("redlock")
            ? ReadmeExampleTest.classPathWith("lock-sample", "lock-redlock", "lock-redis")
            : ReadmeExampleTest.classPathWith("lock-sample", module);
    return runTwiceWith(classPath, configuration, environment);
  }

  private List<Run> runTwiceWith(
      String classPath, String configuration, Map<String, String> environment) throws Exception {
    Files.writeString(
        dir.resolve("holdfast.properties"), configuration + "\nscenario.counter.backend = main\n");
    List<Started> started = new ArrayList<>();
    try {
      for (String name : List.of("a", "b")) {
        started.add(
            start(
                name, classPath, environment, COUNTER, "counter", "count", String.valueOf(TIMES)));
      }
      return end(started);
    } finally {
      started.forEach(Started::close);
    }
  }

  private Started start(
      String name, String classPath, Map<String, String> environment, String... mainAndArgs)
      throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                classPath));
    command.addAll(List.of(mainAndArgs));
    Path output = dir.resolve("output-" + name);
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(dir.toFile())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile());
    builder.environment().putAll(environment);
    return new Started(builder.start(), output);
  }

  private static List<Run> end(List<Started> started) throws Exception {
    List<Run> runs = new ArrayList<>();
    for (Started one : started) {
      assertTrue(
          one.process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS), "the sample does not end");
      runs.add(new Run(one.process.exitValue(), Files.readString(one.output)));
    }
    return runs;
  }
}
