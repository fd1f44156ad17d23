/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package com.example.h2lock;

import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.LockClaim;
import io.holdfast.lock.spi.ReleaseAnswer;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** One contender for a row. What it has at the server is known there by its owner id alone. */
final class H2Claim implements LockClaim {

  static final String ACQUIRE =
      "SELECT TOKEN FROM FINAL TABLE (MERGE INTO HOLDFAST_LOCK L USING (SELECT"
          + " CAST(? AS VARCHAR) NAMESPACE, CAST(? AS VARCHAR) NAME, CAST(? AS VARCHAR) OWNER,"
          + " DATEADD(MILLISECOND, ?, CURRENT_TIMESTAMP(9)) ENDS,"
          + " CAST(EXTRACT(EPOCH FROM CURRENT_TIMESTAMP(9)) * 1000000 AS BIGINT) CLOCK) W"
          + " ON L.NAMESPACE = W.NAMESPACE AND L.NAME = W.NAME"
          + " WHEN MATCHED AND"
          + " (L.OWNER IS NULL OR L.OWNER = W.OWNER OR L.ENDS <= CURRENT_TIMESTAMP(9))"
          + " THEN UPDATE SET"
          + " OWNER = W.OWNER, TOKEN = GREATEST(L.TOKEN + 1, W.CLOCK), ENDS = W.ENDS"
          + " WHEN NOT MATCHED THEN INSERT VALUES"
          + " (W.NAMESPACE, W.NAME, W.OWNER, W.CLOCK, W.ENDS))";

  static final String RELEASE =
      "SELECT ENDS > CURRENT_TIMESTAMP(9) FROM OLD TABLE (UPDATE HOLDFAST_LOCK SET OWNER = NULL"
          + " WHERE NAMESPACE = ? AND NAME = ? AND OWNER = ?)";

  private static final int DUPLICATE_KEY = 23505;

  private final H2LockBackend backend;
  private final ClaimRequest request;

  H2Claim(H2LockBackend backend, ClaimRequest request) {
    this.backend = backend;
    this.request = request;
  }

  String ownerId() {
    return request.ownerId();
  }

  @Override
  public CompletionStage<Attempt> attempt() {
    return backend.ask("Acquiring lock '" + request.lockName() + "'", this::acquire);
  }

  private Attempt acquire(H2Connection on) throws SQLException {
    PreparedStatement acquire = prepared(on, ACQUIRE);
    acquire.setLong(4, request.ttl().toMillis());
    try (ResultSet answer = acquire.executeQuery()) {
      return answer.next()
          ? new Attempt.Granted(answer.getLong(1), request.ttl())
          : new Attempt.Contended(Optional.empty());
    } catch (SQLException e) {
      if (e.getErrorCode() == DUPLICATE_KEY) {
        // Another client has made the row at the same time.
        return new Attempt.Contended(Optional.empty());
      }
      throw e;
    }
  }

  @Override
  public CompletionStage<ReleaseAnswer> release() {
    return backend.ask(
        "Releasing lock '" + request.lockName() + "'",
        on -> {
          try (ResultSet answer = prepared(on, RELEASE).executeQuery()) {
            boolean ours = answer.next() && answer.getBoolean(1);
            return ours ? ReleaseAnswer.FREED : ReleaseAnswer.NOT_OURS;
          }
        });
  }

  private PreparedStatement prepared(H2Connection on, String sql) throws SQLException {
    PreparedStatement statement = on.prepared(sql);
    statement.setString(1, backend.namespace);
    statement.setString(2, request.lockName());
    statement.setString(3, request.ownerId());
    return statement;
  }
}
