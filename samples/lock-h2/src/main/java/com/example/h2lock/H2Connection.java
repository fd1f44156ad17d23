/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package com.example.h2lock;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Timestamp;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;

/**
 * The one connection of a backend, made anew after any failure. Before a new one is used, the
 * server has ended the sessions of those before it, so that nothing that was sent there can be
 * carried out any more; and all statements are prepared, so that each takes one round trip later.
 * For one thread.
 */
final class H2Connection {

  /**
   * A session as the server knows it. Numbers begin anew when the server does, so the beginning of
   * the session counts as well.
   */
  private record Session(int id, Timestamp began) {}

  private final String url;
  private final String user;
  private final String password;
  private final Duration timeout;
  private final List<String> statements;
  private final Set<Session> old = new LinkedHashSet<>();
  private final Map<String, PreparedStatement> prepared = new HashMap<>();
  private Connection connection;
  private Session session;

  /**
   * Connects to nothing yet.
   *
   * @param timeout of each round trip
   * @param statements those that will be used
   */
  H2Connection(
      String url, String user, String password, Duration timeout, List<String> statements) {
    this.url = url;
    this.user = user;
    this.password = password;
    this.timeout = timeout;
    this.statements = statements;
  }

  /** For messages. */
  String url() {
    return url;
  }

  /** On a connection after which nothing of the earlier ones can follow. */
  PreparedStatement prepared(String sql) throws SQLException {
    connect();
    return prepared.get(sql);
  }

  /** The same for what is done once. */
  void execute(String sql) throws SQLException {
    if (connection == null) {
      connection = login();
    }
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  /** Does nothing if there is a connection that works. */
  private void connect() throws SQLException {
    if (connection == null) {
      connection = login();
    }
    for (String sql : statements) {
      if (!prepared.containsKey(sql)) {
        prepared.put(sql, connection.prepareStatement(sql));
      }
    }
  }

  private Connection login() throws SQLException {
    Properties login = new Properties();
    login.setProperty("user", user);
    login.setProperty("password", password);
    Connection made =
        DriverManager.getConnection(url + ";NETWORK_TIMEOUT=" + timeout.toMillis(), login);
    try {
      session = own(made);
      for (Session before : List.copyOf(old)) {
        end(made, before);
        old.remove(before);
      }
      return made;
    } catch (SQLException | RuntimeException e) {
      made.close();
      throw e;
    }
  }

  private static Session own(Connection made) throws SQLException {
    try (Statement statement = made.createStatement();
        ResultSet answer =
            statement.executeQuery(
                "SELECT SESSION_ID, SESSION_START FROM INFORMATION_SCHEMA.SESSIONS"
                    + " WHERE SESSION_ID = SESSION_ID()")) {
      answer.next();
      return new Session(answer.getInt(1), answer.getTimestamp(2));
    }
  }

  private static void end(Connection by, Session session) throws SQLException {
    String which =
        " FROM INFORMATION_SCHEMA.SESSIONS WHERE SESSION_ID = ? AND SESSION_START = ?";
    for (String sql : List.of("SELECT ABORT_SESSION(SESSION_ID)" + which, "SELECT 1" + which)) {
      try (PreparedStatement statement = by.prepareStatement(sql)) {
        statement.setInt(1, session.id());
        statement.setTimestamp(2, session.began());
        try (ResultSet answer = statement.executeQuery()) {
          if (answer.next() && sql.startsWith("SELECT 1")) {
            throw new SQLException("the server has not ended an earlier session yet");
          }
        }
      }
    }
  }

  /** After a failure: what was sent may be carried out still. */
  void giveUp() {
    if (connection != null) {
      old.add(session);
      close();
    }
  }

  void close() {
    try {
      if (connection != null) {
        connection.close();
      }
    } catch (SQLException e) {
      // The server ends it, or the next connection has it ended.
    } finally {
      connection = null;
      prepared.clear();
    }
  }
}
