/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.Locks;
import io.holdfast.lock.config.Preset;
import io.holdfast.lock.guard.SqlGuard;
import io.holdfast.lock.servers.EtcdServer;
import io.holdfast.lock.servers.PostgresServer;
import io.holdfast.lock.servers.RedisServer;
import io.holdfast.lock.servers.Server;
import io.holdfast.lock.servers.ZooKeeperServer;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The README's quick start for each scenario, as written there, with a real server. */
class ReadmeScenariosTest {

  private static final String PROGRAM =
      """
      import io.holdfast.lock.*;
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

  @TempDir static Path dir;

  @BeforeAll
  static void compileAll() throws IOException {
    for (Preset preset : Preset.values()) {
      String code = ReadmeRuns.block(heading(preset), "java", 0);
      ReadmeRuns.compile(dir, preset.name(), PROGRAM.formatted(preset.name(), code));
    }
  }

  private static String heading(Preset preset) {
    return "**`" + preset.id() + "`**: ";
  }

  @Test
  void financial() throws Exception {
    try (PostgresServer server = PostgresServer.launch()) {
      createAccount(server);
      compilePort(Preset.FINANCIAL, "5432", server);
      run(Preset.FINANCIAL, "5432", server, "lock-postgres");
      assertEquals("90", server.ask("SELECT balance FROM account").get(0));
      assertEquals("1", server.ask("SELECT count(*) FROM holdfast_fence").get(0));
    }
  }

  @Test
  void session() throws Exception {
    try (PostgresServer server = PostgresServer.launch()) {
      createAccount(server);
      run(Preset.SESSION, "5432", server, "lock-postgres");
      assertEquals("90", server.ask("SELECT balance FROM account").get(0));
    }
  }

  @Test
  void cache() throws Exception {
    try (RedisServer server = RedisServer.launch()) {
      assertSays("computed once, for all", run(Preset.CACHE, "6379", server, "lock-redis"));
      Map<String, String> settings = Map.of("uri", "redis://localhost:" + server.port());
      try (LockClient locks = Locks.open("redis", settings);
          Lease busy = locks.lock("page:home").acquire()) {
        assertSays("somebody else is at it", run(Preset.CACHE, "6379", server, "lock-redis"));
        assertTrue(busy.isValid());
      }
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
    try (RedisServer server = RedisServer.launch()) {
      assertSays("go on", run(Preset.RATE_LIMIT, "6379", server, "lock-redis"));
      assertEquals("1", server.command("EXISTS", "lock.rate-limit#rate:user:7"));
    }
  }

  private static void assertSays(String words, String output) {
    assertTrue(
        Pattern.compile("^" + words + "$", Pattern.MULTILINE).matcher(output).find(), output);
  }

  private static String run(Preset preset, String usualPort, Server server, String module)
      throws Exception {
    String settings =
        ReadmeRuns.block(heading(preset), "properties", 0)
            .replace(usualPort, String.valueOf(server.port()));
    String output =
        ReadmeRuns.run(dir, preset.name(), settings, ReadmeExampleTest.classPathWith(module));
    assertFalse(output.contains("Exception"), output);
    return output;
  }

  /** For the example that has the address in its code as well. */
  private static void compilePort(Preset preset, String usualPort, Server server)
      throws IOException {
    String code =
        ReadmeRuns.block(heading(preset), "java", 0)
            .replace(usualPort, String.valueOf(server.port()));
    ReadmeRuns.compile(dir, preset.name(), PROGRAM.formatted(preset.name(), code));
  }

  private static void createAccount(PostgresServer server) throws Exception {
    try (Connection connection =
            DriverManager.getConnection(server.url(), PostgresServer.USER, "");
        Statement statement = connection.createStatement();
        InputStream fence =
            Objects.requireNonNull(SqlGuard.class.getResourceAsStream("holdfast_fence.sql"))) {
      statement.execute(new String(fence.readAllBytes(), StandardCharsets.UTF_8));
      statement.execute("CREATE TABLE account (id INT PRIMARY KEY, balance INT)");
      statement.execute("INSERT INTO account VALUES (7, 100)");
    }
  }
}
