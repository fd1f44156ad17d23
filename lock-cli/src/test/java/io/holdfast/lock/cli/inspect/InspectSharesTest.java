/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.cli.inspect;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.Capabilities.Inspection;
import io.holdfast.lock.Capabilities.Sharing;
import io.holdfast.lock.DistributedSemaphore;
import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.Locks;
import io.holdfast.lock.Loss;
import io.holdfast.lock.cli.Cli;
import io.holdfast.lock.cli.PatientSettings;
import io.holdfast.lock.cli.common.ExitCodes;
import io.holdfast.lock.servers.EtcdServer;
import io.holdfast.lock.servers.PostgresServer;
import io.holdfast.lock.servers.RedisServer;
import io.holdfast.lock.servers.ZooKeeperServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands that look at locks, where several hold one name at a real server. */
class InspectSharesTest {

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @TempDir private Path directory;

  @Test
  void redis() throws Exception {
    try (RedisServer server = RedisServer.launch()) {
      assertAll(redisFile(server));
    }
  }

  @Test
  void zooKeeper() throws Exception {
    try (ZooKeeperServer server = ZooKeeperServer.launch(Duration.ofMillis(500))) {
      assertAll(file("provider=zookeeper", "connect=localhost:" + server.port()));
    }
  }

  @Test
  void etcd() throws Exception {
    try (EtcdServer server = EtcdServer.launch()) {
      assertAll(file("provider=etcd", "endpoints=http://localhost:" + server.port()));
    }
  }

  @Test
  void postgres() throws Exception {
    try (PostgresServer server = PostgresServer.launch()) {
      for (String provider : List.of("postgres-table", "postgres-advisory")) {
        assertAll(
            file(
                "provider=" + provider,
                "url=" + server.url(),
                "username=" + PostgresServer.USER,
                "create-schema=true"));
      }
    }
  }

  private static void assertAll(Path config) throws Exception {
    try (LockClient one = Locks.open(config);
        LockClient two = Locks.open(config)) {
      Sharing sharing = one.capabilities().sharing();
      readersAreShown(config, one, two);
      if (sharing.hasSemaphores()) {
        permitsAreShown(config, one, two);
        oneOfSeveralLosesIt(config, one, two);
      }
      if (sharing == Sharing.PERMITS) {
        theCapacityChanges(config, one, two);
      } else if (sharing == Sharing.FIXED_PERMITS) {
        theCapacityStays(config, one);
      }
    }
  }

  /** Of two clients, as the readers of one may be one at the server. */
  private static void readersAreShown(Path config, LockClient one, LockClient two)
      throws Exception {
    try (Lease first = one.readWriteLock("prices").readLock().acquire(PATIENCE);
        Lease second = two.readWriteLock("prices").readLock().acquire(PATIENCE)) {
      Cli who = run(config, "who", "prices");
      assertEquals(ExitCodes.OK, who.code(), who.toString());
      assertEquals("2 holders", who.out().lines().findFirst().orElseThrow());
      assertInOrder(who.out(), owner(one, first), "share       read", owner(two, second));
      Cli json = run(config, "who", "prices", "--json");
      assertInOrder(json.out(), owner(one, first), owner(two, second));
      assertEquals("read", json.field("mode"));
      assertEquals("null", json.field("permits"));
      assertEquals("null", json.field("capacity"));
      assertEquals("1", run(config, "status", "--json").field("held"));
    }
    try (Lease writer = one.readWriteLock("prices").writeLock().acquire(PATIENCE)) {
      Cli who = run(config, "who", "prices");
      assertInOrder(who.out(), "owner       " + owner(one, writer), "share       write");
    }
  }

  /** The owner that is shown of a lease; none where only the session is known. */
  private static String owner(LockClient client, Lease lease) {
    return client.capabilities().inspection() == Inspection.SESSION ? "" : lease.ownerId();
  }

