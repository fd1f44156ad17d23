/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.postgres;

import io.holdfast.lock.Capabilities;
import io.holdfast.lock.postgres.advisory.NameRegister;
import io.holdfast.lock.postgres.schema.AdvisoryKey;
import io.holdfast.lock.servers.PostgresServer;
import io.holdfast.lock.tck.Revocation;
import io.holdfast.lock.tck.Timing;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/** Advisory locks, in sessions that last four seconds. */
class AdvisoryFixture extends PostgresFixture {

  private static final Duration SESSION = Duration.ofSeconds(4);

  AdvisoryFixture(String... configuration) {
    this(PostgresServer.launch(configuration));
  }

  AdvisoryFixture(PostgresServer server) {
    super(AdvisoryLockProvider.NAME, server);
  }

  @Override
  Map<String, String> more() {
    return Map.of("session-timeout", SESSION.toMillis() + "ms", "command-timeout", "3s");
  }

  @Override
  public Capabilities promises() {
    return capabilities(
        Capabilities.Lifetime.CONNECTION,
        Capabilities.ExpiryClock.SERVER_MONOTONIC,
        Capabilities.Scope.LEASE,
        Capabilities.Inspection.SESSION,
        Capabilities.Retention.CLIENT,
        Capabilities.Sharing.READ_WRITE);
  }

  @Override
  public Timing timing() {
    return new Timing(Duration.ofMillis(1_200), SESSION.plusMillis(300));
  }

  /** Locks, marks, and what readers and writers have besides, by the names that keys stand for. */
  @Override
  public List<String> residue() {
    return ask(
        "SELECT n.name || ' ' || l.mode || ' by ' || l.pid FROM holdfast.advisory_name n"
            + " JOIN (SELECT *, (classid::bigint << 32) | objid::bigint AS key FROM pg_locks"
            + "       WHERE locktype = 'advisory') AS l"
            + " ON n.key IN (l.key, ~l.key, l.key # (-1::bigint << 32))"
            + " OR (l.objsubid = 2 AND n.key & ~127::bigint = l.key & ~127::bigint)");
  }

  @Override
  public Revocation revoke(String lockName) {
    AdvisoryKey key = AdvisoryKey.of("advisory", "lock", lockName);
    return Revocation.of(
        ask("SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory'"
                + " AND objsubid = 1 AND ((classid::bigint << 32) | objid::bigint) = "
                + key.value())
            .contains("t"));
  }

  /** Another name that has the same key. */
  @Override
  public Optional<BooleanSupplier> occupy(String lockName) {
    settings().map(io.holdfast.lock.Locks::open).orElseThrow().close();
    AdvisoryKey key = AdvisoryKey.of("advisory", "lock", lockName);
    server.ask(
        "INSERT INTO holdfast.advisory_name VALUES ("
            + key.value()
            + ", 'lock', 'of another name', now())");
    return Optional.of(
        () ->
            server
                .ask("SELECT name FROM holdfast.advisory_name WHERE key = " + key.value())
                .equals(List.of("of another name")));
  }

  /** The keys are hashes: which name each stands for is remembered for the last ones. */
  @Override
  public int namesRemembered() {
    return NameRegister.MOST_KNOWN;
  }
}
