/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.LossReason;
import io.holdfast.lock.Retry;
import io.holdfast.lock.Share;
import io.holdfast.lock.postgres.schema.AdvisoryKey;
import io.holdfast.lock.postgres.schema.Schema;
import io.holdfast.lock.postgres.session.NotificationListener;
import io.holdfast.lock.spi.ClaimSignals;
import io.holdfast.lock.spi.LockBackend;
import io.holdfast.lock.spi.LockClaim;
import io.holdfast.lock.spi.Settings;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;

/** Which client a release names as the next, and what is told of it. */
class NamedWaiterTest extends TableClaimsTestBase {

  private static final int SLOTS = 127;

  private String provider = "";

  /**
   * A client.
   *
   * @param slot of its session
   * @param process of the server
   */
  private record Client(LockBackend<?> backend, int process, int slot) {

    /** How far behind this one's slot the other's comes. */
    int stepsTo(Client other) {
      return Math.floorMod(other.slot - slot, SLOTS);
    }
  }

  private Client opened(String of) {
    provider = of;
    Set<String> before = Set.copyOf(sessions());
    Settings settings = new Settings(of, patient("session-timeout", "60s"));
    LockBackend<?> backend =
        scene.closing(
            of.equals(AdvisoryLockProvider.NAME)
                ? new AdvisoryLockProvider().open(settings)
                : new TableLockProvider().open(settings));
    List<String> now = new ArrayList<>(sessions());
    now.removeAll(before);
    int process = Integer.parseInt(now.get(0));
    return new Client(backend, process, process % SLOTS + 1);
  }

  /** One that a holder does not name if all slots are waited for. */
  private Client openedApartFrom(Client holder) {
    Client client = opened(provider);
    return client.slot == holder.slot || client.slot == holder.slot % SLOTS + 1
        ? opened(provider)
        : client;
  }

  private LockClaim holding(Client client) {
    LockClaim held = claim(client.backend, "a", Share.LOCK);
    assertTrue(isGranted(held));
    return held;
  }

  private AdvisoryKey key() {
    return AdvisoryKey.of(provider.substring("postgres-".length()), "lock", "a");
  }

  /** The processes of the server in which clients ask for locks. */
  private List<String> sessions() {
    return scene.server.ask(
        "SELECT pid FROM pg_stat_activity WHERE application_name = 'holdfast'"
            + " AND query NOT LIKE 'LISTEN %'");
  }

  /** The processes that have marked who waits. */
  private List<String> marks() {
    return scene.server.ask(
        "SELECT DISTINCT pid FROM pg_locks WHERE locktype = 'advisory' AND objsubid = 2");
  }

  private String channel() {
    String kind = provider.substring("postgres-".length());
    return NotificationListener.channel(kind, Schema.named(Schema.DEFAULT), "lock");
  }

  /** Hears what clients tell. */
  private PGConnection listening() throws SQLException {
    Connection connection = scene.connect();
    PostgresHarness.ask(connection, "LISTEN " + channel());
    return connection.unwrap(PGConnection.class);
  }

  private static PGNotification heard(PGConnection listening) {
    List<PGNotification> all = new ArrayList<>();
    PostgresHarness.await(
        "a message",
        () -> {
          try {
            all.addAll(List.of(listening.getNotifications(100)));
          } catch (SQLException e) {
            throw new AssertionError(e);
          }
          return !all.isEmpty();
        });
    return all.get(0);
  }

  /** As a client that waits, and hears nothing. */
  private void markedBy(int... slots) throws SQLException {
    Connection connection = scene.connect();
    if (provider.equals(AdvisoryLockProvider.NAME)) {
      mark(connection, 0);
    }
    for (int slot : slots) {
      mark(connection, slot);
    }
  }

  private void markedByAllBut(Client one) throws SQLException {
    markedBy(IntStream.rangeClosed(1, SLOTS).filter(slot -> slot != one.slot).toArray());
  }

  private void mark(Connection connection, int slot) throws SQLException {
    assertEquals(
        List.of("t"),
        PostgresHarness.ask(
            connection,
            "SELECT pg_try_advisory_lock_shared(%d, %d)"
                .formatted(key().high(), key().low() ^ slot)));
  }

  /** Counts what a claim is told. */
  private static final class Told implements ClaimSignals {

    final AtomicInteger wakeUps = new AtomicInteger();
    final AtomicInteger othersFirst = new AtomicInteger();

    @Override
    public void wake() {
      wakeUps.incrementAndGet();
    }

    @Override
    public void othersFirst() {
      othersFirst.incrementAndGet();
    }

    @Override
    public void lost(LossReason reason) {}
  }

  private LockClaim waiter(LockBackend<?> backend, Told told) {
    LockClaim waiter = claim(backend, "a", Share.LOCK, TTL, told);
    assertFalse(isGranted(waiter));
    return waiter;
  }

  @ParameterizedTest
  @ValueSource(strings = {"postgres-advisory", "postgres-table"})
  void theReleaseTellsTheSlotOfOneThatWaits(String of) throws Exception {
    Client holder = opened(of);
    LockClaim held = holding(holder);
    Told told = new Told();
    Client other = openedApartFrom(holder);
    LockClaim waiter = waiter(other.backend, told);
    PGConnection listening = listening();
    get(held.release());
    assertEquals(key().payload() + " " + other.slot, heard(listening).getParameter());
    PostgresHarness.await("the wake-up", () -> told.wakeUps.get() > 0);
    assertTrue(isGranted(waiter));
    get(waiter.release());
  }