  private static void permitsAreShown(Path config, LockClient one, LockClient two)
      throws Exception {
    try (Lease big = one.semaphore("exports", 8).permits(3).acquire(PATIENCE);
        Lease small = two.semaphore("exports", 8).permit().acquire(PATIENCE);
        Lease lock = two.lock("nightly").acquire(PATIENCE)) {
      List<String> list = run(config, "list").out().lines().toList();
      assertEquals(4, list.size(), list.toString());
      assertInOrder(list.get(0), "LOCK", "HOLDER", "SHARE", "TOKEN");
      assertInOrder(list.get(1), "exports", big.ownerId(), "3 of 8");
      assertInOrder(list.get(2), "exports", small.ownerId(), "1 of 8");
      assertInOrder(list.get(3), "nightly", lock.ownerId(), "lock");
      assertFalse(run(config, "list").err().contains("There may be more"));
      Cli some = run(config, "list", "--limit", "2");
      assertEquals(3, some.out().lines().count(), some.toString());
      assertTrue(some.err().contains("There may be more; see --limit"), some.err());
      Cli who = run(config, "who", "exports");
      assertEquals("2 holders have 4 of 8 permits", who.out().lines().findFirst().orElseThrow());
      assertInOrder(who.out(), big.ownerId(), "share       3 of 8", small.ownerId(), "1 of 8");
      Cli json = run(config, "who", "exports", "--json");
      assertEquals("permits", json.field("mode"));
      assertEquals("3", json.field("permits"));
      assertEquals("8", json.field("capacity"));
      assertInOrder(json.out(), small.ownerId(), "\"permits\":1,\"capacity\":8");
      assertEquals("2", run(config, "status", "--json").field("held"));
    }
  }

  private static void oneOfSeveralLosesIt(Path config, LockClient one, LockClient two)
      throws Exception {
    String[] release = {"release", "--force", "exports", "--yes"};
    // The holder learns of it by its next renewal.
    LockOptions oftenRenewed = LockOptions.defaults().withTtl(Duration.ofSeconds(6));
    try (Lease loses = one.semaphore("exports", 8, oftenRenewed).permits(3).acquire(PATIENCE);
        Lease stays = two.semaphore("exports", 8).permit().acquire(PATIENCE)) {
      CompletableFuture<Loss> loss = loses.loss().copy();
      Cli which = run(config, release);
      assertEquals(ExitCodes.USAGE, which.code(), which.toString());
      assertInOrder(
          which.err(),
          "several hold 'exports': " + loses.ownerId() + " (3 of 8)",
          stays.ownerId() + " (1 of 8)",
          "--owner");
      Cli nobody = run(config, "release", "--force", "exports", "--yes", "--owner", "nobody");
      assertEquals(ExitCodes.NO, nobody.code(), nobody.toString());
      assertInOrder(nobody.err(), "Nothing was done", loses.ownerId(), stays.ownerId());
      Cli done = run(config, "release", "--force", "exports", "--yes", "--owner", loses.ownerId());
      assertEquals(ExitCodes.OK, done.code(), done.toString());
      loss.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
      assertTrue(stays.isValid());
      // Of one holder it need not be said which.
      Cli who = run(config, "who", "exports", "--json");
      assertEquals(stays.ownerId(), who.field("owner"));
      assertFalse(who.out().contains(loses.ownerId()), who.out());
      assertEquals(ExitCodes.OK, run(config, release).code());
    }
    assertEquals(ExitCodes.NO, run(config, "who", "exports").code());
  }

