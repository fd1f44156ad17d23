/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.postgres;

import io.holdfast.lock.Capabilities;
import io.holdfast.lock.servers.PostgresServer;
import io.holdfast.lock.tck.Revocation;
import io.holdfast.lock.tck.Timing;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Transactions that hold rows. */
final class RowFixture extends PostgresFixture {

  private static final Duration SESSION = Duration.ofSeconds(4);

  RowFixture(String... configuration) {
    this(PostgresServer.launch(configuration));
  }

  RowFixture(PostgresServer server) {
    super(RowLockProvider.NAME, server);
    // Several fixtures may share a server, and two who make it at once find it missing, both.
    server.ask("SELECT pg_advisory_xact_lock(1); CREATE EXTENSION IF NOT EXISTS pgrowlocks");
  }

  @Override
  Map<String, String> more() {
    return Map.of(
        "session-timeout", SESSION.toMillis() + "ms", "pool-size", "250", "command-timeout", "3s");
  }

  @Override
  public Optional<Map<String, String>> staleSnapshots() {
    Map<String, String> settings = new HashMap<>(settings().orElseThrow());
    settings.merge(
        "url",
        "?options=-c%20default_transaction_isolation=repeatable\\%20read",
        (url, options) -> url + options);
    return Optional.of(settings);
  }

  @Override
  public Capabilities promises() {
    return capabilities(
        Capabilities.Lifetime.TRANSACTION,
        Capabilities.ExpiryClock.SERVER_MONOTONIC,
        Capabilities.Scope.TRANSACTION,
        Capabilities.Inspection.SESSION,
        Capabilities.Retention.NONE,
        Capabilities.Sharing.NONE);
  }

  @Override
  public Timing timing() {
    return new Timing(Duration.ofMillis(1_200), SESSION.plusMillis(300));
  }

  @Override
  public List<String> residue() {
    return ask(
        "SELECT r.name || ' by ' || l.pids::text FROM pgrowlocks('holdfast.row_lock') l"
            + " JOIN holdfast.row_lock r ON r.ctid = l.locked_row");
  }

  @Override
  public Revocation revoke(String lockName) {
    return Revocation.of(
        ask("SELECT pg_terminate_backend(l.pids[1]) FROM pgrowlocks('holdfast.row_lock') l"
                + " JOIN holdfast.row_lock r ON r.ctid = l.locked_row"
                + " WHERE r.namespace = 'lock' AND r.name = "
                + quoted(lockName))
            .contains("t"));
  }
}
