/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.project.fencing;

import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.Locks;
import io.holdfast.lock.StaleTokenException;
import io.holdfast.lock.guard.SqlGuard;
import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;

/**
 * A process of the story in {@code docs/fencing.md}: takes the lock, looks, and writes when told.
 */
final class FencingWriter {

  static final Duration TTL = Duration.ofSeconds(5);

  private FencingWriter() {}

  /**
   * Lives until it has written.
   *
   * @param args its name, the address of Redis, the URL and the user of PostgreSQL
   */
  public static void main(String[] args) throws Exception {
    String me = args[0];
    try (Connection database = DriverManager.getConnection(args[2], args[3], "");
        LockClient locks =
            Locks.open(
                "redis",
                Map.of("uri", args[1], "connect-timeout", "30s", "command-timeout", "5s"))) {
      Lease lease = locks.lock("report", LockOptions.defaults().withTtl(TTL)).acquire();
      say(me + " holds the lock, token " + lease.fencingToken());
      lease.ensureValid();
      say(me + " checks its lease: valid");
      awaitCommand();
      say(me + " writes");
      writeUnguarded(database, me);
      try {
        write(database, me, lease.fencingToken());
        say(me + " has written");
      } catch (StaleTokenException e) {
        say(me + " is refused: " + e.getMessage());
      }
      say(me + " checks its lease: " + (lease.isValid() ? "valid" : "not valid"));
      awaitCommand();
    }
  }

  private static void write(Connection database, String text, long token) throws SQLException {
    String sql =
        "UPDATE report SET text = ?, fencing_token = ? WHERE id = 7 AND fencing_token <= ?";
    try (PreparedStatement update = database.prepareStatement(sql)) {
      update.setString(1, text);
      update.setLong(2, token);
      update.setLong(3, token);
      SqlGuard.update(update, "report 7", token);
    }
  }

  private static void writeUnguarded(Connection database, String text) throws SQLException {
    try (PreparedStatement update =
        database.prepareStatement("UPDATE unguarded SET text = ? WHERE id = 7")) {
      update.setString(1, text);
      update.executeUpdate();
    }
  }

  private static void awaitCommand() throws IOException {
    for (int read = System.in.read(); read != '\n' && read != -1; ) {
      read = System.in.read();
    }
  }

  private static void say(String line) {
    System.out.println("@" + line);
    System.out.flush();
  }
}