  private static void theCapacityChanges(Path config, LockClient one, LockClient two)
      throws Exception {
    String[] grow = {"resize", "exports", "--from", "5", "--to", "8"};
    Cli unused = run(config, grow);
    assertEquals(ExitCodes.NO, unused.code(), unused.toString());
    assertInOrder(unused.err(), "'exports' is not in use as a semaphore of 5 permits\n");
    try (Lease held = one.semaphore("exports", 5).permits(4).acquire(PATIENCE)) {
      Cli grown = run(config, grow);
      assertEquals(ExitCodes.OK, grown.code(), grown.toString());
      assertInOrder(run(config, "who", "exports").out(), held.ownerId(), "4 of 8");
      two.semaphore("exports", 8).permits(4).tryAcquire().orElseThrow().release();
      Cli again = run(config, grow);
      assertEquals(ExitCodes.NO, again.code(), again.toString());
      assertInOrder(again.err(), "semaphore of 5 permits, but as a semaphore of 8 permits");
      Cli less = run(config, "resize", "exports", "--from", "8", "--to", "2", "--json");
      assertEquals(ExitCodes.OK, less.code(), less.toString());
      assertEquals("true", less.field("resized"));
      assertTrue(two.semaphore("exports", 2).permit().tryAcquire().isEmpty());
      assertTrue(held.isValid());
      assertInOrder(run(config, "who", "exports").out(), held.ownerId(), "share       2 of 2");
    }
  }

  private static void theCapacityStays(Path config, LockClient client) throws Exception {
    try (Lease held = client.semaphore("exports", 5).permits(4).acquire(PATIENCE)) {
      Cli refused = run(config, "resize", "exports", "--from", "5", "--to", "8");
      assertEquals(ExitCodes.USAGE, refused.code(), refused.toString());
      assertInOrder(refused.err(), "exports");
      assertInOrder(run(config, "who", "exports").out(), held.ownerId(), "share       4 of 5");
    }
  }

  /** A line for each of several holders, and none for those that stay. */
  @Test
  void watchShowsEachHolder() throws Exception {
    try (RedisServer server = RedisServer.launch()) {
      Path config = redisFile(server);
      try (LockClient client = Locks.open(config)) {
        DistributedSemaphore exports = client.semaphore("exports", 5);
        Lease stays = exports.permits(2).acquire(PATIENCE);
        CompletableFuture<Cli> watching =
            CompletableFuture.supplyAsync(
                () -> run(config, "watch", "--for", "8s", "--interval", "50ms"),
                task -> new Thread(task, "watching").start());
        List<String> comers = new ArrayList<>();
        while (!watching.isDone()) {
          try (Lease comes = exports.permit().acquire(PATIENCE)) {
            comers.add(comes.ownerId() + ",");
            pause();
          }
          pause();
        }
        stays.release();
        Cli seen = watching.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        List<String> lines = seen.out().lines().toList();
        String staying = stays.ownerId() + ",";
        assertEquals(1, lines.stream().filter(line -> line.contains(staying)).count(), seen.out());
        assertInOrder(lines.get(0), "held", "exports", ", 2 of 5, token");
        String comer =
            comers.stream().filter(owner -> seen.out().contains(owner)).findFirst().orElseThrow();
        assertInOrder(seen.out(), "held       exports  " + comer, "left       exports  " + comer);
      }
    }
  }

  private static void pause() {
    CompletableFuture.runAsync(
            () -> {}, CompletableFuture.delayedExecutor(400, TimeUnit.MILLISECONDS))
        .join();
  }

  private static void assertInOrder(String text, String... parts) {
    int from = 0;
    for (String part : parts) {
      int at = text.indexOf(part, from);
      assertTrue(at >= 0, () -> part + " is not there, or not in its place: " + text);
      from = at + part.length();
    }
  }

  private static Cli run(Path config, String... args) {
    return Cli.run(
        Stream.concat(Stream.of(args), Stream.of("--config", config.toString()))
            .toArray(String[]::new));
  }

  private Path redisFile(RedisServer server) throws IOException {
    return file("provider=redis", "uri=redis://localhost:" + server.port());
  }

  private Path file(String... lines) throws IOException {
    List<String> all = new ArrayList<>(List.of(lines));
    all.addAll(PatientSettings.lines());
    return Files.write(Files.createTempFile(directory, "locks", ".properties"), all);
  }
}
