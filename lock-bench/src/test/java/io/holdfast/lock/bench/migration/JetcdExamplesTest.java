/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.bench.migration;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.support.CloseableClient;
import io.etcd.jetcd.support.Observers;
import io.holdfast.lock.DistributedLock;
import io.holdfast.lock.DistributedReadWriteLock;
import io.holdfast.lock.JavaReadWriteLock;
import io.holdfast.lock.Lease;
import io.holdfast.lock.LockCapacityException;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.Locks;
import io.holdfast.lock.bench.migration.SideBySide.Release;
import io.holdfast.lock.servers.EtcdServer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The examples of {@code docs/migration/jetcd.md}, on one etcd. */
class JetcdExamplesTest {

  private static EtcdServer server;
  private static Client client;
  private static LockClient locks;

  @BeforeAll
  static void open() {
    server = EtcdServer.launch();
    String endpoint = "http://" + server.host() + ":" + server.port();
    client = Client.builder().endpoints(endpoint).build();
    locks = Locks.open("etcd", Map.of("endpoints", endpoint));
  }

  @AfterAll
  static void close() {
    locks.close();
    client.close();
    server.close();
  }

  private static ByteSequence bytes(String text) {
    return ByteSequence.from(text, StandardCharsets.UTF_8);
  }

  /** As an application does it by hand: one lease for each holder, kept alive. */
  private static Release jetcd(String name) {
    return body -> {
      long lease = client.getLeaseClient().grant(30).get().getID();
      CloseableClient alive =
          client.getLeaseClient().keepAlive(lease, Observers.observer(response -> {}));
      try {
        ByteSequence key = client.getLockClient().lock(bytes(name), lease).get().getKey();
        body.run();
        client.getLockClient().unlock(key).get();
      } finally {
        alive.close();
        client.getLeaseClient().revoke(lease).get();
      }
    };
  }

  private static Release ours(String name) {
    return Release.of(locks.lock(name).asJavaLock());
  }

  @Test
  void ourCalls() throws Exception {
    DistributedLock lock = locks.lock("order:7");
    Lease lease = lock.acquire();
    assertTrue(lease.fencingToken() > 0);
    lease.release();
    lock.tryAcquire(Duration.ofSeconds(10)).orElseThrow().release();
  }

  @Test
  void ourSharedCalls() throws Exception {
    locks.readWriteLock("prices").readLock().acquire().release();
    locks.semaphore("exports", 5).permits(2).acquire().release();
    locks.allOf(List.of("account:7", "account:3")).acquire().release();
  }

  /** Theirs is a lock for us, and whoever comes with ours is refused; they wait for ours. */
  @Test
  void ourReadWriteLocksAndTheirLocksExcludeEachOther() throws Exception {
    DistributedReadWriteLock prices = locks.readWriteLock("prices:8");
    long lease = client.getLeaseClient().grant(30).get().getID();
    ByteSequence key =
        client.getLockClient().lock(bytes("/holdfast/lock/prices:8"), lease).get().getKey();
    assertThrows(LockCapacityException.class, () -> prices.readLock().tryAcquire());
    client.getLockClient().unlock(key).get();
    client.getLeaseClient().revoke(lease).get();
    JavaReadWriteLock ours = prices.asJavaReadWriteLock();
    try (SideBySide releases = new SideBySide()) {
      Release jetcd = jetcd("/holdfast/lock/prices:8");
      releases.assertExclude(Release.of(ours.writeLock()), jetcd);
      releases.assertExclude(Release.of(ours.readLock()), jetcd);
    }
  }

  /** The same queue: the keys of both are below one name, and the first by create revision owns. */
  @Test
  void bothExcludeEachOtherUnderOneName() throws Exception {
    try (SideBySide releases = new SideBySide()) {
      Release jetcd = jetcd("/holdfast/lock/order:8");
      releases.assertExclude(jetcd, ours("order:8"));
      releases.assertExclude(ours("order:8"), jetcd);
      releases.assertCounts(List.of(jetcd, ours("order:8")));
      releases.assertOverlap(jetcd("order:8"), ours("order:8"));
    }
  }

  @Test
  void ourInspectorSeesTheirHolder() throws Exception {
    long lease = client.getLeaseClient().grant(30).get().getID();
    client.getLockClient().lock(bytes("/holdfast/lock/order:9"), lease).get();
    assertEquals("", locks.inspector().holder("order:9").orElseThrow().ownerId().orElseThrow());
    client.getLeaseClient().revoke(lease).get();
  }
}
