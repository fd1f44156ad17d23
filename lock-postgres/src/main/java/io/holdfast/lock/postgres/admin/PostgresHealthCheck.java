/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.postgres.admin;

import io.holdfast.lock.Capabilities;
import io.holdfast.lock.Capabilities.ExpiryClock;
import io.holdfast.lock.Capabilities.Lifetime;
import io.holdfast.lock.health.Finding;
import io.holdfast.lock.health.Finding.Promise;
import io.holdfast.lock.health.Findings;
import io.holdfast.lock.health.ServerReport;
import io.holdfast.lock.postgres.connect.PgConnection;
import io.holdfast.lock.postgres.connect.PostgresConfig;
import io.holdfast.lock.postgres.session.ConnectionWorker;
import io.holdfast.lock.postgres.session.PendingRequest;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Checks the settings of the server. A standby, and a pooler, have been found out at opening. */
public final class PostgresHealthCheck {

  private static final int LAST = 9;
  private static final int SCARCE_PERCENT = 90;

  private final PostgresConfig config;
  private final Capabilities promised;

  private PostgresHealthCheck(PostgresConfig config, Capabilities promised) {
    this.config = config;
    this.promised = promised;
  }

  /**
   * Asks, on a connection that is there.
   *
   * @param promised by this backend
   * @param ttl that locks will have
   */
  public static CompletableFuture<List<ServerReport>> of(
      ConnectionWorker worker, PostgresConfig config, Capabilities promised, Duration ttl) {
    PostgresHealthCheck check = new PostgresHealthCheck(config, promised);
    ConnectionWorker.Kind<Duration, List<ServerReport>> kind =
        ConnectionWorker.kind(LAST, check::carryOut);
    return worker.ask(kind, ttl, () -> "Examining " + config.source().describe());
  }

  private void carryOut(PgConnection pg, List<PendingRequest<Duration, List<ServerReport>>> asked)
      throws SQLException {
    String sql = config.schema().statement("admin/examine.sql");
    for (PendingRequest<Duration, List<ServerReport>> one : asked) {
      try (ResultSet row = pg.prepare(sql).executeQuery()) {
        row.next();
        one.answer(List.of(report(row, one.request())));
      }
    }
  }

  private ServerReport report(ResultSet row, Duration ttl) throws SQLException {
    List<Finding> findings = new ArrayList<>();
    findings.add(disk(row.getBoolean(3)));
    findings.add(standbys(row.getInt(4), row.getString(5)));
    findings.add(connections(row.getInt(6), row.getInt(7)));
    config.source().access().ifPresent(findings::add);
    if (promised.lifetime() == Lifetime.CONNECTION) {
      findings.add(
          Finding.ok(
              Promise.AVAILABILITY,
              "There are places for %d locks of all users (max_locks_per_transaction)"
                  .formatted(row.getInt(8))));
    }
    if (promised.lifetime() != Lifetime.TTL) {
      findings.add(
          Findings.freeAfterSession(
              "When a holder's host vanishes, its lock is free",
              config.sessionTimeout(),
              ttl,
              "Set session-timeout to the TTL, or shorter."));
    }
    if (config.acceptPooler()) {
      findings.add(
          Finding.warning(
              Promise.EXCLUSION,
              "A pooler is trusted to keep one session for each client (pooler=session)",
              "Make sure of it (PgBouncer: pool_mode session), or connect directly and take the"
                  + " setting away."));
    }
    Instant clock = Instant.EPOCH.plus(row.getLong(2), ChronoUnit.MICROS);
    return new ServerReport(
        config.source().describe(),
        row.getString(1),
        promised.expiryClock() == ExpiryClock.SERVER_WALL_CLOCK
            ? Optional.of(clock)
            : Optional.empty(),
        findings);
  }

  private static Finding disk(boolean waits) {
    return waits
        ? Finding.ok(Promise.FENCING, "Tokens are on disk before they are given out (fsync on)")
        : Finding.broken(
            Promise.FENCING,
            "The server does not wait for the disk (fsync off): after a crash tokens may be given"
                + " out again, or the data be of no use",
            "Set fsync on.");
  }

  private Finding standbys(int connected, String waitedFor) {
    if (connected == 0) {
      return Finding.ok(Promise.EXCLUSION, "No standby is seen that could take over");
    }
    boolean inMemory = promised.lifetime() != Lifetime.TTL;
    if (inMemory) {
      return Finding.warning(
          Promise.EXCLUSION,
          "%d standby(s) are connected, and these locks are in the memory of the primary: one that"
                  .formatted(connected)
              + " takes over does not have them",
          "Make sure that the old primary is dead before a standby takes over; and check fencing"
              + " tokens at the resource"
              + (waitedFor.isBlank() ? ", with synchronous_standby_names set." : "."));
    }
    return waitedFor.isBlank()
        ? Finding.warning(
            Promise.EXCLUSION,
            "%d standby(s) get locks and tokens later than their holders: one that takes over may"
                    .formatted(connected)
                + " give held locks away, with tokens that are not new",
            "Set synchronous_standby_names.")
        : Finding.ok(Promise.EXCLUSION, "Each write waits for a standby (" + waitedFor + ")");
  }

  private static Finding connections(int used, int most) {
    String text = "%d of %d connections are in use".formatted(used, most);
    return used * 100 >= most * SCARCE_PERCENT
        ? Finding.warning(
            Promise.AVAILABILITY,
            text + ": a client that has to reconnect may be refused, and lose its leases",
            "Raise max_connections, or have fewer connections.")
        : Finding.ok(Promise.AVAILABILITY, text);
  }
}
