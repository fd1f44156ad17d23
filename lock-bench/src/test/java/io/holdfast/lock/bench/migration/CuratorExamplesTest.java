/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.bench.migration;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.DistributedLock;
import io.holdfast.lock.DistributedReadWriteLock;
import io.holdfast.lock.JavaLock;
import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.bench.migration.SideBySide.Body;
import io.holdfast.lock.bench.migration.SideBySide.Release;
import io.holdfast.lock.servers.ZooKeeperServer;
import io.holdfast.lock.zookeeper.ZooKeeperLocks;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.recipes.locks.InterProcessMultiLock;
import org.apache.curator.framework.recipes.locks.InterProcessMutex;
import org.apache.curator.framework.recipes.locks.InterProcessReadWriteLock;
import org.apache.curator.framework.recipes.locks.InterProcessSemaphoreV2;
import org.apache.curator.retry.ExponentialBackoffRetry;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * The examples of {@code docs/migration/curator.md}, on one ZooKeeper and one client of Curator.
 */
@SuppressWarnings("LockNotBeforeTry") // Examples of single calls.
class CuratorExamplesTest {

  private static ZooKeeperServer server;
  private static CuratorFramework curator;
  private static LockClient locks;

  @BeforeAll
  static void open() throws Exception {
    server = ZooKeeperServer.launch(Duration.ofMillis(500));
    curator =
        CuratorFrameworkFactory.newClient(
            server.host() + ":" + server.port(), new ExponentialBackoffRetry(1_000, 3));
    curator.start();
    curator.blockUntilConnected();
    locks = ZooKeeperLocks.using(curator);
  }

  @AfterAll
  static void close() {
    locks.close();
    curator.close();
    server.close();
  }

  @Test
  void theirCalls() throws Exception {
    InterProcessMutex mutex = new InterProcessMutex(curator, "/locks/order-7");
    mutex.acquire();
    assertTrue(mutex.isOwnedByCurrentThread());
    assertTrue(mutex.isAcquiredInThisProcess());
    mutex.release();
    assertTrue(mutex.acquire(10, TimeUnit.SECONDS));
    mutex.release();
  }

  @Test
  void ourCalls() throws Exception {
    DistributedLock lock = locks.lock("order-7");
    Lease lease = lock.acquire();
    assertTrue(lease.isValid());
    lease.onLoss(loss -> System.err.println("lost: " + loss.reason()));
    lease.release();
    lock.tryAcquire(Duration.ofSeconds(10)).orElseThrow().release();
    JavaLock reentrant = lock.asJavaLock();
    reentrant.lock();
    assertTrue(reentrant.isHeldByCurrentThread());
    assertTrue(locks.inspector().holder("order-7").isPresent());
    reentrant.unlock();
  }

  @Test
  void theirSharedCalls() throws Exception {
    InterProcessReadWriteLock prices = new InterProcessReadWriteLock(curator, "/locks/prices");
    prices.readLock().acquire();
    prices.readLock().release();
    prices.writeLock().acquire();
    prices.writeLock().release();
    InterProcessMultiLock accounts =
        new InterProcessMultiLock(curator, List.of("/locks/account-7", "/locks/account-3"));
    accounts.acquire();
    accounts.release();
  }

  @Test
  void ourSharedCalls() throws Exception {
    DistributedReadWriteLock prices = locks.readWriteLock("prices");
    prices.readLock().acquire().release();
    Lease written = prices.writeLock().acquire();
    Lease read = written.downgrade();
    assertTrue(read.isValid());
    read.release();
    Lease both = locks.allOf(List.of("account-7", "account-3")).acquire();
    assertTrue(both.fencingToken("account-3") > 0);
    both.release();
    InterProcessSemaphoreV2 exports = new InterProcessSemaphoreV2(curator, "/locks/exports", 5);
    exports.returnAll(exports.acquire(2));
    Lease permits = locks.semaphore("exports", 5).permits(2).acquire();
    assertTrue(permits.isValid());
    permits.release();
  }

  private static void both(InterProcessMutex mutex, DistributedLock lock, Body work)
      throws Exception {
    mutex.acquire();
    try (Lease lease = lock.acquire()) {
      work.run();
      lease.ensureValid();
    } finally {
      mutex.release();
    }
  }

  private static Release old(String path) {
    return old(new InterProcessMutex(curator, path));
  }

  private static Release old(InterProcessMutex mutex) {
    return body -> {
      mutex.acquire();
      try {
        body.run();
      } finally {
        mutex.release();
      }
    };
  }

  private static Release ours(String name) {
    return Release.of(locks.lock(name).asJavaLock());
  }

  @Test
  void bothAreHeldDuringTheChange() throws Exception {
    InterProcessMutex mutex = new InterProcessMutex(curator, "/locks/order-8");
    try (SideBySide releases = new SideBySide()) {
      releases.assertMigrates(
          old("/locks/order-8"), body -> both(mutex, locks.lock("order-8"), body), ours("order-8"));
    }
  }

  @Test
  void bothAreHeldDuringTheChangeOfAReadWriteLock() throws Exception {
    InterProcessReadWriteLock old = new InterProcessReadWriteLock(curator, "/locks/prices-8");
    DistributedReadWriteLock ours = locks.readWriteLock("prices-8");
    Release reading = body -> both(old.readLock(), ours.readLock(), body);
    Release writing = body -> both(old.writeLock(), ours.writeLock(), body);
    try (SideBySide releases = new SideBySide()) {
      releases.assertMigrates(
          old(old.writeLock()), writing, Release.of(ours.writeLock().asJavaLock()));
      for (Release reader :
          List.of(old(old.readLock()), reading, Release.of(ours.readLock().asJavaLock()))) {
        releases.assertOverlap(reader, reading);
        releases.assertExclude(reader, writing);
        releases.assertExclude(writing, reader);
      }
    }
  }

  /** Each looks at the children of its own form only. */
  @Test
  void theyDoNotExcludeEachOtherUnderOneNode() throws Exception {
    try (SideBySide releases = new SideBySide()) {
      releases.assertOverlap(old("/holdfast/lock/order-9"), ours("order-9"));
      releases.assertOverlap(ours("order-9"), old("/holdfast/lock/order-9"));
    }
  }
}
