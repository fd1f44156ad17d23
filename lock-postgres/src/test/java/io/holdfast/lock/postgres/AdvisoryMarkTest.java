/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.Share;
import io.holdfast.lock.postgres.advisory.AdvisoryBackend;
import io.holdfast.lock.postgres.connect.PostgresConfig;
import io.holdfast.lock.postgres.schema.AdvisoryKey;
import io.holdfast.lock.servers.PostgresServer;
import io.holdfast.lock.spi.LockBackend;
import io.holdfast.lock.spi.LockClaim;
import io.holdfast.lock.spi.ReleaseAnswer;
import io.holdfast.lock.spi.Settings;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.ds.PGSimpleDataSource;

/** What says that somebody waits: where it is not there any more, and how often it is. */
class AdvisoryMarkTest extends AdvisoryClaimsTestBase {

  private final List<Connection> lent = new CopyOnWriteArrayList<>();

  /** On connections that the test can use as well. */
  private LockBackend<?> watched() {
    PGSimpleDataSource source =
        new PGSimpleDataSource() {
          private static final long serialVersionUID = 1;

          @Override
          public Connection getConnection() throws SQLException {
            Connection connection = super.getConnection();
            lent.add(connection);
            return connection;
          }
        };
    source.setUrl(scene.server.url());
    source.setUser(PostgresServer.USER);
    Settings settings = new Settings(AdvisoryLockProvider.NAME, Map.of("command-timeout", "20s"));
    return scene.closing(
        AdvisoryBackend.open(PostgresConfig.of(settings, source, AdvisoryBackend.COMMAND_TIMEOUT)));
  }

  @Test
  void aLockThatWasWaitedForIsReleasedAllTheSame() throws Exception {
    LockClaim before = claim(backend(), "a", Share.LOCK);
    LockClaim waiter = claim(watched(), "a", Share.LOCK);
    assertTrue(isGranted(before));
    assertFalse(isGranted(waiter));
    assertEquals(ReleaseAnswer.FREED, get(before.release()));
    assertTrue(isGranted(waiter));
    assertTrue(losesItsMark("a"));
    assertEquals(ReleaseAnswer.FREED, get(waiter.release()));
    assertTrue(isGranted(claim(backend(), "a", Share.LOCK)));
  }

  /** The server counts how often a session takes a lock, so what is left would stay for good. */
  @ParameterizedTest
  @ValueSource(strings = {"LOCK", "READ", "WRITE"})
  void whoAsksAgainIsMarkedOnce(String mode) {
    Share share =
        switch (mode) {
          case "LOCK" -> Share.LOCK;
          case "READ" -> Share.READ;
          default -> Share.WRITE;
        };
    LockClaim holder =
        claim(backend(), "a", share.mode() == Share.Mode.LOCK ? Share.LOCK : Share.WRITE);
    assertTrue(isGranted(holder));
    List<String> before = locks();
    LockClaim waiter = claim(backend(), "a", share);
    for (int i = 0; i < 3; i++) {
      assertFalse(isGranted(waiter));
    }
    assertEquals(ReleaseAnswer.NOT_OURS, get(waiter.release()));
    assertEquals(before, locks());
  }

  /** Nothing keeps others from writing while it reads. */
  @Test
  void aWriterWhoseLockIsNotThereDoesNotBecomeAReader() throws Exception {
    LockClaim writer = claim(watched(), "a", Share.WRITE);
    assertTrue(isGranted(writer));
    long key = AdvisoryKey.of("advisory", "lock", "a").value();
    assertTrue(loses("pg_advisory_unlock(" + key + ")"));
    assertEquals(ReleaseAnswer.NOT_OURS, get(writer.reduceTo(1)));
  }

  private boolean losesItsMark(String name) throws SQLException {
    AdvisoryKey key = AdvisoryKey.of("advisory", "lock", name);
    return loses("pg_advisory_unlock_shared(%d, %d)".formatted(key.high(), key.low()));
  }

  /** One of the sessions has it, and another is told that it has none. */
  private boolean loses(String unlock) throws SQLException {
    boolean lost = false;
    for (Connection session : lent) {
      lost |= PostgresHarness.ask(session, "SELECT " + unlock).equals(List.of("t"));
    }
    return lost;
  }
}
