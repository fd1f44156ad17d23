/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.postgres.session;

import io.holdfast.lock.postgres.connect.PgConnection;
import io.holdfast.lock.postgres.connect.PostgresConfig;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Sessions that were given up, until the server does not know them any more. For the worker's
 * thread.
 */
public final class AbandonedSessions {

  private static final long LONGEST_PATIENCE_MILLIS = 500;

  private final String terminateSql;
  private final long patienceMillis;
  private final Set<ServerSession> remaining = new HashSet<>();

  /** A server that hangs has to be found out before it ends the statement that waits for it. */
  public AbandonedSessions(PostgresConfig config) {
    this.terminateSql = config.schema().statement("session/terminate.sql");
    this.patienceMillis =
        Math.max(1, Math.min(LONGEST_PATIENCE_MILLIS, config.commandTimeout().toMillis() / 4));
  }

  void add(ServerSession session) {
    remaining.add(session);
  }

  /** Has the server end them; it says so if it has. */
  void terminate(PgConnection pg) throws SQLException {
    for (ServerSession session : List.copyOf(remaining)) {
      terminate(pg, session);
    }
  }

  /** Whether a session is certainly gone, and with it whatever it had or may have had. */
  boolean isGone(PgConnection pg, ServerSession session) throws SQLException {
    if (remaining.contains(session)) {
      terminate(pg, session);
    }
    return session.isGone();
  }

  private void terminate(PgConnection pg, ServerSession session) throws SQLException {
    if (isGone(pg, session.identity())) {
      session.setGone();
      remaining.remove(session);
    }
  }

  /** Has the server end a session; answers whether it has. */
  public boolean isGone(PgConnection pg, PgConnection.Identity identity) throws SQLException {
    PreparedStatement statement = pg.prepare(terminateSql);
    statement.setLong(1, patienceMillis);
    statement.setInt(2, identity.process());
    statement.setLong(3, identity.startedMicros());
    statement.setLong(4, identity.role());
    try (ResultSet answer = statement.executeQuery()) {
      answer.next();
      return answer.getBoolean(1);
    }
  }
}
