/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.postgres;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.Locks;
import io.holdfast.lock.servers.Conditions;
import io.holdfast.lock.servers.PostgresServer;
import io.holdfast.lock.servers.TcpProxy;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;

/** A real server, clients on it, and an administrator who looks. */
public final class PostgresHarness implements AutoCloseable {

  static final Duration SOON = Duration.ofSeconds(20);

  final PostgresServer server;
  private final Deque<AutoCloseable> opened = new ArrayDeque<>();

  public PostgresHarness(String... configuration) {
    server = PostgresServer.launch(configuration);
  }

  /**
   * Makes the schema, which on a busy machine takes longer than requests of a client with short
   * time-outs may.
   */
  PostgresHarness withSchema() {
    client(AdvisoryLockProvider.NAME, "command-timeout", "60s").close();
    await(
        "the end of its sessions",
        () ->
            server
                .ask("SELECT 1 FROM pg_stat_activity WHERE application_name = 'holdfast'")
                .isEmpty());
    return this;
  }

  public Map<String, String> settings(String... more) {
    Map<String, String> settings = new HashMap<>();
    settings.put("url", server.url());
    settings.put("username", PostgresServer.USER);
    settings.put("create-schema", "true");
    for (int i = 0; i < more.length; i += 2) {
      settings.put(more[i], more[i + 1]);
    }
    return settings;
  }

  LockClient client(String provider, String... more) {
    return closing(Locks.open(provider, settings(more)));
  }

  public Connection connect() throws SQLException {
    return closing(DriverManager.getConnection(server.url(), PostgresServer.USER, ""));
  }

  public static List<String> ask(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      if (!statement.execute(sql)) {
        return List.of();
      }
      List<String> found = new java.util.ArrayList<>();
      try (ResultSet answer = statement.getResultSet()) {
        while (answer.next()) {
          found.add(answer.getString(1));
        }
      }
      return found;
    }
  }

  /** The server's address over a link. */
  String url(TcpProxy link) {
    return server.url().replace(":" + server.port() + "/", ":" + link.port() + "/");
  }

  /** Until a session waits for a lock. */
  void awaitWaiter() {
    awaitWaiter("true");
  }

  /**
   * Until a session waits for a lock.
   *
   * @param which a condition of {@code pg_locks}
   */
  void awaitWaiter(String which) {
    String waiting = "SELECT pid FROM pg_locks WHERE NOT granted AND " + which;
    await("a session that waits", () -> !server.ask(waiting).isEmpty());
  }

  /** Ends the sessions of all clients that are in a state. */
  void terminate(String state) {
    server.ask(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            + " WHERE backend_type = 'client backend' AND state = '"
            + state
            + "'");
  }

  /** How many threads of a name are in a method. */
  static long threadsIn(String thread, String method) {
    return Thread.getAllStackTraces().entrySet().stream()
        .filter(each -> each.getKey().getName().equals(thread))
        .filter(
            each ->
                Arrays.stream(each.getValue())
                    .anyMatch(frame -> frame.getMethodName().equals(method)))
        .count();
  }

  <T extends AutoCloseable> T closing(T resource) {
    opened.push(resource);
    return resource;
  }

  public static void await(String what, BooleanSupplier condition) {
    Conditions.until(what, SOON, condition);
  }

  @Override
  public void close() {
    try {
      for (AutoCloseable resource : opened) {
        resource.close();
      }
    } catch (Exception e) {
      throw new AssertionError(e);
    } finally {
      server.close();
    }
  }
}
