/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHolder;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.LossReason;
import io.holdfast.lock.ReleaseOutcome;
import io.holdfast.lock.Share;
import io.holdfast.lock.postgres.connect.PostgresConfig;
import io.holdfast.lock.postgres.table.TableBackend;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.LockBackend;
import io.holdfast.lock.spi.LockClaim;
import io.holdfast.lock.spi.LockInspection;
import io.holdfast.lock.spi.ReleaseAnswer;
import io.holdfast.lock.spi.RenewalAnswer;
import io.holdfast.lock.spi.Settings;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.util.PSQLException;
import org.postgresql.util.ServerErrorMessage;

/** An administrator's transaction stays open, in which it has changed the row of one name. */
class TableLockedRowTest extends TableClaimsTestBase {

  private static final LockOptions SHORT = LockOptions.defaults().withTtl(Duration.ofSeconds(12));

  /** How the statement begins. */
  private static final String ACQUIRE = "WITH wanted AS";

  private LockBackend<?> backend;
  private Connection administrator;

  @BeforeEach
  void open() throws SQLException {
    // Long enough for what a test does while a statement waits.
    backend = backend("command-timeout", "5s");
    administrator = scene.connect();
    administrator.setAutoCommit(false);
  }

  private void lockRow(String name) throws SQLException {
    PostgresHarness.ask(
        administrator, "UPDATE holdfast.table_lock SET owner = NULL WHERE name = '" + name + "'");
  }

  private static Share share(String mode) {
    return mode.equals("lock") ? Share.LOCK : Share.READ;
  }

  private LockClaim held(String name, Share share) {
    LockClaim claim = claim(backend, name, share);
    assertTrue(isGranted(claim));
    return claim;
  }

  /** Behind another request, so that they go out together. */
  private void together(Runnable requests) throws SQLException {
    PostgresHarness.ask(administrator, "SAVEPOINT before");
    PostgresHarness.ask(administrator, "LOCK TABLE holdfast.table_lock");
    CompletionStage<Attempt> first = claim(backend, "first", Share.LOCK).attempt();
    scene.awaitWaiter("relation = 'holdfast.table_lock'::regclass");
    requests.run();
    PostgresHarness.ask(administrator, "ROLLBACK TO before");
    assertInstanceOf(Attempt.Granted.class, get(first));
  }

  @ParameterizedTest
  @ValueSource(strings = {"lock", "read"})
  void theOthersAreRenewed(String mode) throws SQLException {
    List<LockClaim> claims =
        List.of(held("a", share(mode)), held("b", share(mode)), held("c", share(mode)));
    lockRow("b");
    PostgresHarness.await("an answer for one", () -> isExtended(claims, 0));
    assertTrue(isExtended(claims, 2));
    assertInstanceOf(RenewalAnswer.Unknown.class, renewed(backend, claims).get(1));
    administrator.rollback();
    assertTrue(isExtended(claims, 1));
  }

  @ParameterizedTest
  @ValueSource(strings = {"lock", "read"})
  void whoLosesTheRowIsTold(String mode) throws SQLException {
    List<LockClaim> claims = List.of(held("a", share(mode)), held("b", share(mode)));
    lockRow("b");
    PostgresHarness.await("an answer for the other", () -> isExtended(claims, 0));
    administrator.commit();
    List<RenewalAnswer> answers = renewed(backend, claims);
    assertInstanceOf(RenewalAnswer.Extended.class, answers.get(0));
    assertInstanceOf(RenewalAnswer.Lost.class, answers.get(1));
  }

  /** As in contention between clients, where each has the row locked for a moment. */
  @Test
  void anotherWhoLocksTheRowIsWaitedFor() throws SQLException {
    List<LockClaim> claims = List.of(held("a", Share.LOCK), held("b", Share.LOCK));
    lockRow("b");
    PostgresHarness.await("an answer for the other", () -> isExtended(claims, 0));
    administrator.rollback();
    lockRow("b");
    CompletableFuture<List<RenewalAnswer>> renewal =
        CompletableFuture.supplyAsync(() -> renewed(backend, claims));
    awaitWait(renewal);
    administrator.rollback();
    assertInstanceOf(RenewalAnswer.Extended.class, get(renewal).get(1));
  }

