/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.postgres.transaction;

import io.holdfast.lock.postgres.connect.PgConnection;
import io.holdfast.lock.postgres.connect.SavedJdbcState;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.postgresql.core.BaseConnection;
import org.postgresql.core.TransactionState;
import org.postgresql.jdbc.AutoSave;

/**
 * A transaction that holds a row, and the connection that it is on.
 *
 * <p>The transaction has a setting that the server reports whenever it changes ({@code
 * application_name}), and takes back when the transaction ends or is aborted as a whole. So each
 * answer to the holder also tells whether the transaction still holds the row, without a question
 * of ours.
 *
 * @param connection of a pool; closing it gives it back
 * @param driver the same without the pool, which may not notice what happens to it
 * @param before how the connection was when it came from the pool
 * @param autosave when the driver makes savepoints before statements of the holder
 * @param identity of its session
 * @param begunMicros when the transaction began, by the server's clock
 * @param mark what the server reports of that setting while the transaction goes on
 * @param token drawn in it, after it had the row; 0 if it has not, or the token is drawn elsewhere
 * @param calls of its holder, and our looks: each has a permit while it is under way
 */
public record RowTransaction(
    Connection connection,
    BaseConnection driver,
    SavedJdbcState before,
    AutoSave autosave,
    PgConnection.Identity identity,
    long begunMicros,
    String mark,
    long token,
    Semaphore calls) {

  private static final int ALL = Integer.MAX_VALUE;

  public RowTransaction(
      Connection connection,
      SavedJdbcState before,
      AutoSave autosave,
      PgConnection.Identity identity,
      long begunMicros,
      String mark)
      throws SQLException {
    this(
        connection,
        connection.unwrap(BaseConnection.class),
        before,
        autosave,
        identity,
        begunMicros,
        mark,
        0,
        new Semaphore(ALL));
  }

  /** The same, with a token. */
  RowTransaction drawn(long token) {
    return new RowTransaction(
        connection, driver, before, autosave, identity, begunMicros, mark, token, calls);
  }

  /**
   * Lets no call of the holder begin any more, once none is under way: one that began before could
   * otherwise reach the connection after the transaction has ended, and write outside of it.
   *
   * @return false if one is still under way at the end of that time
   */
  public boolean endCalls(Duration patience) {
    try {
      return calls.tryAcquire(ALL, patience.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** To its pool as it came. The transaction has ended, or has written nothing. */
  void giveBack() throws SQLException {
    // If it has ended, the server is not asked: the pool is told, which otherwise rolls back.
    connection.commit();
    driver.setAutosave(autosave);
    before.restore(connection);
    connection.close();
  }

  /**
   * Whether the connection has ended, which it is asked itself; waits behind what its holder does
   * there, for as long as the lease does not end. To the code that ends it, this is a call of its
   * holder.
   */
  public boolean isCutOff() {
    if (!calls.tryAcquire()) {
      return false;
    }
    try {
      return PgConnection.hasEnded(connection);
    } finally {
      calls.release();
    }
  }

  /**
   * Whether the connection is closed, or the transaction has ended and no other has begun. A pool
   * may know first, as it closes connections later on a thread of its own, and so may the driver.
   */
  public boolean hasEnded() {
    try {
      return connection.isClosed()
          || driver.isClosed()
          || driver.getTransactionState() == TransactionState.IDLE;
    } catch (SQLException e) {
      return true;
    }
  }

  /**
   * Whether the setting is not ours any more: another transaction may have begun, or this one may
   * be aborted as a whole; or its holder has changed the setting.
   */
  public boolean isDoubtful() {
    return !mark.equals(driver.getParameterStatus("application_name"));
  }

  /** Whether a statement has failed, and nothing can be committed until it is rolled back. */
  public boolean hasFailed() {
    return driver.getTransactionState() == TransactionState.FAILED;
  }

  /** Ends the connection now; code that uses it gets an exception. */
  public void abort() {
    PgConnection.abort(connection);
  }
}
