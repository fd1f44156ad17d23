/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.postgres.transaction;

import com.zaxxer.hikari.SQLExceptionOverride;
import io.holdfast.lock.postgres.connect.PgFailures;
import java.sql.SQLException;

/**
 * Decides which connections our pool closes. HikariCP by itself also closes some that stand, for
 * the state of an error that a statement met: and with the connection, the holder would lose the
 * row.
 */
final class PoolEvictionPolicy implements SQLExceptionOverride {

  @java.lang.Override
  public SQLExceptionOverride.Override adjudicate(SQLException failure) {
    return PgFailures.leavesConnection(failure)
        ? SQLExceptionOverride.Override.DO_NOT_EVICT
        : SQLExceptionOverride.Override.CONTINUE_EVICT;
  }
}
