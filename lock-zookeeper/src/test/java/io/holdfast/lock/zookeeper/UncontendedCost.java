/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.zookeeper;

import io.holdfast.lock.DistributedLock;
import io.holdfast.lock.LockClient;
import java.util.Arrays;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;

/**
 * Measures an uncontended lock: acquire and release, next to a bare create and delete of the same
 * ZooKeeper client, taking turns in one run.
 */
final class UncontendedCost {

  private static final int WARM_UP = 3_000;
  private static final int ROUNDS = 5_000;
  private static final String PARENT = "/bare";

  private UncontendedCost() {}

  public static void main(String[] arguments) throws Exception {
    try (ZooKeeperHarness harness = new ZooKeeperHarness();
        CuratorFramework curator =
            CuratorFrameworkFactory.newClient(harness.address(), new RetryOneTime(100))) {
      curator.start();
      curator.blockUntilConnected();
      ZooKeeper bare = curator.getZookeeperClient().getZooKeeper();
      bare.create(PARENT, new byte[0], ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
      try (LockClient client = ZooKeeperLocks.using(curator)) {
        DistributedLock lock = client.lock("cost");
        long[] locked = new long[ROUNDS];
        long[] created = new long[ROUNDS];
        for (int i = -WARM_UP; i < ROUNDS; i++) {
          long began = System.nanoTime();
          lock.acquire().close();
          long between = System.nanoTime();
          String path =
              bare.create(
                  PARENT + "/x",
                  new byte[40],
                  ZooDefs.Ids.OPEN_ACL_UNSAFE,
                  CreateMode.EPHEMERAL_SEQUENTIAL);
          bare.delete(path, -1);
          long ended = System.nanoTime();
          if (i >= 0) {
            locked[i] = between - began;
            created[i] = ended - between;
          }
        }
        System.out.printf(
            "acquire + release: median %.0f us, p99 %.0f us%n"
                + "create + delete:   median %.0f us, p99 %.0f us%n"
                + "ratio of the medians: %.2f%n",
            at(locked, 0.5),
            at(locked, 0.99),
            at(created, 0.5),
            at(created, 0.99),
            at(locked, 0.5) / at(created, 0.5));
      }
    }
  }

  private static double at(long[] nanos, double share) {
    Arrays.sort(nanos);
    return nanos[(int) (share * (nanos.length - 1))] / 1_000.0;
  }
}
