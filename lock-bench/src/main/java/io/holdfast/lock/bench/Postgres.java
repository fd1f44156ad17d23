/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.bench;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.lock.bench.Entry.Kind;
import io.holdfast.lock.bench.Entry.Trait;
import io.holdfast.lock.servers.PostgresServer;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.BlockingDeque;
import java.util.concurrent.LinkedBlockingDeque;

/** PostgreSQL: two statements on a held connection, and advisory locks over a pool. */
final class Postgres {

  private static final int CONNECTIONS = 10;
  private static final String HELD =
      "PostgreSQL's driver, " + CONNECTIONS + " connections, prepared statements; ";

  private Postgres() {}

  static String url(Address address) {
    return "jdbc:postgresql://" + address.first() + "/" + PostgresServer.DATABASE;
  }

  static HikariDataSource pool(Address address) {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(url(address));
    config.setUsername(PostgresServer.USER);
    return new HikariDataSource(config);
  }

  static Entry advisoryLimit() {
    return limit(
        "postgres-advisory",
        "2 advisory statements",
        "pg_try_advisory_lock, pg_advisory_unlock",
        connection -> {
          PreparedStatement lock = connection.prepareStatement("SELECT pg_try_advisory_lock(?)");
          PreparedStatement unlock = connection.prepareStatement("SELECT pg_advisory_unlock(?)");
          return key -> {
            ask(lock, number(key));
            return () -> ask(unlock, number(key));
          };
        });
  }

  static Entry tableLimit() {
    return limit(
        "postgres-table",
        "upsert + update",
        "INSERT ON CONFLICT DO UPDATE of a row with owner and end, UPDATE of it",
        connection -> {
          execute(
              connection,
              "CREATE TABLE IF NOT EXISTS bare (name text PRIMARY KEY, owner text,"
                  + " expires_at timestamptz NOT NULL)");
          PreparedStatement upsert =
              connection.prepareStatement(
                  "INSERT INTO bare AS b VALUES (?, 'somebody', now() + interval '30 s')"
                      + " ON CONFLICT (name) DO UPDATE SET owner = excluded.owner,"
                      + " expires_at = excluded.expires_at WHERE b.expires_at <= now()");
          PreparedStatement free =
              connection.prepareStatement(
                  "UPDATE bare SET owner = NULL, expires_at = now()"
                      + " WHERE name = ? AND owner = 'somebody'");
          return key -> {
            update(upsert, key);
            return () -> update(free, key);
          };
        });
  }

  static Entry rowLimit() {
    return limit(
        "postgres-row",
        "SELECT FOR UPDATE + COMMIT",
        "of a row that is there",
        connection -> {
          execute(connection, "CREATE TABLE IF NOT EXISTS bare_row (name text PRIMARY KEY)");
          connection.setAutoCommit(false);
          PreparedStatement make =
              connection.prepareStatement("INSERT INTO bare_row VALUES (?) ON CONFLICT DO NOTHING");
          PreparedStatement lock =
              connection.prepareStatement(
                  "SELECT true FROM bare_row WHERE name = ? FOR UPDATE SKIP LOCKED");
          return key -> {
            lock.setString(1, key);
            boolean there;
            try (var rows = lock.executeQuery()) {
              there = rows.next();
            }
            if (!there) {
              update(make, key);
            }
            return connection::commit;
          };
        });
  }

  static Entry handWritten() {
    return new Entry(
        "postgres-advisory",
        Kind.PEER,
        "pg_advisory_lock over HikariCP",
        "a connection of the pool for each held lock, " + CONNECTIONS + " connections",
        Set.of(Trait.WAITS),
        address -> new HandWritten(pool(address)));
  }

  private static Entry limit(String backend, String name, String what, Preparation preparation) {
    return new Entry(
        backend,
        Kind.LIMIT,
        name,
        HELD + what,
        Set.of(),
        address -> new Bare(address, preparation));
  }

  private static long number(String key) {
    return UUID.nameUUIDFromBytes(key.getBytes(StandardCharsets.UTF_8)).getMostSignificantBits();
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (var statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static void ask(PreparedStatement statement, long parameter) throws SQLException {
    statement.setLong(1, parameter);
    statement.executeQuery().close();
  }

  private static void update(PreparedStatement statement, String parameter) throws SQLException {
    statement.setString(1, parameter);
    statement.executeUpdate();
  }

  /** Prepares a connection. */
  @FunctionalInterface
  private interface Preparation {
    Line prepare(Connection connection) throws SQLException;
  }

  /** A lock that is taken on a prepared connection. */
  @FunctionalInterface
  private interface Line {
    Contestant.Held take(String key) throws SQLException;
  }

  /** The connection that was used last is used next. */
  private static final class Bare implements Contestant {

    private final List<Connection> connections = new ArrayList<>();
    private final BlockingDeque<Line> idle = new LinkedBlockingDeque<>();

    Bare(Address address, Preparation preparation) throws SQLException {
      for (int i = 0; i < CONNECTIONS; i++) {
        Connection connection = DriverManager.getConnection(url(address), PostgresServer.USER, "");
        connections.add(connection);
        idle.addFirst(preparation.prepare(connection));
      }
    }

    @Override
    public Held take(String key) throws Exception {
      Line line = idle.takeFirst();
      Held held = line.take(key);
      return () -> {
        held.free();
        idle.addFirst(line);
      };
    }

    @Override
    public void close() {
      for (Connection connection : connections) {
        try {
          connection.close();
        } catch (SQLException e) {
          throw new IllegalStateException("Not closed", e);
        }
      }
    }
  }

  private record HandWritten(HikariDataSource pool) implements Contestant {

    @Override
    public Held take(String key) throws SQLException {
      Connection connection = pool.getConnection();
      try (PreparedStatement lock = connection.prepareStatement("SELECT pg_advisory_lock(?)")) {
        ask(lock, number(key));
      }
      return () -> {
        try (connection;
            PreparedStatement unlock =
                connection.prepareStatement("SELECT pg_advisory_unlock(?)")) {
          ask(unlock, number(key));
        }
      };
    }

    @Override
    public void close() {
      pool.close();
    }
  }
}