  /** However few others want it, nobody is passed over. */
  @ParameterizedTest
  @ValueSource(strings = {"postgres-advisory", "postgres-table"})
  void theSlotsHaveTheirTurn(String of) throws Exception {
    Client first = opened(of);
    Client one = opened(of);
    Client two = opened(of);
    Client second = first.stepsTo(one) < first.stepsTo(two) ? one : two;
    Client third = second.equals(one) ? two : one;
    LockClaim held = holding(first);
    waiter(third.backend, new Told());
    Told told = new Told();
    LockClaim next = waiter(second.backend, told);
    get(held.release());
    PostgresHarness.await("the wake-up", () -> told.wakeUps.get() > 0);
    assertTrue(isGranted(next));
    LockClaim again = claim(first.backend, "a", Share.LOCK);
    String marked = "SELECT 1 FROM pg_locks WHERE objsubid = 2 AND pid = " + first.process;
    PostgresHarness.await(
        "its mark", () -> !isGranted(again) && !scene.server.ask(marked).isEmpty());
    PGConnection listening = listening();
    get(next.release());
    assertEquals(key().payload() + " " + third.slot, heard(listening).getParameter());
  }

  @ParameterizedTest
  @ValueSource(strings = {"postgres-advisory", "postgres-table"})
  void aClientThatIsNotNamedIsToldThatAnotherGoesFirst(String of) throws Exception {
    Client holder = opened(of);
    LockClaim held = holding(holder);
    Told told = new Told();
    Client other = openedApartFrom(holder);
    LockClaim waiter = waiter(other.backend, told);
    markedByAllBut(other);
    get(held.release());
    PostgresHarness.await("the message", () -> told.othersFirst.get() > 0);
    assertEquals(0, told.wakeUps.get());
    assertTrue(isGranted(waiter));
    get(waiter.release());
  }

  @ParameterizedTest
  @ValueSource(strings = {"postgres-advisory", "postgres-table"})
  void theClientThatReleasesIsToldThatAnotherGoesFirst(String of) throws Exception {
    Client holder = opened(of);
    Told told = new Told();
    LockClaim first = claim(holder.backend, "a", Share.LOCK, TTL, told);
    assertTrue(isGranted(first));
    LockClaim trying = trying(openedApartFrom(holder).backend, "a", Share.LOCK);
    assertFalse(isGranted(trying));
    get(trying.release());
    get(first.release());
    assertEquals(0, told.othersFirst.get(), "nobody waits");
    LockClaim second = claim(holder.backend, "a", Share.LOCK, TTL, told);
    assertTrue(isGranted(second));
    LockClaim waiter = waiter(openedApartFrom(holder).backend, new Told());
    get(second.release());
    assertEquals(1, told.othersFirst.get());
    get(waiter.release());
  }

  /** That one does not ask: the other does after a while, without being told again. */
  @ParameterizedTest
  @ValueSource(strings = {"postgres-advisory", "postgres-table"})
  void aClientThatWasNamedAndDiedCostsOthersAMoment(String of) throws Exception {
    provider = of;
    LockClient holder = scene.client(of, "session-timeout", "60s");
    LockClient other = scene.client(of, "session-timeout", "60s");
    Retry slow = Retry.defaults().withPauses(Duration.ofHours(1), Duration.ofHours(1));
    Lease held = holder.lock("a").acquire();
    CompletableFuture<Lease> waiting =
        other.lock("a", LockOptions.defaults().withRetry(slow)).acquireAsync();
    PostgresHarness.await("its mark", () -> marks().size() == 1);
    int slot = Integer.parseInt(marks().get(0)) % SLOTS + 1;
    markedBy(IntStream.rangeClosed(1, SLOTS).filter(one -> one != slot).toArray());
    held.release();
    // A table's waiter asks again after 20 s or more by itself.
    waiting.get(15, TimeUnit.SECONDS).release();
  }

  /** One that is about to mark, or has the slot of the holder. */
  @ParameterizedTest
  @ValueSource(strings = {"postgres-advisory", "postgres-table"})
  void theKeyIsToldAloneIfNobodyIsToBeNamed(String of) throws Exception {
    LockClaim held = holding(opened(of));
    markedBy();
    scene.server.ask("UPDATE holdfast.table_lock SET wanted_until = now() + interval '1 minute'");
    PGConnection listening = listening();
    get(held.release());
    assertEquals(key().payload(), heard(listening).getParameter());
  }

  @ParameterizedTest
  @ValueSource(strings = {"postgres-advisory", "postgres-table"})
  void aKeyThatIsToldAloneWakesEverybody(String of) {
    LockClaim held = holding(opened(of));
    Told told = new Told();
    LockClaim waiter = waiter(opened(of).backend, told);
    scene.server.ask("SELECT pg_notify('%s', '%s')".formatted(channel(), key().payload()));
    PostgresHarness.await("the message", () -> told.wakeUps.get() > 0);
    get(waiter.release());
    get(held.release());
  }

  /** One that does not wait is never named. */
  @ParameterizedTest
  @ValueSource(strings = {"postgres-advisory", "postgres-table"})
  void anAttemptThatDoesNotWaitLeavesNoMark(String of) {
    LockClaim held = holding(opened(of));
    LockClaim trying = trying(opened(of).backend, "a", Share.LOCK);
    assertFalse(isGranted(trying));
    assertEquals(
        List.of(),
        scene.server.ask("SELECT mode FROM pg_locks WHERE locktype = 'advisory' AND objsubid = 2"));
    get(trying.release());
    get(held.release());
  }
}
