/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redis;

import static io.holdfast.lock.redis.RedisHarness.LONG;
import static io.holdfast.lock.redis.RedisHarness.PATIENCE;
import static io.holdfast.lock.redis.RedisHarness.messages;
import static io.holdfast.lock.redis.RedisHarness.until;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.LockException;
import io.holdfast.lock.LockRejectedException;
import io.holdfast.lock.Locks;
import io.holdfast.lock.ReleaseOutcome;
import io.holdfast.lock.servers.TcpProxy;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Bad addresses, broken links, and clients and counters that others spoil. */
@Timeout(90)
class RedisAdversityTest {

  @Test
  void aCloseDuringAHiccupFreesItsLocks() {
    try (RedisHarness scene = new RedisHarness()) {
      TcpProxy link = scene.link();
      LockClient client = scene.client(link, Map.of());
      client.lock("a", LONG).acquireAsync().join();
      link.refuse();
      until("the break is noticed", () -> scene.connections().isEmpty());
      link.heal();
      client.close();
      assertEquals(List.of(), scene.lockKeys(), "the server is there, and the lock still held");
    }
  }

  @Test
  void aCloseAfterAReleaseWithoutAnswerFreesTheLock() throws Exception {
    try (RedisHarness scene = new RedisHarness()) {
      TcpProxy link = scene.link();
      LockClient client = scene.client(link, Map.of());
      Lease lease = client.lock("a", LONG).acquire();
      link.refuse();
      link.cut();
      lease.release();
      link.heal();
      client.close();
      assertEquals(List.of(), scene.lockKeys(), "the server is there, and the lock still held");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "redis://:c0ffee/x@localhost:1",
        "redis://:c0ffee#x@localhost:1",
        "redis://:c0ffee?x@localhost:1",
        "redis://c0ffee/x@localhost:1",
        "redis://c0ffee#x@localhost:1",
        "redis://user:c0ffee/x@localhost:1",
        "redis://user:c0ffee#x@localhost:1",
        "redis://user:c0ffee?x@localhost:1",
        "redis://user:c0ffee@x@localhost:1",
        "redis://user:%c0ffee@localhost:1",
        "redis://user:a:c0ffee@localhost:1",
        "redis://c0ffee@localhost:1",
        "redis://:c0ffee@localhost:1",
        "redis://localhost:1?password=c0ffee",
      })
  void noPartOfAPasswordIsTakenForAHost(String uri) {
    LockException failure =
        assertThrows(
            LockException.class,
            () -> Locks.open("redis", Map.of("uri", uri, "connect-timeout", "2s")).close());
    assertFalse(
        messages(failure).toLowerCase(java.util.Locale.ROOT).contains("c0ffee"), messages(failure));
  }

  @ParameterizedTest
  @ValueSource(strings = {"command-timeout", "connect-timeout"})
  void aDurationTooLongToCountInIsRefused(String key) {
    try (RedisHarness scene = new RedisHarness()) {
      for (String value : List.of("200000d", "PT9223372036854775807S", "50000d", "30000d")) {
        try {
          LockClient client = scene.client(Map.of(key, value));
          Lease lease = client.lock("a").acquireAsync().join();
          lease.close();
          client.close();
        } catch (LockConfigurationException e) {
          assertTrue(messages(e).contains(key));
        }
      }
    }
  }

  @Test
  void anInterruptedThreadClosesAClientOnASharedLettuceClient() {
    try (RedisHarness scene = new RedisHarness()) {
      RedisURI uri = RedisURI.create(scene.server.host(), scene.server.port());
      RedisClient shared = RedisClient.create(uri);
      try {
        LockClient client = RedisLocks.using(shared, uri);
        client.lock("a", LONG).acquireAsync().join();
        Thread.currentThread().interrupt();
        try {
          client.close();
        } finally {
          assertTrue(Thread.interrupted(), "the flag is kept");
        }
        until("the lock is free", () -> scene.lockKeys().isEmpty());
        until("no connection", () -> scene.connections().isEmpty());
        until("no timer", () -> timers() == 0);
      } finally {
        shared.shutdown();
      }
    }
  }

  @Test
  void aLettuceClientThatIsShutDownTooEarlyHangsNobody() throws Exception {
    try (RedisHarness scene = new RedisHarness()) {
      RedisURI uri = RedisURI.create(scene.server.host(), scene.server.port());
      RedisClient shared = RedisClient.create(uri);
      LockClient client = RedisLocks.using(shared, uri);
      Lease lease = client.lock("a", LONG).acquire();
      shared.shutdown();
      CompletableFuture<Object> tried =
          CompletableFuture.supplyAsync(() -> client.lock("b").tryAcquireAsync().join());
      assertThrows(ExecutionException.class, () -> RedisHarness.get(tried));
      CompletableFuture<Object> released = CompletableFuture.supplyAsync(lease::release);
      assertEquals(ReleaseOutcome.UNKNOWN, RedisHarness.get(released));
      CompletableFuture<Void> closed = CompletableFuture.runAsync(client::close);
      closed.get(30, TimeUnit.SECONDS);
      until("no timer", () -> timers() == 0);
    }
  }

  @Test
  void optionsThatAreNullLeaveNoConnection() {
    try (RedisHarness scene = new RedisHarness()) {
      String uri = "redis://" + scene.server.host() + ":" + scene.server.port();
      assertThrows(
          NullPointerException.class,
          () -> Locks.open(Map.of("provider", "redis", "uri", uri), nothing()));
      until("no connection", () -> scene.connections().isEmpty());
    }
  }

  @SuppressWarnings("NullAway")
  private static ClientOptions nothing() {
    return null;
  }

  private static long timers() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().equals("holdfast-timer"))
        .count();
  }

  @ParameterizedTest
  @ValueSource(strings = {"abc", "9007199254740993", "-5"})
  void aCounterThatWasOverwrittenIsSaidToBeThat(String counter) {
    try (RedisHarness scene = new RedisHarness()) {
      scene.server.command("SET", "lock#token", counter);
      LockException failure =
          assertThrows(
              LockRejectedException.class, () -> scene.client().lock("a", LONG).acquire(PATIENCE));
      assertTrue(messages(failure).contains("counter was overwritten"), messages(failure));
      assertEquals(List.of(), scene.lockKeys());
    }
  }
}
