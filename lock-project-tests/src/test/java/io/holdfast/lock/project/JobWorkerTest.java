/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.project;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.Locks;
import io.holdfast.lock.guard.SqlGuard;
import io.holdfast.lock.sample.JobWorker;
import io.holdfast.lock.servers.ChildJvm;
import io.holdfast.lock.servers.Conditions;
import io.holdfast.lock.servers.PostgresServer;
import io.holdfast.lock.servers.RedisServer;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two processes of the worked example of {@code docs/worker.md} share the jobs of a real table, and
 * whoever works is suspended and killed at the worst moments: each job is done once, in its order.
 */
class JobWorkerTest {

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @TempDir Path dir;
  private final PostgresServer postgres = PostgresServer.launch();
  private final List<ChildJvm> workers = new ArrayList<>();
  private long jobs;

  @BeforeEach
  void makeTheTables() throws IOException {
    postgres.ask(resource(JobWorker.class, "jobs.sql"));
    postgres.ask(resource(SqlGuard.class, "holdfast_fence.sql"));
  }

  @AfterEach
  void close() {
    workers.forEach(ChildJvm::close);
    postgres.close();
  }

  @Test
  void withALockInRedis() throws Exception {
    try (RedisServer redis = RedisServer.launch()) {
      eachJobIsDoneOnceInItsOrder(
          """
          backend.main.url = redis://%s:%d
          backend.main.connect-timeout = 30s
          scenario.jobs.ttl = 3s
          """
              .formatted(redis.host(), redis.port()));
    }
  }

  @Test
  void withAnAdvisoryLockInPostgres() throws Exception {
    // Takes longer than the workers' requests may, on a busy machine.
    Locks.open(
            "postgres-advisory",
            Map.of(
                "url",
                postgres.url(),
                "username",
                PostgresServer.USER,
                "create-schema",
                "true",
                "command-timeout",
                "60s"))
        .close();
    eachJobIsDoneOnceInItsOrder(
        """
        backend.main.provider = postgres-advisory
        backend.main.url = %s
        backend.main.username = holdfast
        backend.main.create-schema = true
        backend.main.connect-timeout = 30s
        backend.main.session-timeout = 3s
        """
            .formatted(postgres.url()));
  }

  private void eachJobIsDoneOnceInItsOrder(String backend) throws Exception {
    Path file = dir.resolve("holdfast.properties");
    Files.writeString(file, backend + "scenario.jobs.preset = leader\n");
    for (int i = 0; i < 2; i++) {
      workers.add(
          ChildJvm.start(
              JobWorker.class,
              file.toString(),
              "%s?user=%s&ApplicationName=%d".formatted(postgres.url(), PostgresServer.USER, i)));
    }
    add(20);
    awaitAllDone();

    ChildJvm early = suspendTheOneWho("SELECT balance", "ACCESS EXCLUSIVE");
    awaitAllDone();
    early.resume();
    early.awaitLine(line -> line.startsWith("refused"), PATIENCE);

    ChildJvm halfway = suspendTheOneWho("INSERT INTO ledger", "SHARE");
    awaitAllDone();
    halfway.resume();
    halfway.awaitLine(line -> line.startsWith("stopped"), PATIENCE);

    try (Hold hold = new Hold("SHARE")) {
      add(5);
      ChildJvm dying = hold.awaitTheOneWho("INSERT INTO ledger");
      dying.kill();
    }
    awaitAllDone();

    assertEquals(
        LongStream.rangeClosed(1, jobs).mapToObj(String::valueOf).toList(),
        postgres.ask("SELECT job FROM ledger ORDER BY entry"));
    assertEquals(
        List.of("t"),
        postgres.ask(
            "SELECT bool_and(balance = sum) FROM (SELECT balance, sum(amount)"
                + " OVER (ORDER BY entry) FROM ledger JOIN job ON job.id = job) AS posted"));
    assertTrue(
        Integer.parseInt(postgres.ask("SELECT count(DISTINCT token) FROM ledger").get(0)) >= 4,
        "the work was handed over three times");
  }

  /** Adds jobs, and suspends the worker that has come to a statement, which is carried out then. */
  private ChildJvm suspendTheOneWho(String statement, String mode) throws SQLException {
    try (Hold hold = new Hold(mode)) {
      add(5);
      ChildJvm worker = hold.awaitTheOneWho(statement);
      worker.suspend();
      return worker;
    }
  }

  private void add(int count) {
    postgres.ask("INSERT INTO job (amount) SELECT generate_series(1, " + count + ")");
    jobs += count;
  }

  private void awaitAllDone() {
    Conditions.until(
        "all jobs are done",
        PATIENCE,
        () -> postgres.ask("SELECT count(*) FROM job WHERE NOT done").equals(List.of("0")));
  }

  private static String resource(Class<?> beside, String name) throws IOException {
    try (InputStream in = Objects.requireNonNull(beside.getResourceAsStream(name))) {
      return new String(in.readAllBytes(), UTF_8);
    }
  }

  /** Keeps statements upon the ledger waiting, until it is closed. */
  private final class Hold implements AutoCloseable {

    private final Connection connection =
        DriverManager.getConnection(postgres.url(), PostgresServer.USER, "");

    Hold(String mode) throws SQLException {
      connection.setAutoCommit(false);
      connection.createStatement().execute("LOCK TABLE ledger IN " + mode + " MODE");
    }

    /** Sessions are called after the place of their process in the list. */
    ChildJvm awaitTheOneWho(String statement) {
      String waiting =
          "SELECT application_name FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
              + " AND query LIKE '%s%%'".formatted(statement);
      Conditions.until(
          "somebody waits to " + statement, PATIENCE, () -> !postgres.ask(waiting).isEmpty());
      return workers.get(Integer.parseInt(postgres.ask(waiting).get(0)));
    }

    @Override
    public void close() throws SQLException {
      connection.close();
    }
  }
}
