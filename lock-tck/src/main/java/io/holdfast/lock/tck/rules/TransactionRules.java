/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.rules;

import io.holdfast.lock.Capabilities.Scope;
import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.Locks;
import io.holdfast.lock.ReleaseOutcome;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/** Of exclusion and loss: where a lease brings a transaction, what its holder does with that. */
public final class TransactionRules {

  private static final int BODIES = 30;

  private interface Use {
    void with(Connection connection) throws SQLException;
  }

  @Rule(value = "EX-10", lookAt = "what a failed statement does to the lock and to release()")
  public void aFailedStatementKeepsTheLockAndIsNotCommitted(RuleContext context)
      throws InterruptedException {
    promised(context);
    LockClient other = context.client();
    try (Lease lease = context.client().lock(context.name(), context.options()).acquire()) {
      Connection connection = connection(lease);
      for (int i = 0; i < 2; i++) {
        context.expect(
            SQLException.class,
            () -> {
              execute(connection, "this is not SQL");
              return "carried out";
            });
        Holders.refused(
            lease,
            other.lock(context.name(), context.options()).tryAcquire(),
            "granted to another when a statement of the holder had failed");
      }
      ReleaseOutcome outcome = lease.release();
      context.check(
          outcome != ReleaseOutcome.RELEASED,
          "expected another answer than RELEASED, as nothing was committed, but found " + outcome);
    }
    other.lock(context.name(), context.options()).acquire(RuleContext.SLACK).close();
  }

  @Rule(value = "EX-11", lookAt = "attempt(): whether the snapshot is taken after the grant")
  public void aHolderSeesWhatTheOneBeforeItCommitted(RuleContext context)
      throws SQLException, InterruptedException {
    promised(context);
    Map<String, String> settings =
        context
            .fixture()
            .staleSnapshots()
            .orElseThrow(() -> context.skipped("the default isolation cannot be set here"));
    List<LockClient> clients =
        List.of(
            context.closing(Locks.open(settings)),
            context.closing(Locks.open(settings)),
            context.closing(Locks.open(settings)));
    String table = "\"" + context.name() + "\"";
    run(clients.get(0), context, "CREATE TABLE " + table + " (value bigint)");
    AtomicInteger next = new AtomicInteger();
    String count = "INSERT INTO " + table + " SELECT count(*) FROM " + table;
    context.together(
        6,
        () -> {
          LockClient client = clients.get(next.getAndIncrement() % clients.size());
          for (int i = 0; i < BODIES; i++) {
            run(client, context, count);
          }
          return true;
        });
    LockClient last = clients.get(0);
    last.lock(context.name(), context.options())
        .run(
            lease ->
                context.checkEquals(
                    6 * BODIES,
                    number(connection(lease), "SELECT count(DISTINCT value) FROM " + table),
                    "the number of different values"));
    run(last, context, "DROP TABLE " + table);
  }

  @Rule(value = "LS-15", lookAt = "unwrap(): how the end of the transaction is noticed")
  public void aHolderThatEndsTheTransactionIsToldBeforeTheCallReturns(RuleContext context)
      throws InterruptedException {
    promised(context);
    LockClient client = context.client();
    LockClient other = context.client();
    List<Use> ends =
        List.of(
            connection -> execute(connection, "COMMIT"),
            connection -> execute(connection, "ROLLBACK"),
            connection -> execute(connection, "PREPARE TRANSACTION '" + context.name() + "'"),
            connection -> execute(connection, "SELECT 1; COMMIT"),
            connection -> execute(connection, "SELECT 1; ROLLBACK AND CHAIN"),
            connection -> connection.getMetaData().getConnection().commit(),
            TransactionRules::rollBackByWayOfAResult);
    for (Use end : ends) {
      try (Lease lease =
          client.lock(context.name(), context.options()).acquire(RuleContext.SLACK)) {
        try {
          end.with(connection(lease));
        } catch (SQLException e) {
          context.checkSays(e, context.name());
        }
        if (lease.isValid()) {
          Holders.refused(
              lease,
              other.lock(context.name(), context.options()).tryAcquire(),
              "the holder has ended its transaction and believes beside the next");
        } else {
          context.get(lease.loss(), RuleContext.SLACK);
        }
      }
    }
  }

  private static void rollBackByWayOfAResult(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet answer = statement.executeQuery("SELECT 1")) {
      answer.getStatement().getConnection().rollback();
    }
  }

  private static void run(LockClient client, RuleContext context, String sql)
      throws SQLException, InterruptedException {
    client.lock(context.name(), context.options()).run(lease -> execute(connection(lease), sql));
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static int number(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet answer = statement.executeQuery(sql)) {
      answer.next();
      return answer.getInt(1);
    }
  }

  private static Connection connection(Lease lease) {
    return lease
        .unwrap(Connection.class)
        .orElseThrow(
            () ->
                new AssertionError(
                    "expected a connection, as a transaction is promised, but there is none"));
  }

  private static void promised(RuleContext context) {
    if (context.promises().scope() != Scope.TRANSACTION) {
      throw context.notPromised("leases bring no transaction");
    }
  }
}
