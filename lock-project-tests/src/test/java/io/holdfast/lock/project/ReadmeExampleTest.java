/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.project;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.servers.Conditions;
import io.holdfast.lock.servers.EtcdServer;
import io.holdfast.lock.servers.PostgresServer;
import io.holdfast.lock.servers.RedisServer;
import io.holdfast.lock.servers.Server;
import io.holdfast.lock.servers.ZooKeeperServer;
import io.holdfast.lock.testsupport.PageExamples;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The example in the README, as written there: compiled once, against the API alone, and run
 * against each backend by changing the class path and the configuration, which is the first one on
 * the backend's page.
 */
class ReadmeExampleTest {

  private static final Pattern HELD =
      Pattern.compile("holding order:12345 with token [1-9][0-9]*\\s*");

  private static final Pattern LEADS = Pattern.compile("leads, with token [1-9][0-9]*\\s");
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /** The first connection of a JVM may take long on a busy machine. */
  private static final String PATIENT = "\nconnect-timeout = 30s\n";

  @TempDir static Path dir;

  @BeforeAll
  static void compileOnceAgainstTheApiAlone() throws IOException {
    PageExamples.compile(
        dir, Map.of("Example", PageExamples.block(PageExamples.README, "java")), classPathWith());
  }

  @Test
  void onRedis() throws Exception {
    try (Server server = RedisServer.launch()) {
      String settings =
          PageExamples.block(PageExamples.README, "properties")
              .replace("6379", String.valueOf(server.port()));
      assertHolds(run(settings, classPathWith("lock-redis")));
    }
  }

  @Test
  void onZooKeeper() throws Exception {
    try (Server server = ZooKeeperServer.launch(Duration.ofMillis(500))) {
      String settings = settingsOf("zookeeper").replace("2181", String.valueOf(server.port()));
      assertHolds(run(settings, classPathWith("lock-zookeeper")));
    }
  }

  @Test
  void onEtcd() throws Exception {
    try (Server server = EtcdServer.launch()) {
      String settings = settingsOf("etcd").replace("2379", String.valueOf(server.port()));
      assertHolds(run(settings, classPathWith("lock-etcd")));
    }
  }

  @Test
  void onPostgres() throws Exception {
    try (Server server = PostgresServer.launch()) {
      String settings = settingsOf("postgres").replace("5432", String.valueOf(server.port()));
      assertHolds(run(settings, classPathWith("lock-postgres")));
    }
  }

  @Test
  void withoutTheDependencyTheErrorSaysWhatToAdd() throws Exception {
    String output =
        run(PageExamples.block(PageExamples.README, "properties"), classPathWith("lock-zookeeper"));
    assertTrue(output.contains("No lock provider 'redis'"), output);
    assertTrue(output.contains("[zookeeper]") && output.contains("lock-redis"), output);
  }

  @Test
  void theLeaderStopsWithItsProcess() throws Exception {
    String classPath = classPathWith("lock-worker", "lock-redis");
    String code = PageExamples.block(PageExamples.page("worker.md"), "## Leaders", "java");
    PageExamples.compile(dir, Map.of("Leader", code), classPath);
    try (Server server = RedisServer.launch()) {
      String settings =
          PageExamples.block(PageExamples.README, "properties")
              .replace("6379", String.valueOf(server.port()));
      try (RunningExample started =
          RunningExample.start(dir, "Leader", settings + PATIENT, classPath)) {
        Conditions.until("it leads", PATIENCE, () -> LEADS.matcher(started.said()).find());
        started.process().destroy();
        assertTrue(started.awaitEnd().contains("leads no more: STOPPED"), started.said());
      }
    }
  }

  private static String settingsOf(String backend) throws IOException {
    return PageExamples.block(PageExamples.page("backends/" + backend + ".md"), "properties");
  }

  private static void assertHolds(String output) {
    assertTrue(HELD.matcher(output).find(), output);
    assertTrue(!output.contains("stop now") && !output.contains("Exception"), output);
  }

  private static String run(String settings, String classPath) throws Exception {
    return RunningExample.run(dir, "Example", settings + PATIENT, classPath);
  }

  /** The class path of this test, as a user's would be with these modules and no others. */
  static String classPathWith(String... modules) {
    Set<String> wanted = new HashSet<>(Arrays.asList(modules));
    wanted.add("lock-api");
    return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
        .filter(entry -> module(entry).map(wanted::contains).orElse(!entry.contains("logback")))
        .collect(Collectors.joining(File.pathSeparator));
  }

  /** Which module of this build an entry is of. */
  private static Optional<String> module(String entry) {
    Matcher matcher = Pattern.compile("/(lock-[a-z]+)[/-]").matcher(entry);
    return matcher.find() ? Optional.of(matcher.group(1)) : Optional.empty();
  }
}
