/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.zookeeper;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.apache.zookeeper.AsyncCallback;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A server that lags behind still shows who has released; after a {@code sync} it does not. */
class InspectionRequestsTest extends OneServerTestBase {

  private final List<String> sent = new CopyOnWriteArrayList<>();
  private LockClient client;

  /** Knows which lists it was asked for, and what was asked before. */
  @SuppressWarnings("try") // Its close() may be interrupted.
  private final class Handle extends ZooKeeper {

    Handle(String connect, int sessionTimeout, Watcher watcher) throws IOException {
      super(connect, sessionTimeout, watcher);
    }

    @Override
    public void sync(String path, AsyncCallback.VoidCallback callback, Object context) {
      sent.add("sync " + path);
      super.sync(path, callback, context);
    }

    @Override
    public void getChildren(
        String path, boolean watch, AsyncCallback.ChildrenCallback callback, Object context) {
      sent.add("list " + path);
      super.getChildren(path, watch, callback, context);
    }
  }

  @BeforeEach
  void open() throws Exception {
    CuratorFramework curator =
        harness.closing(
            CuratorFrameworkFactory.builder()
                .connectString(harness.address())
                .ensembleTracker(false)
                .retryPolicy(new RetryOneTime(100))
                .zookeeperFactory(
                    (connect, sessionTimeout, watcher, readOnly) ->
                        new Handle(connect, sessionTimeout, watcher))
                .build());
    curator.start();
    client = harness.closing(ZooKeeperLocks.using(curator));
  }

  @Test
  void aHolderIsLookedForBehindASync() throws Exception {
    try (Lease lease = client.lock("a").acquire(ZooKeeperHarness.SOON)) {
      sent.clear();
      assertEquals(
          lease.ownerId(), client.inspector().holder("a").orElseThrow().ownerId().orElseThrow());
      assertEquals(List.of("sync /holdfast/lock/a", "list /holdfast/lock/a"), sent);
    }
  }

  @Test
  void locksAreLookedForBehindASync() throws Exception {
    try (Lease lease = client.lock("a").acquire(ZooKeeperHarness.SOON)) {
      sent.clear();
      assertTrue(
          client.inspector().held(10).stream()
              .anyMatch(one -> one.lockName().equals(lease.lockName())));
      assertEquals(List.of("sync /holdfast/lock", "list /holdfast/lock"), sent.subList(0, 2));
    }
  }
}
