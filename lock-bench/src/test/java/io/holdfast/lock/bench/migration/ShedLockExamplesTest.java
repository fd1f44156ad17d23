/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.bench.migration;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.Locks;
import io.holdfast.lock.Renewal;
import io.holdfast.lock.bench.migration.SideBySide.Release;
import io.holdfast.lock.servers.RedisServer;
import io.holdfast.lock.shedlock.HoldfastLockProvider;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import net.javacrumbs.shedlock.core.DefaultLockingTaskExecutor;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.core.LockingTaskExecutor;
import net.javacrumbs.shedlock.core.SimpleLock;
import net.javacrumbs.shedlock.provider.redis.spring.RedisLockProvider;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** The examples of {@code docs/migration/shedlock.md}, with the newest ShedLock, on one Redis. */
class ShedLockExamplesTest {

  private static RedisServer server;
  private static LettuceConnectionFactory connections;
  private static LockClient client;

  @BeforeAll
  static void open() {
    server = RedisServer.launch();
    connections = new LettuceConnectionFactory(server.host(), server.port());
    connections.afterPropertiesSet();
    connections.start();
    client =
        Locks.open(
            "redis",
            Map.of(
                "uri", "redis://" + server.host() + ":" + server.port(), "command-timeout", "5s"));
  }

  @AfterAll
  static void close() {
    client.close();
    connections.destroy();
    server.close();
  }

  private static LockConfiguration job(String name) {
    return new LockConfiguration(Instant.now(), name, Duration.ofSeconds(30), Duration.ZERO);
  }

  /** ShedLock does not wait, so this tries until it is let in. */
  private static Release release(LockProvider provider, String name) {
    return body -> {
      while (true) {
        Optional<SimpleLock> lock = provider.lock(job(name));
        if (lock.isPresent()) {
          try {
            body.run();
          } finally {
            lock.get().unlock();
          }
          return;
        }
        Thread.onSpinWait();
      }
    };
  }

  static LockProvider both(LockProvider old, LockProvider ours) {
    return job ->
        old.lock(job)
            .flatMap(
                first -> {
                  Optional<SimpleLock> second = Optional.empty();
                  try {
                    second = ours.lock(job);
                  } finally {
                    if (second.isEmpty()) {
                      first.unlock();
                    }
                  }
                  return second.map(
                      lock ->
                          () -> {
                            lock.unlock();
                            first.unlock();
                          });
                });
  }

  @Test
  void bothAreHeldDuringTheChange() throws Exception {
    LockProvider old = new RedisLockProvider(connections);
    LockProvider ours = new HoldfastLockProvider(client);
    try (SideBySide releases = new SideBySide()) {
      releases.assertMigrates(
          release(old, "report"), release(both(old, ours), "report"), release(ours, "report"));
    }
    assertEquals("", server.command("KEYS", "*report*"));
  }

  @Test
  void theirKeysAreNotOurs() {
    SimpleLock old = new RedisLockProvider(connections).lock(job("invoices")).orElseThrow();
    SimpleLock ours = new HoldfastLockProvider(client).lock(job("invoices")).orElseThrow();
    assertEquals(
        List.of("job-lock:default:invoices", "lock:invoices"),
        server.values("KEYS", "*invoices*").stream().sorted().toList());
    ours.unlock();
    old.unlock();
  }

  @Test
  void aTaskSendsItsToken() throws Throwable {
    List<Long> tokens = new ArrayList<>();
    HoldfastLockProvider provider = new HoldfastLockProvider(client);
    LockingTaskExecutor executor = new DefaultLockingTaskExecutor(provider);
    for (int i = 0; i < 2; i++) {
      executor.executeWithLock(
          (LockingTaskExecutor.Task)
              () -> {
                long token = provider.lease("invoices").orElseThrow().fencingToken();
                tokens.add(token);
              },
          job("invoices"));
    }
    assertTrue(tokens.get(1) > tokens.get(0));
    assertTrue(provider.lease("invoices").isEmpty());
  }

  @Test
  void aTaskMayTakeLongerThanLockAtMostFor() {
    LockProvider provider = new HoldfastLockProvider(client, Renewal.automatic());
    LockConfiguration shortJob =
        new LockConfiguration(Instant.now(), "long", Duration.ofSeconds(6), Duration.ZERO);
    SimpleLock lock = provider.lock(shortJob).orElseThrow();
    io.holdfast.lock.servers.Conditions.stays(
        "it is renewed", Duration.ofSeconds(7), () -> provider.lock(shortJob).isEmpty());
    lock.unlock();
    assertThrows(IllegalStateException.class, lock::unlock);
    assertFalse(client.inspector().holder("long").isPresent());
  }
}
