/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.postgres;

import io.holdfast.lock.DistributedLock;
import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import java.lang.management.ManagementFactory;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;

/**
 * Measures locks in one run: an uncontended lock, by turns with the least that the same driver can
 * send for it over a connection that it has; connections for many held locks; and the server's
 * requests for each hand-over among many waiters. The server waits for the disk.
 */
final class PostgresCost {

  private static final int WARM_UP = 3_000;
  private static final int ROUNDS = 5_000;
  private static final int HELD = 5_000;
  private static final int WAITERS = 16;
  private static final int HAND_OVERS_EACH = 50;

  private PostgresCost() {}

  public static void main(String[] arguments) throws Exception {
    try (PostgresHarness scene =
        new PostgresHarness("fsync=on", "shared_preload_libraries=pg_stat_statements")) {
      System.out.printf(
          "%s, %d processors, load %.1f%n",
          scene.server.describe(),
          Runtime.getRuntime().availableProcessors(),
          ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage());
      scene.server.ask("CREATE EXTENSION pg_stat_statements");
      try (Bare bare = new Bare(scene.connect())) {
        uncontended(scene, AdvisoryLockProvider.NAME, "two advisory statements", bare::advisory);
        uncontended(scene, TableLockProvider.NAME, "an upsert and an update", bare::table);
        uncontended(scene, RowLockProvider.NAME, "SELECT FOR UPDATE and COMMIT", bare::row);
      }
      for (String provider : List.of(AdvisoryLockProvider.NAME, TableLockProvider.NAME)) {
        connections(scene, provider);
      }
      for (String provider :
          List.of(AdvisoryLockProvider.NAME, TableLockProvider.NAME, RowLockProvider.NAME)) {
        handOvers(scene, provider, 1);
        handOvers(scene, provider, WAITERS);
      }
    }
  }

  private interface Pair {
    void send() throws SQLException;
  }

  /** The least that takes a lock and gives it back. */
  private static final class Bare implements AutoCloseable {

    private final Connection connection;
    private final PreparedStatement lock;
    private final PreparedStatement unlock;
    private final PreparedStatement upsert;
    private final PreparedStatement free;
    private final PreparedStatement forUpdate;

    Bare(Connection connection) throws SQLException {
      this.connection = connection;
      PostgresHarness.ask(
          connection,
          "CREATE TABLE bare (name text PRIMARY KEY, owner text, expires_at timestamptz NOT NULL)");
      lock = connection.prepareStatement("SELECT pg_try_advisory_lock(?)");
      unlock = connection.prepareStatement("SELECT pg_advisory_unlock(?)");
      upsert =
          connection.prepareStatement(
              "INSERT INTO bare AS b VALUES ('cost', ?, now() + interval '30 s')"
                  + " ON CONFLICT (name) DO UPDATE SET owner = excluded.owner,"
                  + " expires_at = excluded.expires_at WHERE b.expires_at <= now()");
      free =
          connection.prepareStatement(
              "UPDATE bare SET owner = NULL, expires_at = now() WHERE name = 'cost' AND owner = ?");
      forUpdate =
          connection.prepareStatement(
              "SELECT true FROM bare WHERE name = 'cost' FOR UPDATE SKIP LOCKED");
    }

    void advisory() throws SQLException {
      lock.setLong(1, 42);
      lock.executeQuery().close();
      unlock.setLong(1, 42);
      unlock.executeQuery().close();
    }

    void table() throws SQLException {
      upsert.setString(1, "somebody");
      upsert.executeUpdate();
      free.setString(1, "somebody");
      free.executeUpdate();
    }

    void row() throws SQLException {
      connection.setAutoCommit(false);
      forUpdate.executeQuery().close();
      connection.commit();
      connection.setAutoCommit(true);
    }

    @Override
    public void close() throws SQLException {
      connection.close();
    }
  }

