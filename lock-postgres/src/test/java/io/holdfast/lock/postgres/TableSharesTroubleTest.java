/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.LockHolder;
import io.holdfast.lock.LockRejectedException;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.Share;
import io.holdfast.lock.postgres.connect.PostgresConfig;
import io.holdfast.lock.postgres.table.TableBackend;
import io.holdfast.lock.servers.PostgresServer;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.LockBackend;
import io.holdfast.lock.spi.LockClaim;
import io.holdfast.lock.spi.LockInspection;
import io.holdfast.lock.spi.ReleaseAnswer;
import io.holdfast.lock.spi.RenewalAnswer;
import io.holdfast.lock.spi.Settings;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

/** Shares whose table is missing or refused, and a clock that was set back. */
class TableSharesTroubleTest extends TableClaimsTestBase {

  @Test
  void aSchemaWithoutSharesGoesOnForLocks() {
    backend().close();
    scene.server.ask("DROP TABLE holdfast.table_share");
    LockBackend<?> backend = backend("create-schema", "false");
    LockClaim lock = claim(backend, "m", Share.LOCK);
    assertTrue(isGranted(lock));
    assertInstanceOf(RenewalAnswer.Extended.class, renewed(backend, lock));
    assertEquals(ReleaseAnswer.FREED, get(lock.release()));
    LockClaim shared = claim(backend, "s", Share.READ);
    CompletionException failure =
        assertThrows(CompletionException.class, () -> get(shared.attempt()));
    LockRejectedException refusal =
        assertInstanceOf(LockRejectedException.class, failure.getCause());
    assertTrue(String.valueOf(refusal.getMessage()).contains("holdfast.sql"));
    // It was taken back as a whole.
    assertEquals(
        List.of(), scene.server.ask("SELECT name FROM holdfast.table_lock WHERE name = 's'"));
    // Nothing is left to be released.
    assertEquals(ReleaseAnswer.NOT_OURS, get(shared.release()));
  }

  @Test
  void whatIsRefusedOfSharesFailsNoLock() throws Exception {
    LockBackend<?> backend = backend("command-timeout", "20s");
    LockClaim lock = claim(backend, "m", Share.LOCK);
    LockClaim shared = claim(backend, "s", Share.READ);
    assertTrue(isGranted(lock));
    assertTrue(isGranted(shared));
    scene.server.ask("ALTER TABLE holdfast.table_share RENAME TO elsewhere");
    List<RenewalAnswer> answers = renewed(backend, List.of(shared, lock));
    assertInstanceOf(RenewalAnswer.Unknown.class, answers.get(0));
    assertInstanceOf(RenewalAnswer.Extended.class, answers.get(1));
    CompletionStage<ReleaseAnswer> ofLock;
    CompletionStage<ReleaseAnswer> ofShared;
    try (Connection administrator = scene.connect()) {
      administrator.setAutoCommit(false);
      PostgresHarness.ask(administrator, "LOCK TABLE holdfast.table_lock");
      // While it is under way, the releases gather.
      CompletionStage<Attempt> before = claim(backend, "m2", Share.LOCK).attempt();
      scene.awaitWaiter();
      ofLock = lock.release();
      ofShared = shared.release();
      administrator.commit();
      assertInstanceOf(Attempt.Granted.class, get(before));
    }
    assertEquals(ReleaseAnswer.FREED, get(ofLock));
    CompletionException failure = assertThrows(CompletionException.class, () -> get(ofShared));
    assertInstanceOf(LockRejectedException.class, failure.getCause());
    scene.server.ask("ALTER TABLE holdfast.elsewhere RENAME TO table_share");
    assertEquals(ReleaseAnswer.FREED, get(shared.release()));
  }

