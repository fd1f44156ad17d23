/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.sample;

import io.holdfast.lock.Lease;
import io.holdfast.lock.StaleTokenException;
import io.holdfast.lock.config.ScenarioLocks;
import io.holdfast.lock.config.Scenarios;
import io.holdfast.lock.guard.SqlGuard;
import io.holdfast.lock.worker.LockWorker;
import io.holdfast.lock.worker.StopReason;
import io.holdfast.lock.worker.Work;
import io.holdfast.lock.worker.WorkerOptions;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;

/**
 * Posts jobs to a ledger one after another, in their order. Start it in as many processes as you
 * like: one works, and when it dies, stands still or is shut down, another goes on where it
 * stopped. No job is lost, and none is done twice.
 *
 * <p>Arguments: the file with the scenario {@code jobs}, and the JDBC address of the database. Its
 * tables are {@code jobs.sql} and that of {@link SqlGuard}.
 */
public final class JobWorker implements Work {

  private static final Duration PAUSE = Duration.ofMillis(50);

  private final String url;

  private record Job(long id, long amount) {}

  private JobWorker(String url) {
    this.url = url;
  }

  /**
   * Works until the process is ended; with SIGTERM, another takes over at once.
   *
   * @param args file, address
   * @throws InterruptedException never
   */
  public static void main(String[] args) throws InterruptedException {
    try (Scenarios scenarios = Scenarios.open(Path.of(args[0]))) {
      ScenarioLocks locks = scenarios.forScenario("jobs");
      WorkerOptions options = WorkerOptions.defaults().withOptions(locks.scenario().options());
      new LockWorker(locks.client(), "jobs", new JobWorker(args[1]), options).start();
      new CountDownLatch(1).await();
    }
  }

  @Override
  public void start(Lease lease) throws SQLException {
    try (Connection database = connect()) {
      long token = lease.fencingToken();
      shutOutOthers(database, token);
      System.out.println("works with token " + token);
      while (!Thread.currentThread().isInterrupted()) {
        Optional<Job> job = next(database);
        if (job.isPresent()) {
          post(database, job.get(), newBalance(database, job.get()), token);
        } else {
          LockSupport.parkNanos(PAUSE.toNanos());
        }
      }
    } catch (StaleTokenException e) {
      System.out.println("refused: " + e.getMessage());
      throw e;
    }
  }

  /** When this is called, {@link #start} has returned, and nothing of the work goes on. */
  @Override
  public void stop(StopReason reason) {
    System.out.println("stopped: " + reason);
  }

  /** One that stands still within a transaction would keep the row of the fence for as long. */
  private Connection connect() throws SQLException {
    Connection database = DriverManager.getConnection(url);
    try (Statement statement = database.createStatement()) {
      statement.execute("SET idle_in_transaction_session_timeout = '2s'");
    }
    return database;
  }

  /**
   * Before anything is read: from here on, nobody with a smaller token can commit, so what is read
   * as not done stays so. Without this, an earlier worker could finish a job after it was read.
   */
  private static void shutOutOthers(Connection database, long token) throws SQLException {
    database.setAutoCommit(false);
    SqlGuard.check(database, "ledger", token);
    database.commit();
    database.setAutoCommit(true);
  }

  private static Optional<Job> next(Connection database) throws SQLException {
    String sql = "SELECT id, amount FROM job WHERE NOT done ORDER BY id LIMIT 1";
    try (PreparedStatement query = database.prepareStatement(sql);
        ResultSet job = query.executeQuery()) {
      return job.next() ? Optional.of(new Job(job.getLong(1), job.getLong(2))) : Optional.empty();
    }
  }

  /** Slow work is done outside of the transaction. Here the process may well stand still. */
  private static long newBalance(Connection database, Job job) throws SQLException {
    String sql = "SELECT balance FROM ledger ORDER BY entry DESC LIMIT 1";
    try (PreparedStatement query = database.prepareStatement(sql);
        ResultSet last = query.executeQuery()) {
      return (last.next() ? last.getLong(1) : 0) + job.amount();
    }
  }

  /** The result, and that the job is done: both or none, and only if nobody came after us. */
  private static void post(Connection database, Job job, long balance, long token)
      throws SQLException {
    database.setAutoCommit(false);
    SqlGuard.check(database, "ledger", token);
    update(
        database,
        "INSERT INTO ledger (job, balance, token) VALUES (?, ?, ?)",
        job.id(),
        balance,
        token);
    update(database, "UPDATE job SET done = TRUE WHERE id = ?", job.id());
    database.commit();
    database.setAutoCommit(true);
  }

  private static void update(Connection database, String sql, long... values) throws SQLException {
    try (PreparedStatement update = database.prepareStatement(sql)) {
      for (int i = 0; i < values.length; i++) {
        update.setLong(i + 1, values[i]);
      }
      update.executeUpdate();
    }
  }
}
