/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.health.Finding;
import io.holdfast.lock.health.Finding.Promise;
import io.holdfast.lock.health.Finding.Severity;
import io.holdfast.lock.health.ServerReport;
import io.holdfast.lock.servers.PostgresServer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Tests the findings of a client about its server. */
class PostgresHealthCheckTest {

  private static final Duration TTL = Duration.ofSeconds(20);

  private static final Pattern USED = Pattern.compile("(\\d+) of (\\d+) connections are in use.*");

  private static ServerReport report(LockClient client) {
    List<ServerReport> reports = client.examine(TTL);
    assertEquals(1, reports.size());
    return reports.get(0);
  }

  /** The first whose text has the words. */
  private static Optional<Finding> find(ServerReport report, Promise promise, String words) {
    return report.findings().stream()
        .filter(one -> one.promise() == promise && one.text().contains(words))
        .findFirst();
  }

  private static void says(ServerReport report, Severity severity, Promise promise, String words) {
    assertEquals(
        Optional.of(severity),
        find(report, promise, words).map(Finding::severity),
        report::toString);
  }

  @Test
  void dependenciesOfEachKindOfLocks() {
    try (PostgresHarness scene =
        new PostgresHarness(
            "fsync=on",
            "max_connections=50",
            "max_locks_per_transaction=64",
            "max_prepared_transactions=10")) {
      ServerReport table = report(scene.client(TableLockProvider.NAME));
      ServerReport advisory =
          report(scene.client(AdvisoryLockProvider.NAME, "session-timeout", "60s"));
      ServerReport row = report(scene.client(RowLockProvider.NAME, "session-timeout", "60s"));
      for (ServerReport each : List.of(table, advisory, row)) {
        says(each, Severity.OK, Promise.FENCING, "fsync on");
        says(each, Severity.OK, Promise.EXCLUSION, "No standby");
        assertTrue(find(each, Promise.EXCLUSION, "pooler").isEmpty(), each::toString);
        assertEquals(scene.server.ask("SHOW server_version").get(0), each.version());
      }
      says(advisory, Severity.OK, Promise.AVAILABILITY, "places for 3840 locks");
      assertTrue(find(table, Promise.AVAILABILITY, "places").isEmpty(), table::toString);
      assertTrue(find(row, Promise.AVAILABILITY, "places").isEmpty(), row::toString);
      says(advisory, Severity.WARNING, Promise.TAKE_OVER, "session time-out of 60 s");
      says(row, Severity.WARNING, Promise.TAKE_OVER, "session time-out of 60 s");
      assertTrue(find(table, Promise.TAKE_OVER, "session").isEmpty(), table::toString);
      assertTrue(table.clock().isPresent());
      assertTrue(advisory.clock().isEmpty() && row.clock().isEmpty());
    }
  }

  /** A pooler need not be there for it. */
  @Test
  void aPoolerThatIsTrusted() {
    try (PostgresHarness scene = new PostgresHarness()) {
      ServerReport report = report(scene.client(TableLockProvider.NAME, "pooler", "session"));
      says(report, Severity.WARNING, Promise.EXCLUSION, "pooler=session");
    }
  }

  @Test
  void connectionsThatAreScarce() throws Exception {
    try (PostgresHarness scene = new PostgresHarness("max_connections=20")) {
      LockClient client = scene.client(TableLockProvider.NAME);
      int scarce = 0;
      int plenty = 0;
      for (int i = 0; i < 18; i++) {
        Finding found =
            find(report(client), Promise.AVAILABILITY, "connections are in use").orElseThrow();
        Matcher used = USED.matcher(found.text());
        assertTrue(used.matches(), found.text());
        assertEquals("20", used.group(2));
        boolean few = Integer.parseInt(used.group(1)) >= 18;
        assertEquals(few ? Severity.WARNING : Severity.OK, found.severity(), found.text());
        scarce += few ? 1 : 0;
        plenty += few ? 0 : 1;
        if (few) {
          break;
        }
        scene.connect();
      }
      assertTrue(scarce > 0 && plenty > 0);
    }
  }

  @Test
  void aStandbyThatEachWriteWaitsFor() {
    try (PostgresHarness scene = new PostgresHarness()) {
      assumeTrue(
          scene.server.describe().contains("local process"),
          "a standby needs a server that is a process of this machine");
      LockClient table = scene.client(TableLockProvider.NAME, "command-timeout", "20s");
      LockClient advisory = scene.client(AdvisoryLockProvider.NAME);
      try (PostgresServer standby = PostgresServer.launchStandby(scene.server)) {
        PostgresHarness.await(
            "the standby follows",
            () ->
                !standby.describe().isEmpty()
                    && !scene.server.ask("SELECT pid FROM pg_stat_replication").isEmpty());
        says(report(table), Severity.WARNING, Promise.EXCLUSION, "tokens that are not new");
        assertTrue(remedy(advisory).contains("synchronous_standby_names"));
        scene.server.ask("ALTER SYSTEM SET synchronous_standby_names = '*'");
        scene.server.ask("SELECT pg_reload_conf()");
        PostgresHarness.await(
            "the setting",
            () -> find(report(table), Promise.EXCLUSION, "waits for a standby (*)").isPresent());
        says(report(table), Severity.OK, Promise.EXCLUSION, "waits for a standby");
        PostgresHarness.await(
            "the setting", () -> !remedy(advisory).contains("synchronous_standby_names"));
        scene.server.ask("ALTER SYSTEM RESET synchronous_standby_names");
        scene.server.ask("SELECT pg_reload_conf()");
      }
    }
  }

  private static String remedy(LockClient client) {
    Finding found = find(report(client), Promise.EXCLUSION, "memory of the primary").orElseThrow();
    assertEquals(Severity.WARNING, found.severity());
    return found.remedy();
  }
}
