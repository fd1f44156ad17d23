/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redis;

import static io.holdfast.lock.redis.RedisScene.LONG;
import static io.holdfast.lock.redis.RedisScene.until;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockEvent;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.ReleaseOutcome;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What the backend needs of the server, and what it leaves behind. */
class RedisEconomyTest {

  private final RedisScene scene = new RedisScene();

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
    LockOptions options = LockOptions.defaults().withTtl(Duration.ofSeconds(6));
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
