/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package com.example.orders;

import io.holdfast.lock.servers.ChildJvm;
import io.holdfast.lock.servers.Ports;
import io.holdfast.lock.servers.PostgresServer;
import io.holdfast.lock.servers.RedisServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** PostgreSQL, Redis, and instances of the application as processes of their own. */
final class Shop implements AutoCloseable {

  private static final Duration PATIENCE = Duration.ofMinutes(3);

  /** A transaction of a suspended instance keeps its rows no longer than this. */
  private static final String LIMIT = "idle_in_transaction_session_timeout=6s";

  private final PostgresServer postgres = PostgresServer.launch(LIMIT);
  private final RedisServer redis = RedisServer.launch();
  private final List<Instance> instances = new CopyOnWriteArrayList<>();

  /** A process, and where it answers. */
  record Instance(ChildJvm process, int port) {

    String uri(String path) {
      return "http://127.0.0.1:" + port + path;
    }

    String name() {
      return "orders-" + port;
    }

    /** Returns when it answers. */
    Instance awaitStart() {
      process.awaitLine(line -> line.contains("Started OrdersApplication"), PATIENCE);
      return this;
    }
  }

  /** Starts an instance, and does not wait for it. */
  Instance start(String... properties) {
    int port = Ports.free();
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "--server.port=" + port,
                "--spring.datasource.url=" + postgres.url(),
                "--spring.datasource.username=" + PostgresServer.USER,
                "--spring.data.redis.host=" + redis.host(),
                "--spring.data.redis.port=" + redis.port()));
    arguments.addAll(List.of(properties));
    Instance instance =
        new Instance(
            ChildJvm.start(
                List.of("-Xmx256m"), OrdersApplication.class, arguments.toArray(String[]::new)),
            port);
    instances.add(instance);
    return instance;
  }

  /** The first column of what a statement finds. */
  List<String> ask(String sql) {
    return postgres.ask(sql);
  }

  /** Keeps the rows or the table that a statement locks, until the connection is closed. */
  Connection lock(String sql) throws SQLException {
    Connection connection =
        DriverManager.getConnection(postgres.url(), PostgresServer.USER, "");
    try (Statement statement = connection.createStatement()) {
      statement.execute("SET idle_in_transaction_session_timeout = 0");
      connection.setAutoCommit(false);
      statement.execute(sql);
    } catch (SQLException e) {
      connection.close();
      throw e;
    }
    return connection;
  }

  /** Also those that are suspended. */
  @Override
  public void close() {
    instances.forEach(instance -> instance.process().close());
    redis.close();
    postgres.close();
  }
}
