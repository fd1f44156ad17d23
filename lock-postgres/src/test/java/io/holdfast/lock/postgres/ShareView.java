/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.postgres;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.TreeMap;

/**
 * The shares of a name in the tables, in microseconds of the server's clock.
 *
 * @param now when they were read
 * @param shares the ends of those that are not over, by owner
 * @param usedBy the owner in the name's row; empty if there is none, or its time is over
 * @param end that of the name's row
 */
record ShareView(long now, Map<String, Long> shares, String usedBy, long end) {

  private static final String LOOK =
      """
      SELECT kind || '|' || owner || '|' || (extract(epoch FROM at) * 1000000)::bigint FROM (
        SELECT 'now' AS kind, '' AS owner, statement_timestamp() AS at
        UNION ALL SELECT 'share', owner, expires_at FROM holdfast.table_share WHERE name = '%1$s'
        UNION ALL SELECT 'name', coalesce(owner, ''), expires_at
          FROM holdfast.table_lock WHERE name = '%1$s') AS seen""";

  static ShareView of(Connection eye, String name) throws SQLException {
    long now = 0;
    Map<String, Long> shares = new TreeMap<>();
    String usedBy = "";
    long end = 0;
    for (String row : PostgresHarness.ask(eye, LOOK.formatted(name))) {
      String[] parts = row.split("\\|", -1);
      long micros = Long.parseLong(parts[2]);
      switch (parts[0]) {
        case "now" -> now = micros;
        case "share" -> shares.put(parts[1], micros);
        default -> {
          usedBy = parts[1];
          end = micros;
        }
      }
    }
    long then = now;
    shares.values().removeIf(each -> each <= then);
    return new ShareView(now, shares, end > now ? usedBy : "", end);
  }
}
