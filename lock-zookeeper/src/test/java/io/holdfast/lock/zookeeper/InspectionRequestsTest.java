/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.zookeeper;

import static io.holdfast.lock.zookeeper.ZooKeeperHarness.SOON;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockException;
import io.holdfast.lock.LockUnavailableException;
import java.util.List;
import java.util.Optional;
import org.apache.curator.framework.CuratorFramework;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A server that lags behind still shows who has released; after a {@code sync} it does not. */
class InspectionRequestsTest extends OneServerTestBase {

  private final SeenRequests requests = new SeenRequests();
  private CuratorFramework curator;
  private LockClient client;

  @BeforeEach
  void open() {
    curator = requests.curator(harness);
    client = harness.closing(ZooKeeperLocks.using(curator));
  }

  @Test
  void aHolderIsLookedForBehindASync() throws Exception {
    try (Lease lease = client.lock("a").acquire(SOON)) {
      requests.sent.clear();
      assertEquals(
          lease.ownerId(), client.inspector().holder("a").orElseThrow().ownerId().orElseThrow());
      assertEquals(List.of("sync /holdfast/lock/a", "list /holdfast/lock/a"), requests.sent);
    }
  }

  @Test
  void locksAreLookedForBehindASync() throws Exception {
    try (Lease lease = client.lock("a").acquire(SOON)) {
      requests.sent.clear();
      assertTrue(
          client.inspector().held(10).stream()
              .anyMatch(one -> one.lockName().equals(lease.lockName())));
      assertEquals(
          List.of("sync /holdfast/lock", "list /holdfast/lock"), requests.sent.subList(0, 2));
    }
  }

  /** As ZooKeeper's own tools write it. */
  @Test
  void theSessionOfAHolderIsTold() throws Exception {
    try (Lease lease = client.lock("a").acquire(SOON)) {
      long session = curator.getZookeeperClient().getZooKeeper().getSessionId();
      assertEquals(
          Optional.of("0x" + Long.toHexString(session)),
          client.inspector().holder(lease.lockName()).orElseThrow().session());
    }
  }

  /** A lock that is handed over all the time is free at no time. */
  @Test
  void aHolderThatGoesBeforeItIsLookedAtIsNotTakenForNobody() throws Exception {
    try (Lease lease = client.lock("a").acquire(SOON)) {
      requests.gone.set(2);
      assertEquals(
          lease.fencingToken(),
          client.inspector().holder("a").orElseThrow().fencingToken().orElseThrow());
    }
  }

  @Test
  void holdersThatGoAgainAndAgainEndTheQuestion() throws Exception {
    try (Lease lease = client.lock("a").acquire(SOON)) {
      requests.gone.set(Integer.MAX_VALUE);
      LockException told =
          assertThrows(
              LockUnavailableException.class, () -> client.inspector().holder(lease.lockName()));
      assertTrue(told.toString().contains("faster than it can be read"), told::toString);
    }
  }

  /** A user who may not read the members of the ensemble may ask for the rest. */
  @Test
  void aHealthCheckDoesWithoutTheConfiguration() throws Exception {
    client.lock("a").acquire(SOON).release();
    int all = client.examine(SOON).get(0).findings().size();
    requests.refusesConfig = true;
    assertEquals(all - 1, client.examine(SOON).get(0).findings().size());
  }
}
