/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.etcd;

import static io.holdfast.lock.etcd.EtcdHarness.RENEWED;
import static io.holdfast.lock.etcd.EtcdHarness.get;
import static io.holdfast.lock.etcd.EtcdHarness.until;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.DistributedReadWriteLock;
import io.holdfast.lock.DistributedSemaphore;
import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHolder;
import io.holdfast.lock.health.Finding;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests the permission that docs/security.md has an administrator grant, and no other. */
class PermissionsTest {

  private static final Pattern GRANT =
      Pattern.compile(
          "grant-permission --prefix=true (\\w+) readwrite (\\S+)\n[^`]*```\n\n"
              + "with `root = (\\S+)` and `namespace = (\\w+)`");

  private static final String WATCHERS = "etcd_debugging_mvcc_watcher_total";

  private final EtcdHarness scene = new EtcdHarness();
  private LockClient client;
  private LockClient other;

  @BeforeEach
  void enable() throws Exception {
    Matcher page = GRANT.matcher(Files.readString(Path.of("..", "docs", "security.md")));
    assertTrue(page.find());
    scene.administrator.addUser("root", "root-secret", "/");
    scene.administrator.addUser(page.group(1), "its-secret", page.group(2));
    scene.administrator.enableAuthentication();
    Map<String, String> settings =
        Map.of(
            "username",
            page.group(1),
            "password",
            "its-secret",
            "root",
            page.group(3),
            "namespace",
            page.group(4));
    client = scene.client(settings);
    other = scene.client(settings);
  }

  @AfterEach
  void end() {
    scene.close();
  }

  /** To inspect and to evict, a user needs no more than to lock. */
  @Test
  void locksInspectionAndTheDoctorNeedNoMore() throws Exception {
    Lease lease = client.lock("a", RENEWED).acquire();
    LockHolder holder = other.inspector().holder("a").orElseThrow();
    assertEquals(Optional.of(lease.ownerId()), holder.ownerId());
    assertEquals(1, other.inspector().held(10).size());
    lease.extend(Duration.ofSeconds(30));
    assertTrue(other.inspector().evict(holder));
    until("the holder is told", () -> lease.loss().isDone());
    client.allOf(List.of("a", "b"), RENEWED).acquire().release();
    List<Finding> findings =
        client.examine(RENEWED.ttl()).stream()
            .flatMap(report -> report.findings().stream())
            .toList();
    assertTrue(
        findings.stream().noneMatch(one -> one.severity() == Finding.Severity.BROKEN),
        findings::toString);
    assertTrue(
        findings.stream().noneMatch(one -> one.text().contains("permission")), findings::toString);
  }

  @Test
  void readersAndWritersNeedNoMore() throws Exception {
    DistributedReadWriteLock shared = client.readWriteLock("table", RENEWED);
    Lease writer = shared.writeLock().acquire();
    CompletableFuture<Lease> reader =
        other.readWriteLock("table", EtcdHarness.NO_POLLS).readLock().acquireAsync();
    awaitWaiter();
    Lease downgraded = writer.downgrade();
    get(reader).release();
    downgraded.release();
  }

  private void awaitWaiter() {
    until("somebody waits", () -> scene.server.metric(WATCHERS) >= 1);
  }

  @Test
  void semaphoresAndTheirCapacityNeedNoMore() throws Exception {
    DistributedSemaphore stock = client.semaphore("stock", 3, RENEWED);
    Lease most = stock.permits(2).acquire();
    CompletableFuture<Lease> waiting =
        other.semaphore("stock", 3, EtcdHarness.NO_POLLS).permits(2).acquireAsync();
    awaitWaiter();
    most.release();
    Lease next = get(waiting);
    assertEquals(1, client.inspector().holders("stock").size());
    assertTrue(client.inspector().changeCapacity("stock", 3, 4));
    other.semaphore("stock", 4, RENEWED).permits(2).acquire().release();
    next.release();
  }
}
