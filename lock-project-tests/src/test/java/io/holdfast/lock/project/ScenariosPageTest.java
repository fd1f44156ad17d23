/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.project;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.Locks;
import io.holdfast.lock.cli.common.Terminal;
import io.holdfast.lock.cli.inspect.DoctorCommand;
import io.holdfast.lock.config.Preset;
import io.holdfast.lock.servers.EtcdServer;
import io.holdfast.lock.servers.PostgresServer;
import io.holdfast.lock.servers.RedisServer;
import io.holdfast.lock.servers.Server;
import io.holdfast.lock.servers.ZooKeeperServer;
import io.holdfast.lock.testsupport.PageExamples;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import picocli.CommandLine;

/** The example of each scenario on its page, as written there, with a real server. */
class ScenariosPageTest {

  private static final Path PAGE = PageExamples.page("scenarios.md");

  private static final String SHARES = "## Semaphores and read-write locks\n";

  private static final String PROGRAM =
      """
      import io.holdfast.lock.*;
      import io.holdfast.lock.config.*;
      import io.holdfast.lock.guard.*;
      import io.holdfast.lock.limit.*;
      import java.sql.*;
      import java.util.*;

      public class %s {
        public static void main(String[] args) throws Exception {
      %s
        }
      }
      """;

  /** The page's role has the name of our superuser, who may do anything and so proves nothing. */
  private static final String ORDINARY = "shop";

  @TempDir static Path dir;
  private static PostgresServer postgres;
  private static RedisServer redis;

  @BeforeAll
  static void begin() throws Exception {
    postgres = PostgresServer.launch();
    redis = RedisServer.launch();
    Map<String, String> code = new HashMap<>();
    for (Preset preset : Preset.values()) {
      String example =
          withPort(PageExamples.block(PAGE, heading(preset), "java"), "5432", postgres);
      example = example.replace("\"holdfast\"", '"' + ORDINARY + '"');
      code.put(preset.name(), PROGRAM.formatted(preset.name(), example));
    }
    code.put("SHARES", PROGRAM.formatted("SHARES", PageExamples.block(PAGE, SHARES, "java")));
    PageExamples.compile(dir, code, ReadmeExampleTest.classPathWith());
    createAccount();
  }

  @AfterAll
  static void end() {
    postgres.close();
    redis.close();
  }

  /** A port that was put in before may have the usual one's digits among its own. */
  private static String withPort(String text, String usual, Server server) {
    return text.replaceAll("\\b" + usual + "\\b", String.valueOf(server.port()));
  }

  private static String heading(Preset preset) {
    return "## `" + preset.id() + "`\n";
  }

  @Test
  void financial() throws Exception {
    int before = balance();
    run(Preset.FINANCIAL, "5432", postgres, "lock-postgres");
    assertEquals(before - 10, balance());
    assertEquals("1", postgres.ask("SELECT count(*) FROM holdfast_fence").get(0));
  }

  @Test
  void session() throws Exception {
    int before = balance();
    run(Preset.SESSION, "5432", postgres, "lock-postgres");
    assertEquals(before - 10, balance());
  }

  private static int balance() {
    return Integer.parseInt(postgres.ask("SELECT balance FROM account").get(0));
  }

  @Test
  void cache() throws Exception {
    assertSays("computed once, for all", run(Preset.CACHE, "6379", redis, "lock-redis"));
    Map<String, String> settings =
        Map.of("uri", "redis://localhost:" + redis.port(), "command-timeout", "5s");
    try (LockClient locks = Locks.open("redis", settings);
        Lease busy = locks.lock("page:home").acquire()) {
      assertSays("another process is computing it", run(Preset.CACHE, "6379", redis, "lock-redis"));
      assertTrue(busy.isValid());
    }
  }

  @Test
  void leader() throws Exception {
    try (Server server = ZooKeeperServer.launch(Duration.ofMillis(500))) {
      String output = run(Preset.LEADER, "2181", server, "lock-zookeeper");
      assertSays("leading", output);
      assertFalse(output.contains("another one"), output);
    }
  }

