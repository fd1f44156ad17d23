/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.postgres.admin;

import io.holdfast.lock.LockHolder;
import io.holdfast.lock.LockRejectedException;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.Share;
import io.holdfast.lock.postgres.connect.PgConnection;
import io.holdfast.lock.postgres.connect.PostgresConfig;
import io.holdfast.lock.postgres.schema.AdvisoryKey;
import io.holdfast.lock.postgres.schema.EncodedName;
import io.holdfast.lock.postgres.session.ConnectionWorker;
import io.holdfast.lock.postgres.session.PendingRequest;
import io.holdfast.lock.spi.LockInspection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * Asks the server about locks of one kind; each kind has three statements of the same form.
 *
 * <p>A row of a table tells owner, token and time. A lock of a session or a transaction tells the
 * server's process: then to take it away means to end that process, which is only done if nothing
 * else is lost with it. In the moment between the look and the end the session may have let go, and
 * have taken another lock instead; that one is lost then, and its holder is told.
 */
public final class PostgresInspection implements LockInspection {

  private final ConnectionWorker worker;
  private final String kind;
  private final String namespace;
  private final String channel;
  private final String holderSql;
  private final String heldSql;
  private final String evictSql;
  private final ConnectionWorker.Kind<String, List<LockHolder>> holders =
      ConnectionWorker.kind(4, this::holders);
  private final ConnectionWorker.Kind<LockHolder, Boolean> evict =
      ConnectionWorker.kind(5, this::evict);
  private final ConnectionWorker.Kind<String, Set<String>> held =
      ConnectionWorker.kind(6, this::held);

  /**
   * Asks over the connection of a worker.
   *
   * @param kind the folder of the statements, and what the keys are made of
   * @param channel on which releases are told
   */
  public PostgresInspection(
      ConnectionWorker worker, PostgresConfig config, String kind, String channel) {
    this.worker = worker;
    this.kind = kind;
    this.namespace = config.namespace();
    this.channel = channel;
    this.holderSql = config.schema().statement(kind + "/holder.sql");
    this.heldSql = config.schema().statement(kind + "/held.sql");
    this.evictSql = config.schema().statement(kind + "/evict.sql");
  }

  @Override
  public CompletableFuture<Optional<LockHolder>> holder(String lockName) {
    return holders(lockName).thenApply(found -> found.stream().findFirst());
  }

  @Override
  public CompletableFuture<List<LockHolder>> holders(String lockName) {
    return worker.ask(holders, lockName, () -> "Asking who holds lock '" + lockName + "'");
  }

  @Override
  public CompletableFuture<Set<String>> names() {
    return worker.ask(held, namespace, () -> "Listing the locks that are held");
  }

  @Override
  public CompletableFuture<Boolean> evict(LockHolder told) {
    return worker.ask(evict, told, () -> "Taking lock '" + told.lockName() + "' from its holder");
  }

  private void holders(PgConnection pg, List<PendingRequest<String, List<LockHolder>>> asked)
      throws SQLException {
    String[] names =
        asked.stream().map(one -> EncodedName.of(one.request())).toArray(String[]::new);
    long[] keys = asked.stream().mapToLong(one -> key(one.request())).toArray();
    PreparedStatement statement = pg.prepare(holderSql);
    statement.setArray(1, pg.texts(names));
    statement.setObject(2, keys);
    statement.setString(3, namespace);
    List<List<LockHolder>> found = new ArrayList<>();
    asked.forEach(one -> found.add(new ArrayList<>(1)));
    try (ResultSet answer = statement.executeQuery()) {
      while (answer.next()) {
        int place = answer.getInt(1) - 1;
        found.get(place).add(toHolder(asked.get(place).request(), answer));
      }
    }
    for (int i = 0; i < asked.size(); i++) {
      asked.get(i).answer(List.copyOf(found.get(i)));
    }
  }

  private static LockHolder toHolder(String lockName, ResultSet row) throws SQLException {
    long token = row.getLong(3);
    OptionalLong known = row.wasNull() ? OptionalLong.empty() : OptionalLong.of(token);
    long micros = row.getLong(5);
    Optional<Duration> left =
        row.wasNull() ? Optional.empty() : Optional.of(Duration.ofNanos(micros * 1_000));
    int capacity = row.getInt(7);
    return new LockHolder(
        lockName,
        Optional.ofNullable(row.getString(2)),
        known,
        Optional.ofNullable(row.getString(4)),
        left,
        // A holder of more than a capacity that was changed has all of it.
        new Share(Math.min(row.getInt(6), capacity), capacity));
  }

  private void held(PgConnection pg, List<PendingRequest<String, Set<String>>> asked)
      throws SQLException {
    PreparedStatement statement = pg.prepare(heldSql);
    statement.setString(1, namespace);
    Set<String> names = new HashSet<>();
    try (ResultSet answer = statement.executeQuery()) {
      while (answer.next()) {
        names.add(EncodedName.name(answer.getString(1)));
      }
    }
    asked.forEach(one -> one.answer(Set.copyOf(names)));
  }

  private void evict(PgConnection pg, List<PendingRequest<LockHolder, Boolean>> asked)
      throws SQLException {
    for (PendingRequest<LockHolder, Boolean> one : asked) {
      LockHolder told = one.request();
      PreparedStatement statement = pg.prepare(evictSql);
      statement.setString(1, namespace);
      statement.setString(2, EncodedName.of(told.lockName()));
      statement.setLong(3, key(told.lockName()));
      statement.setString(4, told.ownerId().orElse(null));
      statement.setString(5, told.session().orElse(null));
      statement.setString(6, channel);
      try (ResultSet answer = statement.executeQuery()) {
        if (answer.next()) {
          judge(one, answer);
        } else {
          one.answer(false);
        }
      }
    }
  }

  private static void judge(PendingRequest<LockHolder, Boolean> one, ResultSet answer)
      throws SQLException {
    String name = one.request().lockName();
    if (answer.getBoolean(1)) {
      one.answer(true);
    } else if (answer.getBoolean(3)) {
      one.fail(
          new LockRejectedException(
              "Lock '%s' is held by this client's own session; release its lease, or close the client"
                  .formatted(name)));
    } else if (answer.getLong(2) > 0) {
      one.fail(
          new LockRejectedException(
              "Lock '%s' cannot be taken from its holder alone: its session has %d other lock(s), which would end with it; stop the program, or end the session yourself (%s)"
                  .formatted(name, answer.getLong(2), one.request().session().orElse(""))));
    } else {
      one.fail(
          new LockUnavailableException(
              "Lock '%s' is still held: the server was asked to end its session, and has not yet"
                  .formatted(name)));
    }
  }

  private long key(String lockName) {
    return AdvisoryKey.of(kind, namespace, lockName).value();
  }
}