  @Test
  void requestsForItsSharesFailAtOnce() throws SQLException {
    LockClaim claim = held("b", Share.of(2, 5));
    List<LockClaim> claims = List.of(held("a", Share.of(2, 5)), claim);
    LockInspection inspection = backend.inspection().orElseThrow();
    LockHolder holder = get(inspection.holder("b")).orElseThrow();
    lockRow("b");
    PostgresHarness.await("an answer for the other", () -> isExtended(claims, 0));
    fails(claim.reduceTo(1));
    fails(inspection.changeCapacity("b", 5, 6));
    fails(inspection.evict(holder));
    administrator.rollback();
    assertEquals(ReleaseAnswer.FREED, get(claim.reduceTo(1)));
    assertTrue(get(inspection.changeCapacity("b", 5, 6)));
    assertTrue(get(inspection.evict(holder)));
  }

  private static void fails(CompletionStage<?> asked) {
    CompletionException failure = assertThrows(CompletionException.class, () -> get(asked));
    String told = String.valueOf(failure.getCause());
    assertTrue(told.contains("another session keeps its row of table_lock locked"), told);
  }

  @Test
  void whatWasGivenUpMeanwhileIsNotAskedForAgain() throws SQLException {
    get(held("b", Share.LOCK).release());
    lockRow("b");
    LockClaim locked = claim(backend, "b", Share.LOCK);
    LockClaim other = claim(backend, "a", Share.LOCK);
    List<CompletionStage<Attempt>> attempts = new ArrayList<>();
    together(
        () -> {
          attempts.add(locked.attempt());
          attempts.add(other.attempt());
        });
    awaitWait(attempts.get(1));
    // Else this test was slower than the statement time-out.
    assumeFalse(attempts.get(1).toCompletableFuture().isDone());
    other.release();
    PostgresHarness.await("a release of nothing", () -> isNotOurs(other));
  }

  private static boolean isNotOurs(LockClaim claim) {
    return claim
        .release()
        .handle((answer, failure) -> answer == ReleaseAnswer.NOT_OURS)
        .toCompletableFuture()
        .join();
  }

  /** Until the statement waits for the row, or has been carried out. */
  private void awaitWait(CompletionStage<?> answer) {
    PostgresHarness.await(
        "a wait for the row",
        () ->
            answer.toCompletableFuture().isDone()
                || !scene
                    .server
                    .ask("SELECT 1 FROM pg_locks WHERE locktype = 'transactionid' AND NOT granted")
                    .isEmpty());
  }

  /** For longer than it is looked for rows that are still locked. */
  @Test
  void aTableThatIsLockedForAMomentIsWaitedForAsWell() throws SQLException {
    List<LockClaim> claims = List.of(held("a", Share.LOCK), held("b", Share.LOCK));
    lockRow("b");
    PostgresHarness.await("an answer for the other", () -> isExtended(claims, 0));
    PostgresHarness.ask(administrator, "SAVEPOINT before");
    PostgresHarness.ask(administrator, "LOCK TABLE holdfast.table_lock");
    CompletionStage<Attempt> other = claim(backend, "c", Share.LOCK).attempt();
    PostgresHarness.await(
        "a wait for the table",
        () ->
            other.toCompletableFuture().isDone()
                || !scene
                    .server
                    .ask(
                        "SELECT 1 FROM pg_locks WHERE NOT granted"
                            + " AND relation = 'holdfast.table_lock'::regclass"
                            + " AND waitstart < clock_timestamp() - interval '500 ms'")
                    .isEmpty());
    PostgresHarness.ask(administrator, "ROLLBACK TO before");
    assertInstanceOf(Attempt.Granted.class, get(other));
    assertInstanceOf(RenewalAnswer.Unknown.class, renewed(backend, claims).get(1));
  }

