/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.postgres.session;

import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.postgres.connect.PgConnection;
import io.holdfast.lock.postgres.connect.PostgresConfig;
import java.sql.SQLException;
import java.util.Set;
import java.util.function.Function;

/**
 * The sessions in which a client asks for locks, one after another: the present one, and those that
 * were given up, until the server does not know them any more. For the worker's thread.
 *
 * @param <S> what is remembered of a session
 */
public final class LockSessions<S extends ServerSession> implements ConnectionWorker.Owner {

  /** What is done now and then, when there is nothing else to do. */
  public interface Upkeep {

    /** Takes a few steps. */
    void carryOut(PgConnection pg) throws SQLException;
  }

  private final boolean create;
  private final SchemaSetup schemaSetup;
  private final AbandonedSessions abandoned;
  private final Function<PgConnection.Identity, S> begin;
  private final Upkeep upkeep;
  private S present;

  /** None has begun. */
  public LockSessions(
      PostgresConfig config, Function<PgConnection.Identity, S> begin, Upkeep upkeep) {
    this.create = config.create();
    this.schemaSetup = new SchemaSetup(config);
    this.abandoned = new AbandonedSessions(config);
    this.begin = begin;
    this.upkeep = upkeep;
    this.present = begin.apply(new PgConnection.Identity(0, 0, 0));
  }

  /** That of the connection that the worker has now. */
  public S present() {
    return present;
  }

  @Override
  public void opened(PgConnection pg) throws SQLException {
    schemaSetup.prepare(pg, create);
    abandoned.terminate(pg);
    present = begin.apply(pg.identity());
  }

  @Override
  public void lost(PgConnection pg) {
    abandoned.add(present);
    present.ended();
  }

  @Override
  public void idle(PgConnection pg) throws SQLException {
    abandoned.terminate(pg);
    upkeep.carryOut(pg);
  }

  /**
   * Whether nothing of a claim is in a session before the present one, nor can still come there.
   *
   * @param standing those that the server has just not ended; it is asked once
   */
  public boolean areGone(PgConnection pg, InvolvedSessions involved, Set<ServerSession> standing)
      throws SQLException {
    for (ServerSession before : involved.before(present)) {
      if (standing.contains(before) || !abandoned.isGone(pg, before)) {
        standing.add(before);
        return false;
      }
    }
    return true;
  }

  /** Why a release has to be tried again. */
  public static LockUnavailableException notGone(String lockName) {
    return new LockUnavailableException(
        "Releasing lock '%s': a session that asked for it was given up, and the server has not ended it yet"
            .formatted(lockName));
  }
}
