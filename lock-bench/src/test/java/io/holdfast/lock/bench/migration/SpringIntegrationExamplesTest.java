/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.bench.migration;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.JavaLock;
import io.holdfast.lock.Lease;
import io.holdfast.lock.LockCapacityException;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.Locks;
import io.holdfast.lock.bench.migration.SideBySide.Release;
import io.holdfast.lock.servers.RedisServer;
import io.holdfast.lock.spring.integration.HoldfastLockRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.integration.redis.util.RedisLockRegistry;
import org.springframework.integration.support.locks.LockRegistry;

/** The examples of {@code docs/migration/spring-integration.md}, with 7, on one Redis. */
class SpringIntegrationExamplesTest {

  private static RedisServer server;
  private static LettuceConnectionFactory connections;
  private static RedisLockRegistry old;
  private static LockClient client;

  @BeforeAll
  static void open() {
    server = RedisServer.launch();
    connections = new LettuceConnectionFactory(server.host(), server.port());
    connections.afterPropertiesSet();
    connections.start();
    old = new RedisLockRegistry(connections, "orders");
    client =
        Locks.open(
            "redis",
            Map.of(
                "uri", "redis://" + server.host() + ":" + server.port(), "command-timeout", "5s"));
  }

  @AfterAll
  static void close() {
    client.close();
    old.destroy();
    connections.destroy();
    server.close();
  }

  @Test
  void ourCalls() throws Exception {
    LockOptions options = LockOptions.defaults().withTtl(Duration.ofSeconds(60));
    HoldfastLockRegistry registry = new HoldfastLockRegistry(client.within("orders"), options);
    JavaLock lock = registry.obtain("7");
    assertTrue(lock.tryLock(10, TimeUnit.SECONDS));
    assertTrue(lock.lease().orElseThrow().fencingToken() > 0);
    registry.renewLock("7");
    registry.renewLock("7", Duration.ofSeconds(90));
    lock.unlock();
    LockRegistry<?> any = registry;
    any.executeLocked("7", () -> assertEquals(1, lock.holdCount()));
  }

  @Test
  void locksThatARegistryLacksComeFromTheClient() throws Exception {
    LockClient orders = client.within("orders");
    orders.readWriteLock("prices").readLock().acquire().release();
    Lease two = orders.semaphore("exports", 5).permits(2).acquire();
    Lock lock = new HoldfastLockRegistry(orders).obtain("exports");
    assertThrows(LockCapacityException.class, lock::tryLock);
    two.release();
  }

  @Test
  void bothAreHeldDuringTheChange() throws Exception {
    HoldfastLockRegistry ours = new HoldfastLockRegistry(client.within("orders"));
    LockRegistry<Lock> both = key -> new BothLocks(old.obtain(key), ours.obtain(key));
    try (SideBySide releases = new SideBySide()) {
      releases.assertMigrates(
          Release.of(old.obtain("8")), Release.of(both.obtain("8")), Release.of(ours.obtain("8")));
    }
    both.executeLocked(
        "9",
        () ->
            assertEquals(
                List.of("lock:orders:9", "orders:9"),
                server.values("KEYS", "*orders:9").stream().sorted().toList()));
  }
}