  @Test
  void batch() throws Exception {
    try (Server server = EtcdServer.launch()) {
      String output = run(Preset.BATCH, "2379", server, "lock-etcd");
      assertSays("fetch, token [1-9]\\d*\nload, token [1-9]\\d*\npublish, token [1-9]\\d*", output);
    }
  }

  @Test
  void rateLimit() throws Exception {
    assertSays("go on", run(Preset.RATE_LIMIT, "6379", redis, "lock-redis"));
    assertEquals("1", redis.command("EXISTS", "lock.rate-limit#rate:user:7"));
  }

  @Test
  void semaphoresAndReadWriteLocks() throws Exception {
    String output = run("SHARES", SHARES, "6379", redis, "lock-redis");
    assertSays("at most 5 anywhere\nmany at a time", output);
  }

  /** The doctor does not complain of what the page says to write. */
  @ParameterizedTest
  @EnumSource(
      value = Preset.class,
      mode = EnumSource.Mode.EXCLUDE,
      names = {"RATE_LIMIT", "BATCH"})
  void theDoctorAgreesWithTheTimesThatAreSet(Preset preset) throws Exception {
    try (Server zooKeeper = ZooKeeperServer.launch(Duration.ofMillis(500))) {
      String settings = PageExamples.block(PAGE, heading(preset), "properties");
      settings = withPort(withPort(asOrdinary(settings), "5432", postgres), "6379", redis);
      Path file = dir.resolve("doctor-" + preset.id() + ".properties");
      Files.writeString(file, patient(withPort(settings, "2181", zooKeeper)));
      String told = doctor("--json", "--scenario", preset.id(), "--config", file.toString());
      assertTrue(told.contains("\"findings\""), told);
      assertFalse(told.contains("\"warning\",\"promise\":\"take over\""), told);
    }
  }

  private static String doctor(String... args) {
    StringWriter told = new StringWriter();
    new CommandLine(new DoctorCommand(Terminal.none()))
        .setOut(new PrintWriter(told, true))
        .setErr(new PrintWriter(told, true))
        .execute(args);
    return told.toString();
  }

  private static void assertSays(String words, String output) {
    assertTrue(
        Pattern.compile("^" + words + "$", Pattern.MULTILINE).matcher(output).find(), output);
  }

  private static String run(Preset preset, String usualPort, Server server, String module)
      throws Exception {
    return run(preset.name(), heading(preset), usualPort, server, module);
  }

  private static String run(
      String program, String heading, String usualPort, Server server, String module)
      throws Exception {
    String settings =
        asOrdinary(withPort(PageExamples.block(PAGE, heading, "properties"), usualPort, server));
    String output =
        RunningExample.run(
            dir, program, patient(settings), ReadmeExampleTest.classPathWith(module));
    assertFalse(output.contains("Exception"), output);
    return output;
  }

  /** The first requests of a JVM may take long on a busy machine. */
  private static String patient(String settings) {
    String name = settings.replaceFirst("(?s).*?backend\\.(\\w+)\\.url.*", "$1");
    String connect = "\nbackend.%s.connect-timeout = 30s\n".formatted(name);
    String command = "backend.%s.command-timeout = 5s\n".formatted(name);
    return settings + connect + (settings.contains("redis://") ? command : "");
  }

  private static void createAccount() throws Exception {
    try (Connection connection =
            DriverManager.getConnection(postgres.url(), PostgresServer.USER, "");
        Statement statement = connection.createStatement()) {
      String once = PageExamples.block(PAGE, heading(Preset.FINANCIAL), "sql");
      statement.execute(once.replaceAll("\\bholdfast\\b", ORDINARY));
    }
  }

  private static String asOrdinary(String settings) {
    return settings.replace("username = holdfast", "username = " + ORDINARY);
  }
}
