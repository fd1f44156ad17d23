/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.postgres;

import io.holdfast.lock.Capabilities;
import io.holdfast.lock.servers.PostgresServer;
import io.holdfast.lock.tck.Revocation;
import io.holdfast.lock.tck.Timing;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Rows with a time to live. */
class TableFixture extends PostgresFixture {

  TableFixture(String... configuration) {
    this(PostgresServer.launch(configuration));
  }

  TableFixture(PostgresServer server) {
    super(TableLockProvider.NAME, server);
  }

  @Override
  Map<String, String> more() {
    return Map.of("command-timeout", "1s");
  }

  @Override
  public Capabilities promises() {
    return capabilities(
        Capabilities.Lifetime.TTL,
        Capabilities.ExpiryClock.SERVER_WALL_CLOCK,
        Capabilities.Scope.LEASE,
        Capabilities.Inspection.OWNER_AND_TOKEN,
        Capabilities.Retention.SERVER,
        Capabilities.Sharing.PERMITS);
  }

  @Override
  public Timing timing() {
    return new Timing(Duration.ofSeconds(2), Duration.ofSeconds(2));
  }

  /**
   * Rows that have an owner, and marks of those who wait; free rows are removed some time later.
   */
  @Override
  public List<String> residue() {
    return ask(
        "SELECT name || ' of ' || owner FROM holdfast.table_lock WHERE owner IS NOT NULL"
            + " UNION ALL SELECT 'mark by ' || pid FROM pg_locks"
            + " WHERE locktype = 'advisory' AND objsubid = 2");
  }

  /** A statement is carried out though the connection has ended behind it. */
  @Override
  public boolean undoesWhatArrivesAfterClose() {
    return false;
  }

  /** The name's row, and those of its shares. */
  @Override
  public boolean prolong(String lockName, Duration by) {
    String longer =
        "SET expires_at = expires_at + interval '%d s' WHERE namespace = 'lock' AND name = %s"
            .formatted(by.toSeconds(), quoted(lockName));
    return ask("WITH shares AS (UPDATE holdfast.table_share "
            + longer
            + ") UPDATE holdfast.table_lock "
            + longer
            + " AND owner IS NOT NULL RETURNING true")
        .contains("t");
  }

  @Override
  public Revocation revoke(String lockName) {
    return Revocation.of(
        ask("DELETE FROM holdfast.table_lock WHERE namespace = 'lock' AND owner IS NOT NULL AND name = "
                + quoted(lockName)
                + " RETURNING true")
            .contains("t"));
  }
}
