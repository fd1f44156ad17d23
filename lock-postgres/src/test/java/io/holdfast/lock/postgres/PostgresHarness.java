/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.postgres;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockEvent;
import io.holdfast.lock.LockHolder;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.Locks;
import io.holdfast.lock.Retry;
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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import javax.sql.DataSource;

/** A real server, clients on it, and an administrator who looks. */
public final class PostgresHarness implements AutoCloseable {

  static final Duration SOON = Duration.ofSeconds(20);

  /** Where no time-out is meant to pass: a busy machine can take seconds from any request. */
  static final Map<String, String> PATIENT = Map.of("command-timeout", "10s");

  /** So that no poll finds the lock free in time. */
  static final LockOptions NO_POLLS =
      LockOptions.defaults()
          .withTtl(Duration.ofMinutes(2))
          .withRetry(
              Retry.defaults()
                  .withPauses(Duration.ofMinutes(1), Duration.ofMinutes(1))
                  .withJitter(0));

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
    Map<String, String> settings = settings(more);
    if (provider.equals(TableLockProvider.NAME)) {
      // As with the other providers: a busy machine may take more than the 2 s of this one.
      settings.putIfAbsent("command-timeout", "5s");
    }
    return closing(Locks.open(provider, settings));
  }

  /** Over connections that are lent to it. */
  static LockClient lent(String provider, DataSource source, Map<String, String> settings) {
    return switch (provider) {
      case AdvisoryLockProvider.NAME ->
          PostgresLocks.advisory(source, settings, ClientOptions.defaults());
      case TableLockProvider.NAME ->
          PostgresLocks.table(source, settings, ClientOptions.defaults());
      default -> PostgresLocks.row(source, settings, ClientOptions.defaults());
    };
  }

  public Connection connect() throws SQLException {
    return closing(DriverManager.getConnection(server.url(), PostgresServer.USER, ""));
  }

  Connection begin() throws SQLException {
    Connection connection = connect();
    connection.setAutoCommit(false);
    return connection;
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

  /** Ends the sessions of all clients that are in a state, once there is one. */
  void terminate(String state) {
    String ended =
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            + " WHERE backend_type = 'client backend' AND state = '"
            + state
            + "'";
    await("a session that is " + state, () -> !server.ask(ended).isEmpty());
  }

  /** Ends the statements that wait for a lock, as their time-outs would. */
  void cancelWaiters() {
    awaitWaiter();
    server.ask("SELECT pg_cancel_backend(pid) FROM pg_locks WHERE NOT granted");
  }

  /** Takes a lock from its holder; answers whether it had that. */
  static boolean evict(LockClient operator, LockHolder holder) {
    try {
      return operator.inspector().evict(holder);
    } catch (LockUnavailableException e) {
      // The server was asked to end its session, and has not within half a second.
      await("the end of its session", () -> !isStill(operator, holder));
      return true;
    }
  }

  private static boolean isStill(LockClient operator, LockHolder holder) {
    return operator
        .inspector()
        .holder(holder.lockName())
        .filter(now -> now.ownerId().equals(holder.ownerId()))
        .isPresent();
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

  /** A waiter that has been refused, and now waits for a message. */
  static CompletableFuture<Lease> waiting(LockClient client, String name) throws Exception {
    CompletableFuture<LockEvent> refused = new CompletableFuture<>();
    client.addListener(
        event -> {
          if (event instanceof LockEvent.Contended) {
            refused.complete(event);
          }
        });
    CompletableFuture<Lease> waiting = client.lock(name, NO_POLLS).acquireAsync();
    get(refused);
    return waiting;
  }

  static <T> T get(Future<T> result) throws Exception {
    return result.get(SOON.toSeconds(), TimeUnit.SECONDS);
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
