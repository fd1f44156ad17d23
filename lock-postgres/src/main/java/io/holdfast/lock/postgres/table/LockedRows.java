/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.postgres.table;

import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.postgres.connect.PgConnection;
import io.holdfast.lock.postgres.connect.PgFailures;
import io.holdfast.lock.postgres.connect.PostgresConfig;
import io.holdfast.lock.postgres.schema.EncodedName;
import io.holdfast.lock.postgres.session.PendingRequest;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * The rows that other sessions keep locked, such as an administrator's open transaction. A
 * statement waits for a row that it finds locked, as other clients lock it for a moment only. If
 * one has waited until the statement time-out, it is carried out without the rows that are locked;
 * further statements leave these out, until they can be locked again or another transaction has
 * them locked, which may be an ordinary one. For the worker's thread.
 */
final class LockedRows {

  /** A statement for some of many requests. */
  interface Step<T> {

    /** Carries it out. */
    void carryOut(List<T> requests) throws SQLException;
  }

  /** A statement for one request. */
  interface Question<Q, A> {

    /** Carries it out. */
    A ask(Q request) throws SQLException;
  }

  private final String lockedSql;
  private final String namespace;

  /** By names, the transactions that have them locked. */
  private Map<String, String> locked = Map.of();

  LockedRows(PostgresConfig config) {
    this.lockedSql = config.schema().statement("table/locked.sql");
    this.namespace = config.namespace();
  }

  /**
   * Carries a step out for requests whose rows are not locked.
   *
   * @param name of a request's row
   * @return the requests that were left out
   */
  <T> List<T> leaveOut(PgConnection pg, List<T> requests, Function<T, String> name, Step<T> step)
      throws SQLException {
    if (!locked.isEmpty()) {
      locked = stillLocked(pg);
    }
    try {
      carryOut(requests, name, step);
    } catch (SQLException e) {
      if (!PgFailures.isTimeout(e) || PgFailures.end(e).isPresent()) {
        throw e;
      }
      Map<String, String> found = find(pg, requests.stream().map(name).toList());
      if (locked.keySet().containsAll(found.keySet())) {
        throw e;
      }
      found.putAll(locked);
      locked = found;
      carryOut(requests, name, step);
    }
    return requests.stream().filter(one -> locked.containsKey(name.apply(one))).toList();
  }

  /** Answers requests one by one, and fails those whose rows stay locked. */
  <Q, A> void answer(
      PgConnection pg,
      List<PendingRequest<Q, A>> requests,
      Function<Q, String> lockName,
      Question<Q, A> question)
      throws SQLException {
    leaveOut(
            pg,
            requests,
            one -> EncodedName.of(lockName.apply(one.request())),
            some -> answer(some, question))
        .forEach(one -> one.fail(unavailable(lockName.apply(one.request()))));
  }

  private static <Q, A> void answer(List<PendingRequest<Q, A>> some, Question<Q, A> question)
      throws SQLException {
    for (PendingRequest<Q, A> one : some) {
      // A first try may have come this far.
      if (!one.answer().isDone()) {
        one.answer(question.ask(one.request()));
      }
    }
  }

  private Map<String, String> stillLocked(PgConnection pg) throws SQLException {
    try {
      Map<String, String> found = find(pg, locked.keySet());
      found.entrySet().retainAll(locked.entrySet());
      return found;
    } catch (SQLException e) {
      if (PgFailures.isTimeout(e)) {
        // The whole table is locked, perhaps for less time than the step would wait.
        return locked;
      }
      throw e;
    }
  }

  private <T> void carryOut(List<T> requests, Function<T, String> name, Step<T> step)
      throws SQLException {
    List<T> others = requests.stream().filter(one -> !locked.containsKey(name.apply(one))).toList();
    if (!others.isEmpty()) {
      step.carryOut(others);
    }
  }

  private Map<String, String> find(PgConnection pg, Collection<String> names) throws SQLException {
    PreparedStatement statement = pg.prepare(lockedSql);
    statement.setArray(1, pg.texts(names.toArray(String[]::new)));
    statement.setString(2, namespace);
    statement.execute();
    statement.getMoreResults();
    Map<String, String> found = new HashMap<>();
    try (ResultSet answer = statement.getResultSet()) {
      while (answer.next()) {
        found.put(answer.getString(1), answer.getString(2));
      }
    }
    return found;
  }

  /** Why a request was left out. */
  static LockUnavailableException unavailable(TableClaim claim) {
    return unavailable(claim.request().lockName());
  }

  private static LockUnavailableException unavailable(String lockName) {
    return new LockUnavailableException(
        "Lock '%s': another session keeps its row of table_lock locked; end its transaction"
            .formatted(lockName));
  }
}
