/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redis;

import static io.holdfast.lock.redis.RedisHarness.LONG;
import static io.holdfast.lock.redis.RedisHarness.PATIENCE;
import static io.holdfast.lock.redis.RedisHarness.expect;
import static io.holdfast.lock.redis.RedisHarness.until;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.Lease;
import io.holdfast.lock.LockCapacityException;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.ReleaseOutcome;
import io.holdfast.lock.Retry;
import io.holdfast.lock.servers.Conditions;
import io.holdfast.lock.servers.Direction;
import io.holdfast.lock.servers.TcpProxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Connections that break, hang and lie. */
class RedisFaultTest {

  /** A waiter that in effect does not poll: only a message wakes it in time. */
  private static final LockOptions PATIENT =
      LONG.withRetry(
          Retry.defaults().withPauses(Duration.ofMinutes(1), Duration.ofMinutes(1)).withJitter(0));

  private final RedisHarness scene = new RedisHarness();

  @AfterEach
  void end() {
    scene.close();
  }

  /** Closing breaks it, and what broke is not made anew. */
  @Test
  void aConnectionThatIsBeingMadeEndsWithItsClient() throws InterruptedException {
    TcpProxy link = scene.link();
    for (int round = 0; round < 60; round++) {
      LockClient client = scene.client(link, Map.of());
      client.lock("a", LONG).acquire(PATIENCE).release();
      link.stall(Direction.TO_CLIENT);
      long made = link.connectionsMade();
      link.cut();
      until("another connection", () -> link.connectionsMade() > made);
      client.close();
      link.heal();
      until("no connection", () -> link.connections() == 0);
    }
  }

  @Test
  void aRequestThatIsStuckOnTheWayLeavesNothing() throws InterruptedException {
    TcpProxy link = scene.link();
    LockClient client = scene.impatient(link);
    client.lock("a", LONG).acquire().release();
    link.stall(Direction.TO_SERVER);
    expect(LockUnavailableException.class, () -> client.lock("a", LONG).tryAcquire());
    link.heal();
    nothingIsLeft();
  }

  @Test
  void aRequestThatAFrozenServerFindsLaterLeavesNothing() throws InterruptedException {
    LockClient client = scene.impatient();
    client.lock("a", LONG).acquire().release();
    scene.server.suspend();
    expect(LockUnavailableException.class, () -> client.lock("a", LONG).tryAcquire());
    scene.server.resume();
    nothingIsLeft();
  }

  @Test
  void aRequestThatAFrozenServerFindsAfterManyTtlsLeavesNothing() throws InterruptedException {
    LockOptions options = LONG.withTtl(Duration.ofSeconds(6));
    LockClient client = scene.impatient();
    client.lock("a", options).acquire().release();
    scene.server.suspend();
    expect(LockUnavailableException.class, () -> client.lock("a", options).tryAcquire());
    LockSupport.parkNanos(Duration.ofSeconds(13).toNanos());
    scene.server.resume();
    scene.client().lock("a", options).acquire(Duration.ofSeconds(5)).release();
  }

  @Test
  void aGrantWhoseAnswerIsLostLeavesNothing() throws InterruptedException {
    TcpProxy link = scene.link();
    LockClient client = scene.client(link, Map.of());
    client.lock("a", LONG).acquire().release();
    link.loseNextReply();
    expect(LockUnavailableException.class, () -> client.lock("a", LONG).tryAcquire());
    nothingIsLeft();
  }

  @Test
  void aGrantThatIsStuckOnTheWayBackLeavesNothing() throws InterruptedException {
    TcpProxy link = scene.link();
    LockClient client = scene.impatient(link);
    client.lock("a", LONG).acquire().release();
    link.stall(Direction.TO_CLIENT);
    expect(LockUnavailableException.class, () -> client.lock("a", LONG).tryAcquire());
    until("the grant at the server", () -> scene.lockKeys().size() == 1);
    link.heal();
    nothingIsLeft();
  }

  /** It has to ask what is there instead, and no answer to that is no reason to give up. */
  @Test
  void aLockThatFindsPermitsIsNotRefusedBecauseOfSilence() throws InterruptedException {
    Lease permits = scene.client().semaphore("a", 3, LONG).permits(2).acquire();
    TcpProxy link = scene.link();
    LockClient client = scene.client(link, Map.of("command-timeout", "2s"));
    client.lock("b", LONG).tryAcquire().orElseThrow().release();
    long calls = scene.info("commandstats", "cmdstat_evalsha:calls=");
    link.delay(Direction.TO_CLIENT, Duration.ofMinutes(1));
    CompletableFuture<Lease> lock = client.lock("a", LONG).acquireAsync();
    until(
        "a server that has said what it found",
        () -> scene.info("commandstats", "cmdstat_evalsha:calls=") > calls);
    link.stall(Direction.TO_SERVER);
    long made = link.connectionsMade();
    link.delay(Direction.TO_CLIENT, Duration.ZERO);
    until("a connection given up", () -> lock.isDone() || link.connectionsMade() > made);
    link.heal();
    CompletionException told = assertThrows(CompletionException.class, lock::join);
    LockCapacityException why = assertInstanceOf(LockCapacityException.class, told.getCause());
    assertEquals(1, why.askedFor());
    assertEquals(3, why.inUse());
    assertEquals(ReleaseOutcome.RELEASED, permits.release());
  }

  @Test
  void aUserWhoMayNotKillConnectionsCleansUpByAskingAgain() throws InterruptedException {
    TcpProxy link = scene.link();
    LockClient client = clientThatMayNotKill(link);
    client.lock("a", LONG).acquire().release();
    link.stall(Direction.TO_SERVER);
    expect(LockUnavailableException.class, () -> client.lock("a", LONG).tryAcquire());
    link.heal();
    nothingIsLeft();
  }

