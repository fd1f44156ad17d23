/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.sample;

import io.holdfast.lock.DistributedLock;
import io.holdfast.lock.config.Scenarios;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * Keeps the state of a user's session in a database, beside other processes that do the same. It is
 * written on the connection of the lease, in the transaction that holds the lock: so it is
 * committed by the release, and undone by a loss, a failure, or the death of this process. Nothing
 * has to be guarded by hand.
 *
 * <p>Arguments: the session, and how many visits to count. The tables are in {@code visits.sql}.
 */
public final class Visits {

  private Visits() {}

  /**
   * Counts visits.
   *
   * @param args session, times
   * @throws InterruptedException if interrupted while it waits for the lock
   * @throws SQLException if a visit was not counted; nothing of it was written
   */
  public static void main(String[] args) throws InterruptedException, SQLException {
    String session = args[0];
    int times = Integer.parseInt(args[1]);
    try (Scenarios scenarios = Scenarios.open()) {
      DistributedLock lock = scenarios.forScenario("session").lock("session:" + session);
      for (int i = 0; i < times; i++) {
        lock.run(lease -> count(lease.unwrap(Connection.class).orElseThrow(), session));
      }
      System.out.printf("counted %d visits%n", times);
    }
  }

  /** Reads and writes as if it were alone, which the holder of the lock is. */
  private static void count(Connection connection, String session) throws SQLException {
    int visits = visits(connection, session) + 1;
    update(connection, "INSERT INTO visit (number, session) VALUES (?, ?)", visits, session);
    update(connection, "UPDATE session SET visits = ? WHERE id = ?", visits, session);
  }

  private static int visits(Connection connection, String session) throws SQLException {
    try (PreparedStatement query =
        connection.prepareStatement("SELECT visits FROM session WHERE id = ?")) {
      query.setString(1, session);
      try (ResultSet found = query.executeQuery()) {
        if (!found.next()) {
          throw new IllegalArgumentException("There is no session " + session);
        }
        return found.getInt(1);
      }
    }
  }

  private static void update(Connection connection, String sql, int visits, String session)
      throws SQLException {
    try (PreparedStatement update = connection.prepareStatement(sql)) {
      update.setInt(1, visits);
      update.setString(2, session);
      update.executeUpdate();
    }
  }
}
