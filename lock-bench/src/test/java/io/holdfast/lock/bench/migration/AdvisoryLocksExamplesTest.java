/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.bench.migration;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.DistributedReadWriteLock;
import io.holdfast.lock.JavaReadWriteLock;
import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.bench.migration.SideBySide.Body;
import io.holdfast.lock.bench.migration.SideBySide.Release;
import io.holdfast.lock.postgres.PostgresLocks;
import io.holdfast.lock.postgres.TransactionLocks;
import io.holdfast.lock.servers.PostgresServer;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

/** The examples of {@code docs/migration/advisory-locks.md}, on one PostgreSQL. */
class AdvisoryLocksExamplesTest {

  private static final TransactionLocks TRANSACTION_LOCKS = TransactionLocks.create();

  private static PostgresServer server;
  private static DataSource dataSource;
  private static LockClient locks;

  @BeforeAll
  static void open() {
    server = PostgresServer.launch();
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setUrl(server.url());
    source.setUser(PostgresServer.USER);
    dataSource = source;
    locks =
        PostgresLocks.advisory(
            dataSource, Map.of("create-schema", "true"), ClientOptions.defaults());
  }

  @AfterAll
  static void close() {
    locks.close();
    server.close();
  }

  /** A lock of a session, as it is often written. */
  private static void inSession(String name, Body work) throws Exception {
    try (Connection connection = dataSource.getConnection()) {
      execute(connection, "SELECT pg_advisory_lock(hashtext(?))", name);
      try {
        work.run();
      } finally {
        execute(connection, "SELECT pg_advisory_unlock(hashtext(?))", name);
      }
    }
  }

  /** The same, shared with others that read. */
  private static void sharedInSession(String name, Body work) throws Exception {
    try (Connection connection = dataSource.getConnection()) {
      execute(connection, "SELECT pg_advisory_lock_shared(hashtext(?))", name);
      try {
        work.run();
      } finally {
        execute(connection, "SELECT pg_advisory_unlock_shared(hashtext(?))", name);
      }
    }
  }

  private static void bothSharedInSession(String name, Body work) throws Exception {
    sharedInSession(
        name,
        () -> {
          try (Lease lease = locks.readWriteLock(name).readLock().acquire()) {
            work.run();
            lease.ensureValid();
          }
        });
  }

  private static void bothWriteInSession(String name, Body work) throws Exception {
    inSession(
        name,
        () -> {
          try (Lease lease = locks.readWriteLock(name).writeLock().acquire()) {
            work.run();
            lease.ensureValid();
          }
        });
  }

  private static void bothInSession(String name, Body work) throws Exception {
    inSession(
        name,
        () -> {
          try (Lease lease = locks.lock(name).acquire()) {
            work.run();
            lease.ensureValid();
          }
        });
  }

  private static void inTransaction(String name, Body work) throws Exception {
    try (Connection connection = dataSource.getConnection()) {
      connection.setAutoCommit(false);
      execute(connection, "SELECT pg_advisory_xact_lock(hashtext(?))", name);
      work.run();
      connection.commit();
    }
  }

  private static void bothInTransaction(String name, Body work) throws Exception {
    try (Connection connection = dataSource.getConnection()) {
      connection.setAutoCommit(false);
      execute(connection, "SELECT pg_advisory_xact_lock(hashtext(?))", name);
      TRANSACTION_LOCKS.lock(connection, name);
      work.run();
      connection.commit();
    }
  }

  private static void oursInTransaction(String name, Body work) throws Exception {
    try (Connection connection = dataSource.getConnection()) {
      connection.setAutoCommit(false);
      long token = TRANSACTION_LOCKS.lock(connection, name);
      assertTrue(token > 0);
      work.run();
      connection.commit();
    }
  }

  private static void execute(Connection connection, String sql, String name) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setString(1, name);
      statement.execute();
    }
  }

  @Test
  void ourCalls() throws Exception {
    Lease lease = locks.lock("order:7").acquire();
    lease.release();
    locks.lock("order:7").tryAcquire().orElseThrow().release();
    try (Connection connection = dataSource.getConnection()) {
      connection.setAutoCommit(false);
      OptionalLong token = TRANSACTION_LOCKS.tryLock(connection, "order:7");
      assertTrue(token.isPresent());
      connection.commit();
    }
  }

  @Test
  void ourSharedCalls() throws Exception {
    DistributedReadWriteLock prices = locks.readWriteLock("prices");
    prices.readLock().acquire().release();
    prices.writeLock().acquire().release();
    prices.readLock().tryAcquire().orElseThrow().release();
    assertThrows(LockConfigurationException.class, () -> locks.semaphore("exports", 5));
  }

  @Test
  void bothAreHeldDuringTheChangeOfASharedLock() throws Exception {
    JavaReadWriteLock ours = locks.readWriteLock("prices:8").asJavaReadWriteLock();
    Release reading = body -> bothSharedInSession("prices:8", body);
    Release writing = body -> bothWriteInSession("prices:8", body);
    try (SideBySide releases = new SideBySide()) {
      releases.assertMigrates(
          body -> inSession("prices:8", body), writing, Release.of(ours.writeLock()));
      for (Release reader :
          List.<Release>of(
              body -> sharedInSession("prices:8", body), reading, Release.of(ours.readLock()))) {
        releases.assertOverlap(reader, reading);
        releases.assertExclude(reader, writing);
        releases.assertExclude(writing, reader);
      }
    }
  }

  @Test
  void bothAreHeldDuringTheChange() throws Exception {
    try (SideBySide releases = new SideBySide()) {
      releases.assertMigrates(
          body -> inSession("order:8", body),
          body -> bothInSession("order:8", body),
          Release.of(locks.lock("order:8").asJavaLock()));
    }
  }

  @Test
  void bothAreHeldDuringTheChangeOfATransactionsLock() throws Exception {
    try (SideBySide releases = new SideBySide()) {
      releases.assertMigrates(
          body -> inTransaction("order:9", body),
          body -> bothInTransaction("order:9", body),
          body -> oursInTransaction("order:9", body));
    }
  }

  /** Different names share a lock where the key has 32 bits. */
  @Test
  void theirKeysCollide() {
    assertEquals(
        1,
        Integer.parseInt(
            server
                .ask(
                    "SELECT least(count(*), 1) FROM (SELECT hashtext('order:' || i) FROM"
                        + " generate_series(1, 500000) AS g(i) GROUP BY 1 HAVING count(*) > 1) AS"
                        + " same")
                .get(0)));
  }
}