  /** The refusal is the answer to a later request, and says nothing about the first. */
  @Test
  void aUserWhoMayNotKillConnectionsCleansUpThoughRefusedMeanwhile() throws InterruptedException {
    TcpProxy link = scene.link();
    LockClient client = clientThatMayNotKill(link);
    client.lock("a", LONG).acquire().release();
    Lease held = scene.client().lock("a", LONG).acquire();
    link.stallExisting(Direction.TO_SERVER);
    CompletableFuture<Lease> asked = client.lock("a", LONG).acquireAsync();
    subscribers(1);
    assertTrue(asked.cancel(true));
    subscribers(0);
    held.release();
    link.heal();
    nothingIsLeft();
  }

  private LockClient clientThatMayNotKill(TcpProxy link) {
    scene.server.command(
        "ACL", "SETUSER", "app", "on", ">pw", "~*", "&*", "+@all", "-client", "-info");
    return scene.impatient(link, Map.of("username", "app", "password", "pw"));
  }

  @Test
  void aReleaseWhoseAnswerIsLostFreesTheLock() throws InterruptedException {
    TcpProxy link = scene.link();
    Lease lease = scene.client(link, Map.of()).lock("a", LONG).acquire();
    link.loseNextReply();
    assertEquals(ReleaseOutcome.UNKNOWN, lease.release());
    nothingIsLeft();
  }

  @Test
  void aReleaseThatIsStuckFreesTheLockLater() throws InterruptedException {
    TcpProxy link = scene.link();
    Lease lease = scene.impatient(link).lock("a", LONG).acquire();
    link.stall(Direction.TO_SERVER);
    assertEquals(ReleaseOutcome.UNKNOWN, lease.release());
    assertEquals(1, scene.lockKeys().size());
    link.heal();
    nothingIsLeft();
  }

  @Test
  void cancellingARequestThatIsStuckLeavesNothing() throws InterruptedException {
    TcpProxy link = scene.link();
    LockClient client = scene.impatient(link);
    client.lock("a", LONG).acquire().release();
    link.stall(Direction.TO_SERVER);
    CompletableFuture<Lease> asked = client.lock("a", LONG).acquireAsync();
    assertTrue(asked.cancel(true));
    link.heal();
    nothingIsLeft();
  }

  private void nothingIsLeft() throws InterruptedException {
    scene.client().lock("a", LONG).acquire(PATIENCE).release();
    Conditions.settles(
        "nothing is at the server",
        PATIENCE,
        Duration.ofMillis(700),
        () -> scene.lockKeys().isEmpty());
  }

  @Test
  void bothConnectionsComeBackWhenTheyAreKilled() throws Exception {
    LockClient holder = scene.client();
    Lease held = holder.lock("a", LONG).acquire();
    CompletableFuture<Lease> waiter = scene.client().lock("a", PATIENT).acquireAsync();
    subscribers(1);
    String before = String.join(",", scene.connections());
    scene.server.command("CLIENT", "KILL", "TYPE", "pubsub");
    scene.server.command("CLIENT", "KILL", "TYPE", "normal");
    until(
        "three new connections",
        () ->
            scene.connections().size() == 3
                && scene.connections().stream().noneMatch(List.of(before.split(","))::contains));
    subscribers(1);
    holder.lock("b", LONG).acquire(PATIENCE).release();
    assertTrue(held.isValid());
    assertEquals(ReleaseOutcome.RELEASED, held.release());
    assertTrue(RedisHarness.get(waiter).isValid());
  }

  @Test
  void aWaiterIsWokenByTheMessageOfTheRelease() throws Exception {
    LockClient holder = scene.client();
    LockClient waiting = scene.client();
    for (int i = 0; i < 20; i++) {
      Lease held = holder.lock("a", LONG).acquire();
      CompletableFuture<Lease> waiter = waiting.lock("a", PATIENT).acquireAsync();
      subscribers(1);
      held.release();
      RedisHarness.get(waiter).release();
      subscribers(0);
    }
  }

  /** The release may come between the refusal and the subscription. */
  @Test
  void aReleaseBeforeTheSubscriptionIsNotMissed() throws Exception {
    LockClient holder = scene.client();
    LockClient waiting = scene.client();
    for (int i = 0; i < 100; i++) {
      Lease held = holder.lock("a", LONG).acquire();
      CompletableFuture<Lease> waiter = waiting.lock("a", PATIENT).acquireAsync();
      held.releaseAsync();
      RedisHarness.get(waiter).release();
    }
  }

  private void subscribers(int count) {
    until(
        count + " subscriber(s)",
        () ->
            scene.server.values("PUBSUB", "NUMSUB", "lock:a").get(1).equals(String.valueOf(count)));
  }

  /** Its kernel has the requests already, and it carries them out when it goes on. */
  @Test
  void aRequestReadAfterCloseTakesNothing() {
    LockClient client = scene.impatient();
    List<CompletableFuture<Lease>> asked = new ArrayList<>();
    scene.server.suspend();
    for (int i = 0; i < 100; i++) {
      asked.add(client.lock("late" + i, LONG).acquireAsync());
    }
    client.close();
    scene.server.resume();
    until("all connections have ended", () -> scene.connections().isEmpty());
    assertEquals(List.of(), scene.lockKeys());
    assertTrue(asked.stream().allMatch(CompletableFuture::isCompletedExceptionally));
  }
}