  private static void uncontended(PostgresHarness scene, String provider, String what, Pair pair)
      throws Exception {
    try (LockClient client = scene.client(provider)) {
      DistributedLock cost = client.lock("cost");
      long[] locked = new long[ROUNDS];
      long[] bare = new long[ROUNDS];
      for (int i = -WARM_UP; i < ROUNDS; i++) {
        long began = System.nanoTime();
        cost.acquire().release();
        long between = System.nanoTime();
        pair.send();
        long ended = System.nanoTime();
        if (i >= 0) {
          locked[i] = between - began;
          bare[i] = ended - between;
        }
      }
      System.out.printf(
          "%s: acquire and release median %.0f us, p99 %.0f us; %s median %.0f us, p99 %.0f us;"
              + " ratio %.2f%n",
          provider,
          at(locked, 0.5),
          at(locked, 0.99),
          what,
          at(bare, 0.5),
          at(bare, 0.99),
          at(locked, 0.5) / at(bare, 0.5));
    }
  }

  private static void connections(PostgresHarness scene, String provider) throws Exception {
    try (LockClient client = scene.client(provider)) {
      long began = System.nanoTime();
      List<CompletableFuture<Lease>> asked = new ArrayList<>();
      for (int i = 0; i < HELD; i++) {
        asked.add(client.lock("many-" + i).acquireAsync());
      }
      asked.forEach(CompletableFuture::join);
      double took = (System.nanoTime() - began) / 1e6;
      String found =
          scene
              .server
              .ask("SELECT count(*) FROM pg_stat_activity WHERE application_name = 'holdfast'")
              .get(0);
      long valid = asked.stream().filter(lease -> lease.join().isValid()).count();
      System.out.printf(
          "%s: %d locks held at once, taken in %.0f ms: %s connections%n",
          provider, valid, took, found);
    }
  }

  /** Waiters in one client, or each in one of its own. */
  private static void handOvers(PostgresHarness scene, String provider, int clients)
      throws Exception {
    List<LockClient> opened = new ArrayList<>();
    for (int i = 0; i < clients; i++) {
      opened.add(scene.client(provider));
    }
    CountDownLatch ready = new CountDownLatch(WAITERS);
    List<CompletableFuture<Void>> waiters = new ArrayList<>();
    scene.server.ask("SELECT pg_stat_statements_reset()");
    long began = System.nanoTime();
    for (int i = 0; i < WAITERS; i++) {
      DistributedLock lock = opened.get(i % clients).lock("wanted");
      CompletableFuture<Void> done = new CompletableFuture<>();
      waiters.add(done);
      new Thread(() -> handOn(lock, ready, done)).start();
    }
    waiters.forEach(CompletableFuture::join);
    double took = (System.nanoTime() - began) / 1e6;
    double statements =
        Double.parseDouble(
            scene
                .server
                .ask(
                    "SELECT sum(calls) FROM pg_stat_statements"
                        + " WHERE query NOT LIKE '%pg_stat_statements%'")
                .get(0));
    int handOvers = WAITERS * HAND_OVERS_EACH;
    System.out.printf(
        "%s: %d waiters in %d client(s), %d hand-overs: %.2f statements and %.2f ms for each%n",
        provider, WAITERS, clients, handOvers, statements / handOvers, took / handOvers);
    opened.forEach(LockClient::close);
  }

  private static void handOn(
      DistributedLock lock, CountDownLatch ready, CompletableFuture<Void> done) {
    try {
      ready.countDown();
      ready.await();
      for (int i = 0; i < HAND_OVERS_EACH; i++) {
        lock.acquire().release();
      }
      done.complete(null);
    } catch (InterruptedException | RuntimeException e) {
      done.completeExceptionally(e);
    }
  }

  private static double at(long[] nanos, double share) {
    Arrays.sort(nanos);
    return nanos[(int) (share * (nanos.length - 1))] / 1_000.0;
  }
}