  @Test
  void afterAStepBackANameIsInUseNoLongerThanItsShares() {
    LockBackend<?> backend = backend();
    LockClaim one = claim(backend, "s", Share.of(1, 5));
    LockClaim other = claim(backend, "s", Share.of(1, 5));
    assertTrue(isGranted(one));
    assertTrue(isGranted(other));
    // As if the clock had been an hour ahead when they were granted.
    for (String table : List.of("table_share", "table_lock")) {
      scene.server.ask(
          "UPDATE holdfast." + table + " SET expires_at = expires_at + interval '1 hour'");
    }
    assertInstanceOf(RenewalAnswer.Extended.class, renewed(backend, one));
    PostgresHarness.await("the end of one", () -> ahead("table_share") == 1);
    assertEquals(1, ahead("table_lock"));
    assertInstanceOf(RenewalAnswer.Extended.class, renewed(backend, other));
    PostgresHarness.await("the end of the other", () -> ahead("table_share") == 0);
    PostgresHarness.await("the end of the name", () -> ahead("table_lock") == 0);
    assertEquals(ReleaseAnswer.FREED, get(one.release()));
    assertEquals(ReleaseAnswer.FREED, get(other.release()));
  }

  /** A pooler may begin to share sessions; our statements compare the session mark. */
  @Test
  void whatAnotherSessionAnswersIsNoAnswer() {
    Sessions sessions = new Sessions(scene.server.url());
    Settings settings = new Settings("postgres-table", Map.of("create-schema", "true"));
    LockBackend<?> backend =
        scene.closing(TableBackend.open(PostgresConfig.of(settings, sessions, TTL)));
    LockInspection inspection = backend.inspection().orElseThrow();
    LockClaim share = claim(backend, "s", Share.of(2, 5));
    LockClaim other = claim(backend, "s", Share.of(2, 5));
    assertTrue(isGranted(share));
    assertTrue(isGranted(other));
    LockHolder holder = get(inspection.holders("s")).get(1);
    sessions.areOnlyTold(() -> renewed(backend, share) instanceof RenewalAnswer.Extended);
    sessions.areOnlyTold(() -> get(share.expireIn(TTL)) instanceof RenewalAnswer.Extended);
    sessions.areOnlyTold(() -> get(share.reduceTo(1)) == ReleaseAnswer.FREED);
    sessions.areOnlyTold(() -> get(inspection.changeCapacity("s", 5, 6)));
    // One whose answer came too late has taken it away.
    sessions.areOnlyTold(
        () -> get(inspection.evict(holder)) || get(inspection.holders("s")).size() == 1);
    sessions.areOnlyTold(() -> get(share.release()) == ReleaseAnswer.FREED);
    assertEquals(List.of(), scene.server.ask("SELECT owner FROM holdfast.table_share"));
  }

  /** Those of a backend. */
  private static final class Sessions extends PGSimpleDataSource {

    private static final long serialVersionUID = 1;

    private final transient List<Connection> opened = new CopyOnWriteArrayList<>();

    Sessions(String url) {
      setUrl(url);
      setUser(PostgresServer.USER);
    }

    @Override
    public Connection getConnection() throws SQLException {
      Connection connection = super.getConnection();
      opened.add(connection);
      return connection;
    }

    /**
     * A request fails while another session answers, and is carried out by the next one of ours.
     */
    void areOnlyTold(BooleanSupplier request) {
      // What has ended is that of the request before.
      opened.removeIf(connection -> !nowIsOfOthers(connection));
      CompletionException failure = assertThrows(CompletionException.class, request::getAsBoolean);
      assertInstanceOf(LockUnavailableException.class, failure.getCause());
      PostgresHarness.await("the answer of our session", () -> isDone(request));
    }

    private static boolean nowIsOfOthers(Connection connection) {
      try {
        PostgresHarness.ask(connection, "SET io_holdfast.session = 'of another client'");
        return true;
      } catch (SQLException e) {
        return false;
      }
    }

    private static boolean isDone(BooleanSupplier request) {
      try {
        assertTrue(request.getAsBoolean());
        return true;
      } catch (CompletionException e) {
        // It is being opened.
        return false;
      }
    }
  }

  /** How many rows end later than a time to live from now. */
  private int ahead(String table) {
    String later = "expires_at > now() + interval '" + TTL.plusSeconds(1).toSeconds() + " s'";
    return scene.server.ask("SELECT name FROM holdfast." + table + " WHERE " + later).size();
  }
}
