/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.Capabilities;
import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockEvent;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.ReleaseOutcome;
import io.holdfast.lock.Renewal;
import io.holdfast.lock.postgres.connect.ConnectionSource;
import io.holdfast.lock.servers.PostgresServer;
import io.holdfast.lock.spi.Settings;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.postgresql.PGConnection;
import org.postgresql.ds.PGSimpleDataSource;
import org.postgresql.jdbc.PreferQueryMode;

/**
 * Tests how the driver sends statements: as the user likes on lent connections, as we do on our
 * own.
 */
class DriverSettingsTest {

  private static final LockOptions TERMS =
      LockOptions.defaults()
          .withTtl(Duration.ofSeconds(20))
          .withRenewal(Renewal.every(Duration.ofMillis(100)));

  private static PostgresHarness scene;

  @BeforeAll
  static void open() {
    scene = new PostgresHarness().withSchema();
    scene.server.ask("CREATE TABLE work (what text)");
  }

  @AfterAll
  static void close() {
    scene.close();
  }

  /** The second also prepares and describes each statement before it is executed. */
  static List<String> parameters() {
    return List.of("preferQueryMode=simple", "prepareThreshold=-1");
  }

  static Stream<Arguments> cases() {
    return Stream.of(AdvisoryLockProvider.NAME, TableLockProvider.NAME, RowLockProvider.NAME)
        .flatMap(provider -> parameters().stream().map(each -> Arguments.of(provider, each)));
  }

  @ParameterizedTest
  @MethodSource("cases")
  void locksOnLentConnections(String provider, String parameter) throws Exception {
    try (LockClient client = lent(provider, parameter);
        LockClient other = lent(provider, parameter)) {
      AtomicInteger renewed = new AtomicInteger();
      client.addListener(
          event -> {
            if (event instanceof LockEvent.Renewed) {
              renewed.incrementAndGet();
            }
          });
      Lease held = client.lock("lent", TERMS).acquire();
      CompletableFuture<Lease> waiting = other.lock("lent", TERMS).acquireAsync();
      PostgresHarness.await("two renewals", () -> renewed.get() >= 2);
      assertTrue(client.inspector().holder("lent").isPresent());
      assertEquals(ReleaseOutcome.RELEASED, held.release());
      Lease next = PostgresHarness.get(waiting);
      assertTrue(next.fencingToken() > held.fencingToken());
      assertTrue(client.lock("lent", TERMS).tryAcquire().isEmpty());
      assertEquals(ReleaseOutcome.RELEASED, next.release());
      if (client.capabilities().sharing() != Capabilities.Sharing.NONE) {
        client.readWriteLock("read", TERMS).readLock().acquire().release();
        client.readWriteLock("read", TERMS).writeLock().acquire().release();
      }
    }
  }

  @ParameterizedTest
  @MethodSource("parameters")
  void writesOfAHolderOnALentConnection(String parameter) throws Exception {
    scene.server.ask("TRUNCATE work");
    try (LockClient client = lent(RowLockProvider.NAME, parameter)) {
      client.lock("writes").run(lease -> write(lease, "'kept'"));
      assertThrows(
          IllegalStateException.class,
          () ->
              client
                  .lock("writes")
                  .run(
                      lease -> {
                        write(lease, "'undone'");
                        throw new IllegalStateException("on purpose");
                      }));
      assertThrows(
          SQLException.class, () -> client.lock("writes").run(lease -> write(lease, "(1/0)")));
      assertTrue(client.lock("writes").acquire(PostgresHarness.SOON).isValid());
    }
    assertEquals(List.of("kept"), scene.server.ask("SELECT what FROM work"));
  }

  @Test
  void aUrlDoesNotChangeOurOwnConnections() throws Exception {
    String url = scene.server.url() + "?preferQueryMode=simple&prepareThreshold=-1";
    Settings settings = new Settings(RowLockProvider.NAME, scene.settings("url", url));
    try (Connection connection = ConnectionSource.Own.of(settings, 5).open()) {
      PGConnection driver = connection.unwrap(PGConnection.class);
      assertEquals(PreferQueryMode.EXTENDED, driver.getPreferQueryMode());
      assertEquals(1, driver.getPrepareThreshold());
    }
  }

  private static void write(Lease lease, String value) throws SQLException {
    PostgresHarness.ask(
        lease.unwrap(Connection.class).orElseThrow(),
        "INSERT INTO work SELECT " + value + "::text");
  }

  /** A new connection each time. */
  static DataSource source(PostgresServer server, String parameter) {
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setUrl(server.url() + "?" + parameter);
    source.setUser(PostgresServer.USER);
    return source;
  }

  private static LockClient lent(String provider, String parameter) {
    return PostgresHarness.lent(provider, source(scene.server, parameter), PostgresHarness.PATIENT);
  }
}
