/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.cli;

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
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
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

  private static final String MAIN = "io.holdfast.lock.sample.Counter";
  private static final int TIMES = 50;

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
          backend.main.user = holdfast
          backend.main.create-schema = true
          """
              .formatted(server.url(), provider));
    }
  }

  /** What the counter is worth: with a backend that excludes nobody else, it notices. */
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
      assertTrue(run.output.contains("'redis' misses a class"), run.output);
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
    List<Process> processes = new ArrayList<>();
    try {
      for (int i = 0; i < 2; i++) {
        ProcessBuilder builder =
            new ProcessBuilder(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-cp",
                    classPath,
                    MAIN,
                    "counter",
                    "count",
                    String.valueOf(TIMES))
                .directory(dir.toFile())
                .redirectErrorStream(true)
                .redirectOutput(dir.resolve("output-" + i).toFile());
        builder.environment().putAll(environment);
        processes.add(builder.start());
      }
      List<Run> runs = new ArrayList<>();
      for (int i = 0; i < 2; i++) {
        assertTrue(processes.get(i).waitFor(90, TimeUnit.SECONDS), "the sample does not end");
        String output = Files.readString(dir.resolve("output-" + i));
        runs.add(new Run(processes.get(i).exitValue(), output));
      }
      return runs;
    } finally {
      processes.forEach(Process::destroyForcibly);
    }
  }
}
