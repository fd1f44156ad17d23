/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redis;

import static io.holdfast.lock.redis.RedisHarness.BY_MESSAGE;
import static io.holdfast.lock.redis.RedisHarness.until;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHolder;
import io.holdfast.lock.ReleaseOutcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests that a release wakes one of many clients that wait. */
class OneWaiterAtATimeTest {

  private static final String WAITING = "lock#waiting:lock:a";

  private final RedisHarness scene = new RedisHarness();

  @AfterEach
  void end() {
    scene.close();
  }

  /** Told all at once, ten clients would ask fifty-five times. */
  @Test
  void tenClientsThatWaitAskOnceForEachRelease() throws Exception {
    List<LockClient> clients = clients(10);
    LockClient holder = scene.client();
    List<Long> counts = new ArrayList<>();
    // On a machine that stalls, those who were not named ask as well.
    while (counts.size() < 5 && counts.stream().noneMatch(count -> count <= 30)) {
      Lease held = holder.lock("a", BY_MESSAGE).acquire();
      List<CompletableFuture<ReleaseOutcome>> turns =
          waiters(clients).stream().map(next -> next.thenCompose(Lease::releaseAsync)).toList();
      noted(clients.size());
      scene.server.command("CONFIG", "RESETSTAT");
      held.release();
      for (CompletableFuture<ReleaseOutcome> turn : turns) {
        assertEquals(ReleaseOutcome.RELEASED, RedisHarness.get(turn));
      }
      counts.add(scene.info("commandstats", "cmdstat_evalsha:calls="));
    }
    // Eleven releases, and ten attempts.
    assertTrue(counts.get(counts.size() - 1) <= 30, "scripts in each round: " + counts);
    assertEquals(List.of(), scene.server.values("KEYS", WAITING));
  }

  /** A process that was killed, say, while it waited. */
  @Test
  void oneThatWasNamedAndIsGoneHoldsNobodyUp() throws Exception {
    Lease held = scene.client().lock("a", BY_MESSAGE).acquire();
    scene.server.command("ZADD", WAITING, "1", "gone");
    List<CompletableFuture<Lease>> waiters = waiters(clients(2));
    noted(3);
    held.release();
    for (CompletableFuture<Lease> next : inOrderOfTheirGrants(waiters)) {
      RedisHarness.get(next).release();
    }
  }

  /** The message comes later than the answer of the release, and would be too late each time. */
  @Test
  void theClientThatReleasesLetsTheNamedOneGoFirst() throws InterruptedException {
    LockClient client = scene.client();
    Lease held = client.lock("a", BY_MESSAGE).acquire();
    // Once is enough on a machine that does not stall.
    for (int i = 0; i < 20; i++) {
      scene.server.command("ZADD", WAITING, "1", "gone");
      long before = System.nanoTime();
      held.release();
      held = client.lock("a", BY_MESSAGE).acquire();
      Duration took = Duration.ofNanos(System.nanoTime() - before);
      assertTrue(took.compareTo(Duration.ofMillis(3)) >= 0, took::toString);
    }
    held.release();
  }

  /** As it asked for another reason. */
  @Test
  void theHolderIsNotNamed() throws Exception {
    Lease held = scene.client().lock("a", BY_MESSAGE).acquire();
    CompletableFuture<Lease> waiter = scene.client().lock("a", BY_MESSAGE).acquireAsync();
    noted(1);
    scene.server.command("DEL", "lock:a");
    scene.server.command("PUBLISH", "lock:a", "somebody");
    RedisHarness.get(waiter);
    noted(0);
    held.release();
  }

  @Test
  void aWaiterThatGivesUpIsNotNamed() throws Exception {
    Lease held = scene.client().lock("a", BY_MESSAGE).acquire();
    CompletableFuture<Lease> waiter = scene.client().lock("a", BY_MESSAGE).acquireAsync();
    noted(1);
    waiter.cancel(true);
    noted(0);
    held.release();
  }

  /** Its message has come too late for it, and nobody else was named. */
  @Test
  void aNamedWaiterThatGivesUpPassesItOn() throws Exception {
    Lease held = scene.client().lock("a", BY_MESSAGE).acquire();
    CompletableFuture<Lease> first = scene.client().lock("a", BY_MESSAGE).acquireAsync();
    noted(1);
    CompletableFuture<Lease> second = scene.client().lock("a", BY_MESSAGE).acquireAsync();
    noted(2);
    scene.server.command("ZPOPMIN", WAITING);
    scene.server.command("DEL", "lock:a");
    scene.server.command("CONFIG", "RESETSTAT");
    first.cancel(true);
    until("others are told", () -> scene.info("commandstats", "cmdstat_publish:calls=") > 0);
    RedisHarness.get(second).release();
    held.release();
  }

  /** The part of its id behind a blank is not the name of a waiter that asks first. */
  @Test
  void allAreWokenWhenALockIsTakenFromAnotherProgram() throws Exception {
    LockClient client = scene.client();
    Duration took = Duration.ofDays(1);
    // Once is enough on a machine that does not stall.
    for (int i = 0; i < 20 && took.compareTo(Duration.ofMillis(100)) >= 0; i++) {
      scene.server.command("SET", "lock:a", "another program", "PX", "600000");
      CompletableFuture<Lease> waiter = client.lock("a", BY_MESSAGE).acquireAsync();
      noted(1);
      LockHolder holder = client.inspector().holder("a").orElseThrow();
      long before = System.nanoTime();
      assertTrue(client.inspector().evict(holder));
      RedisHarness.get(waiter).release();
      took = Duration.ofNanos(System.nanoTime() - before);
    }
    assertTrue(took.compareTo(Duration.ofMillis(100)) < 0, took::toString);
  }

  private List<LockClient> clients(int count) {
    List<LockClient> clients = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      clients.add(scene.client());
    }
    return clients;
  }

  private static List<CompletableFuture<Lease>> waiters(List<LockClient> clients) {
    return clients.stream().map(client -> client.lock("a", BY_MESSAGE).acquireAsync()).toList();
  }

  private void noted(int waiters) {
    until(
        waiters + " are noted",
        () -> scene.server.command("ZCARD", WAITING).equals(String.valueOf(waiters)));
  }

  /** Whichever is granted, one after the other. */
  private static List<CompletableFuture<Lease>> inOrderOfTheirGrants(
      List<CompletableFuture<Lease>> waiters) throws Exception {
    CompletableFuture<Object> first =
        CompletableFuture.anyOf(waiters.toArray(CompletableFuture[]::new));
    RedisHarness.get(first);
    List<CompletableFuture<Lease>> inOrder = new ArrayList<>(waiters);
    inOrder.sort((a, b) -> Boolean.compare(b.isDone(), a.isDone()));
    return inOrder;
  }
}
