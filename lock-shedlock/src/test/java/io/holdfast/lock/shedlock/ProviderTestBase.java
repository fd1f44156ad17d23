/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.shedlock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.servers.Conditions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.core.SimpleLock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A lock of one name, and two providers for it. A client stands for a process. */
abstract class ProviderTestBase {

  static final Duration LONG = Duration.ofMinutes(5);
  static final Duration SHORT = Duration.ofSeconds(4);
  static final Duration PATIENCE = Duration.ofSeconds(20);
  static final Duration NOT = Duration.ZERO;

  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  final String name = UUID.randomUUID().toString();

  LockClient client;
  LockClient elsewhere;
  HoldfastLockProvider provider;
  HoldfastLockProvider other;

  /** A new client; all are of one server. */
  abstract LockClient open();

  @BeforeEach
  void begin() {
    client = open();
    elsewhere = open();
    provider = new HoldfastLockProvider(client);
    other = new HoldfastLockProvider(elsewhere);
  }

  @AfterEach
  void end() {
    client.close();
    elsewhere.close();
  }

  LockConfiguration job(Duration atMost, Duration atLeast) {
    return new LockConfiguration(Instant.now(), name, atMost, atLeast);
  }

  SimpleLock locked(Duration atMost) {
    SimpleLock lock = provider.lock(job(atMost, NOT)).orElseThrow();
    assertLocked();
    return lock;
  }

  boolean isLocked() {
    return elsewhere.inspector().holder(name).isPresent();
  }

  void assertLocked() {
    assertTrue(isLocked());
    assertTrue(provider.lock(job(LONG, NOT)).isEmpty());
    assertTrue(other.lock(job(LONG, NOT)).isEmpty());
  }

  void assertUnlocked() {
    assertFalse(isLocked());
  }

  void awaitUnlocked() {
    Conditions.until("it is unlocked", PATIENCE, () -> !isLocked());
  }

  /** Threads of two processes add to plain numbers under two locks. */
  void assertCounts(LockProvider one, LockProvider two) throws Exception {
    int[] counts = new int[2];
    ExecutorService threads = Executors.newCachedThreadPool();
    try {
      List<Future<?>> all = new ArrayList<>();
      for (int thread = 0; thread < 8; thread++) {
        int which = thread % 2;
        LockProvider its = thread < 4 ? one : two;
        LockConfiguration job =
            new LockConfiguration(Instant.now(), name + which, LONG, Duration.ZERO);
        all.add(threads.submit(() -> add(its, job, counts, which)));
      }
      for (Future<?> each : all) {
        each.get(60, TimeUnit.SECONDS);
      }
    } finally {
      threads.shutdownNow();
    }
    assertEquals(List.of(100, 100), List.of(counts[0], counts[1]));
  }

  private static void add(LockProvider provider, LockConfiguration job, int[] counts, int which) {
    for (int done = 0; done < 25; ) {
      Optional<SimpleLock> lock = provider.lock(job);
      if (lock.isPresent()) {
        int before = counts[which];
        LockSupport.parkNanos(1);
        counts[which] = before + 1;
        lock.get().unlock();
        done++;
      } else {
        LockSupport.parkNanos(PAUSE_NANOS);
      }
    }
  }
}
