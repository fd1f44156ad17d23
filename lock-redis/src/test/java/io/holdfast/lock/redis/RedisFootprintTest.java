/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redis;

import static io.holdfast.lock.redis.RedisHarness.BY_MESSAGE;
import static io.holdfast.lock.redis.RedisHarness.LONG;
import static io.holdfast.lock.redis.RedisHarness.until;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockEvent;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.LockRejectedException;
import io.holdfast.lock.ReleaseOutcome;
import io.holdfast.lock.Renewal;
import io.holdfast.lock.servers.Conditions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests what the backend needs of the server, and what it leaves behind. */
class RedisFootprintTest {

  private final RedisHarness scene = new RedisHarness();

  @AfterEach
  void end() {
    scene.close();
  }

  @Test
  void aHundredLocksAndWaitersNeedTwoConnections() throws InterruptedException {
    LockClient other = scene.client();
    List<Lease> held = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      held.add(other.lock("n" + i, LONG).acquire());
    }
    assertEquals(1, scene.connections().size());
    LockClient client = scene.client();
    List<CompletableFuture<Lease>> waiters = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      waiters.add(client.lock("n" + i, LONG).acquireAsync());
    }
    until("100 channels", () -> scene.server.values("PUBSUB", "CHANNELS", "lock:*").size() == 100);
    assertEquals(3, scene.connections().size());
    held.forEach(Lease::release);
    waiters.forEach(waiter -> assertEquals(ReleaseOutcome.RELEASED, waiter.join().release()));
    until("no channel", () -> scene.server.values("PUBSUB", "CHANNELS", "lock:*").isEmpty());
    client.close();
    other.close();
    until("no connection", () -> scene.connections().isEmpty());
  }

  @Test
  void aThousandLeasesAreRenewedInFewRequests() throws InterruptedException {
    LockClient client = scene.client();
    AtomicInteger renewed = new AtomicInteger();
    client.addListener(
        event -> {
          if (event instanceof LockEvent.Renewed) {
            renewed.incrementAndGet();
          }
        });
    LockOptions options = LONG.withRenewal(Renewal.every(Duration.ofSeconds(2)));
    List<CompletableFuture<Lease>> asked = new ArrayList<>();
    for (int i = 0; i < 1000; i++) {
      asked.add(client.lock("n" + i, options).acquireAsync());
    }
    List<Lease> leases = asked.stream().map(CompletableFuture::join).toList();
    renewed.set(0);
    scene.server.command("CONFIG", "RESETSTAT");
    until("every lease was renewed twice", () -> renewed.get() >= 2000);
    long requests = scene.info("commandstats", "cmdstat_evalsha:calls=");
    System.out.println(renewed.get() + " renewals in " + requests + " requests");
    assertTrue(requests <= 100, requests + " requests for " + renewed.get() + " renewals");
    assertTrue(leases.stream().allMatch(Lease::isValid));
  }

  /** The server answers when all are asked for, so that it does not matter how fast they are. */
  @Test
  void manyLocksAtOnceAreTakenAndFreedInFewRequests() throws InterruptedException {
    LockClient client = scene.client(Map.of("command-timeout", "30s"));
    client.lock("first", LONG).acquire().release();
    scene.server.command("CONFIG", "RESETSTAT");
    scene.server.suspend();
    List<CompletableFuture<Lease>> asked = new ArrayList<>();
    for (int i = 0; i < 1000; i++) {
      asked.add(client.lock("n" + i, LONG).acquireAsync());
    }
    scene.server.resume();
    List<Lease> leases = asked.stream().map(CompletableFuture::join).toList();
    assertEquals(1000, leases.stream().map(Lease::fencingToken).distinct().count());
    scene.server.suspend();
    List<CompletableFuture<ReleaseOutcome>> freed =
        leases.stream().map(Lease::releaseAsync).toList();
    scene.server.resume();
    freed.forEach(outcome -> assertEquals(ReleaseOutcome.RELEASED, outcome.join()));
    long requests = scene.info("commandstats", "cmdstat_evalsha:calls=");
    assertTrue(requests <= 100, requests + " requests for 1,000 locks");
    assertEquals("", scene.server.command("KEYS", "lock:*"));
  }

  @Test
  void severalLocksAreTakenInOneRequestAndFreedInAnother() throws InterruptedException {
    LockClient client = scene.client();
    List<String> names = IntStream.range(0, 10).mapToObj(i -> "n" + i).toList();
    client.allOf(names, LONG).acquire().release();
    scene.server.command("CONFIG", "RESETSTAT");
    try (Lease lease = client.allOf(names, LONG).acquire()) {
      assertEquals(1, scene.info("commandstats", "cmdstat_evalsha:calls="));
      assertTrue(lease.isValid());
    }
    // The last that was granted may be freed by the thread that has told so.
    long freedBy = scene.info("commandstats", "cmdstat_evalsha:calls=") - 1;
    assertTrue(freedBy <= 2, "ten locks are freed by " + freedBy + " requests");
    assertEquals("", scene.server.command("KEYS", "lock:*"));
  }

  /**
   * One command of a script takes a lock, two free it. The rest is asked for once: the time, the
   * counter, and the deletion; or twice, where the thread that has told of the last grant frees it.
   */
  @Test
  void severalLocksCostThreeCommandsEach() throws InterruptedException {
    LockClient client = scene.client();
    List<String> names = IntStream.range(0, 10).mapToObj(i -> "n" + i).toList();
    client.allOf(names, LONG).acquire().release();
    scene.server.command("CONFIG", "RESETSTAT");
    assertEquals(ReleaseOutcome.RELEASED, client.allOf(names, LONG).acquire().release());
    assertEquals(10 + 1, scene.info("commandstats", "cmdstat_set:calls="));
    assertEquals(1 + 10, scene.info("commandstats", "cmdstat_getrange:calls="));
    long deletions = scene.info("commandstats", "cmdstat_del:calls=");
    assertTrue(deletions <= 2, deletions + " deletions");
    assertEquals(10, scene.info("commandstats", "cmdstat_publish:calls="));
    assertEquals(0, scene.info("commandstats", "cmdstat_get:calls="));
    assertEquals("", scene.server.command("KEYS", "lock:*"));
  }

  /**
   * A waiter that waits again soon hears of the release without subscribing and asking once more.
   */
  @Test
  void aClientThatTakesTurnsSubscribesOnceAndAsksOnce() throws Exception {
    AtomicInteger refused = new AtomicInteger();
    List<LockClient> clients = List.of(scene.client(), scene.client());
    for (LockClient client : clients) {
      client.addListener(
          event -> {
            if (event instanceof LockEvent.Contended) {
              refused.incrementAndGet();
            }
          });
    }
    Lease lease = clients.get(0).lock("a", BY_MESSAGE).acquire();
    scene.server.command("CONFIG", "RESETSTAT");
    int turns = 100;
    for (int turn = 1; turn <= turns; turn++) {
      int before = refused.get();
      CompletableFuture<Lease> next = clients.get(turn % 2).lock("a", BY_MESSAGE).acquireAsync();
      until("refused", () -> refused.get() > before);
      lease.release();
      lease = RedisHarness.get(next);
    }
    long subscribed = scene.info("commandstats", "cmdstat_subscribe:calls=");
    long asked = scene.info("commandstats", "cmdstat_evalsha:calls=");
    // Each is made again every few seconds, with the look at the connection.
    assertTrue(subscribed <= turns / 2, subscribed + " subscriptions for " + turns + " turns");
    // Two that ask and one that frees; a fourth of each turn would make it 400.
    assertTrue(asked <= turns * 7 / 2, asked + " scripts for " + turns + " turns");
  }

  /** A channel is kept for a second without waiters; this one has another by then. */
  @Test
  void aChannelThatWasWaitedForAgainIsLeftInTheEnd() throws InterruptedException {
    LockClient client = scene.client();
    Lease held = scene.client().lock("a", LONG).acquire();
    CompletableFuture<Lease> first = client.lock("a", LONG).acquireAsync();
    until("a channel", () -> !scene.server.values("PUBSUB", "CHANNELS", "lock:*").isEmpty());
    first.cancel(true);
    CompletableFuture<Lease> second = client.lock("a", LONG).acquireAsync();
    Conditions.stays("the second waits", Duration.ofMillis(1_500), () -> !second.isDone());
    second.cancel(true);
    Conditions.until(
        "no channel",
        Duration.ofSeconds(10),
        () -> scene.server.values("PUBSUB", "CHANNELS", "lock:*").isEmpty());
    assertEquals(ReleaseOutcome.RELEASED, held.release());
  }

  /** A failure that concerns one lock is told to that one. */
  @Test
  void requestsSentTogetherAreAnsweredEachByItself() {
    scene.server.command("ACL", "SETUSER", "narrow", "on", ">secret", "+@all", "&*");
    scene.server.command("ACL", "SETUSER", "narrow", "~lock:", "~lock:n*", "~lock#token");
    scene.server.command("SADD", "lock:n7", "no lock");
    scene.server.command("SET", "lock:n8", "somebody", "PX", "600000");
    LockClient client = scene.client(Map.of("username", "narrow", "password", "secret"));
    List<CompletableFuture<Optional<Lease>>> asked = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      String name = (i == 50 ? "forbidden" : "n") + i;
      asked.add(client.lock(name, LONG).tryAcquireAsync());
    }
    for (int i = 0; i < 100; i++) {
      CompletableFuture<Optional<Lease>> answer = asked.get(i);
      if (i == 7 || i == 50) {
        CompletionException failure = assertThrows(CompletionException.class, answer::join);
        LockRejectedException refused =
            assertInstanceOf(LockRejectedException.class, failure.getCause(), "lock " + i);
        String why = i == 7 ? "something else" : "permission";
        assertTrue(String.valueOf(refused.getMessage()).contains(why), refused.getMessage());
      } else {
        assertEquals(i != 8, answer.join().isPresent(), "lock " + i);
      }
    }
  }

  /** A lock that may not do something must not stop a script that has taken others. */
  @Test
  void aRefusalInTheMiddleLeavesNothingBehind() {
    scene.server.command("ACL", "SETUSER", "narrow", "on", ">secret", "+@all", "-pttl", "&*", "~*");
    scene.server.command("SET", "lock:n8", "somebody", "PX", "600000");
    LockClient client = scene.client(Map.of("username", "narrow", "password", "secret"));
    List<CompletableFuture<Optional<Lease>>> asked = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      asked.add(client.lock("n" + i, LONG).tryAcquireAsync());
    }
    for (int i = 0; i < 20; i++) {
      CompletableFuture<Optional<Lease>> answer = asked.get(i);
      if (i == 8) {
        CompletionException failure = assertThrows(CompletionException.class, answer::join);
        assertInstanceOf(LockRejectedException.class, failure.getCause());
      } else {
        assertEquals(ReleaseOutcome.RELEASED, answer.join().orElseThrow().release());
      }
    }
    assertEquals("lock:n8", scene.server.command("KEYS", "lock:*"));
  }

  @Test
  void aReadyClientIsNeitherChangedNorClosed() throws InterruptedException {
    RedisURI uri = RedisURI.create(scene.server.host(), scene.server.port());
    RedisClient ready = RedisClient.create(uri);
    try {
      io.lettuce.core.ClientOptions before = ready.getOptions();
      Duration timeout = uri.getTimeout();
      LockClient locks =
          RedisLocks.using(ready, uri, "mine", ClientOptions.defaults().withClientName("shop"));
      Lease lease = locks.lock("a", LONG).acquire();
      assertEquals(lease.ownerId(), scene.server.command("GET", "mine:a"));
      locks.close();
      assertSame(before, ready.getOptions());
      assertEquals(timeout, uri.getTimeout());
      assertEquals("", scene.server.command("GET", "mine:a"));
      until("no connection", () -> scene.connections().isEmpty());
      assertEquals("PONG", ready.connect().sync().ping());
    } finally {
      ready.shutdown();
    }
  }
}