  /** Those behind it would wait for twice as long. */
  @Test
  void aStatementThatTookTooLongWithoutALockedRowIsNotSentAgain() {
    StatementHooks hooks = new StatementHooks(scene.server.url());
    Settings settings = new Settings(TableLockProvider.NAME, Map.of("command-timeout", "20s"));
    LockBackend<?> hooked =
        scene.closing(TableBackend.open(PostgresConfig.of(settings, hooks, TTL)));
    LockClaim claim = claim(hooked, "a", Share.LOCK);
    hooks.afterNext(
        ACQUIRE,
        () -> {
          throw new PSQLException(new ServerErrorMessage("SERROR\0C57014\0Mtold"));
        });
    assertThrows(CompletionException.class, () -> get(claim.attempt()));
    assertEquals(1, hooks.count(ACQUIRE));
    assertEquals(ReleaseAnswer.FREED, get(claim.release()));
  }

  /** The first request of all waits for so long that there may be no answer in time. */
  private boolean isExtended(List<LockClaim> claims, int index) {
    try {
      return renewed(backend, claims).get(index) instanceof RenewalAnswer.Extended;
    } catch (CompletionException e) {
      return false;
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"lock", "read"})
  void theOthersAreReleased(String mode) throws SQLException {
    LockClaim locked = held("b", share(mode));
    LockClaim other = held("a", share(mode));
    lockRow("b");
    together(
        () -> {
          locked.release();
          other.release();
        });
    PostgresHarness.await("the release of the other", () -> owners("a").isEmpty());
    CompletionException failure =
        assertThrows(CompletionException.class, () -> get(locked.release()));
    assertInstanceOf(LockUnavailableException.class, failure.getCause());
    administrator.rollback();
    assertEquals(ReleaseAnswer.FREED, get(locked.release()));
  }

  @ParameterizedTest
  @ValueSource(strings = {"lock", "read"})
  void theOthersAreGranted(String mode) throws SQLException {
    get(held("b", share(mode)).release());
    lockRow("b");
    LockClaim locked = claim(backend, "b", share(mode));
    LockClaim other = claim(backend, "a", share(mode));
    together(
        () -> {
          locked.attempt();
          other.attempt();
        });
    PostgresHarness.await("a grant for the other", () -> !owners("a").isEmpty());
    CompletionException failure =
        assertThrows(CompletionException.class, () -> get(locked.attempt()));
    assertInstanceOf(LockUnavailableException.class, failure.getCause());
    administrator.rollback();
    assertTrue(isGranted(locked));
  }

  private List<String> owners(String name) {
    return scene.server.ask(
        "SELECT owner FROM holdfast.table_lock WHERE owner IS NOT NULL AND name = '" + name + "'");
  }

  /** For longer than their TTL. */
  @Test
  void theLeasesOfOthersGoOn() throws Exception {
    LockClient client = scene.client(TableLockProvider.NAME, "command-timeout", "3s");
    Lease one = client.lock("a", SHORT).acquire();
    Lease locked = client.lock("b", SHORT).acquire();
    Lease other = client.lock("c", SHORT).acquire();
    lockRow("b");
    assertEquals(LossReason.UNREACHABLE, PostgresHarness.get(locked.loss()).reason());
    assertTrue(one.isValid() && other.isValid());
    assertEquals(ReleaseOutcome.RELEASED, client.lock("d", SHORT).acquire().release());
    assertEquals(ReleaseOutcome.RELEASED, one.release());
    administrator.rollback();
    assertEquals(ReleaseOutcome.RELEASED, client.lock("b", SHORT).acquire().release());
    assertTrue(other.isValid());
  }
}
