/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.zookeeper;

import io.holdfast.lock.zookeeper.queue.LockPaths;
import io.holdfast.lock.zookeeper.session.CurrentSession;
import io.holdfast.lock.zookeeper.session.SessionRequests;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.apache.zookeeper.AsyncCallback;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.ACL;

/** Requests of a client to a real server, which a test sees, and some answers, which it changes. */
final class SeenRequests {

  private static final int LASTING_MILLIS = (int) ZooKeeperHarness.LASTING.toMillis();

  /** The operation and path of each request. */
  final List<String> sent = new CopyOnWriteArrayList<>();

  /** How many nodes are yet to be gone when they are looked at. */
  final AtomicInteger gone = new AtomicInteger();

  volatile boolean refusesConfig;

  /** The session time-out that the server grants; 0 for what it really does. */
  volatile int sessionMillis;

  /** Whether it has made as many nodes as it can number. */
  volatile boolean cannotNumber;

  /** A started Curator client, whose session lasts. */
  CuratorFramework curator(ZooKeeperHarness harness) {
    return curator(harness, harness.address());
  }

  CuratorFramework curator(ZooKeeperHarness harness, String address) {
    CuratorFramework curator =
        harness.closing(
            CuratorFrameworkFactory.builder()
                .connectString(address)
                .sessionTimeoutMs(LASTING_MILLIS)
                .ensembleTracker(false)
                .retryPolicy(new RetryOneTime(100))
                .zookeeperFactory(
                    (connect, sessionTimeout, watcher, readOnly) ->
                        new Handle(connect, sessionTimeout, watcher))
                .build());
    curator.start();
    return curator;
  }

  /** A backend on one, which is connected. */
  ZooKeeperBackend backend(ZooKeeperHarness harness) throws InterruptedException {
    CuratorFramework curator = curator(harness);
    curator.blockUntilConnected();
    return harness.closing(
        new ZooKeeperBackend(
            new SessionRequests(
                new CurrentSession(curator),
                new LockPaths("/holdfast", "lock"),
                ZooDefs.Ids.OPEN_ACL_UNSAFE,
                Duration.ofSeconds(10)),
            () -> {}));
  }

  @SuppressWarnings("try") // Its close() may be interrupted.
  private final class Handle extends ZooKeeper {

    Handle(String connect, int sessionTimeout, Watcher watcher) throws IOException {
      super(connect, sessionTimeout, watcher);
    }

    @Override
    public int getSessionTimeout() {
      return sessionMillis == 0 ? super.getSessionTimeout() : sessionMillis;
    }

    @Override
    public void create(
        String path,
        byte[] data,
        List<ACL> acl,
        CreateMode mode,
        AsyncCallback.Create2Callback callback,
        Object context) {
      super.create(
          path,
          data,
          acl,
          mode,
          (code, asked, same, name, stat) ->
              callback.processResult(
                  code,
                  asked,
                  same,
                  cannotNumber && mode.isSequential() && name != null
                      ? asked + Integer.MAX_VALUE
                      : name,
                  stat),
          context);
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

    @Override
    public void getData(
        String path, Watcher watcher, AsyncCallback.DataCallback callback, Object context) {
      sent.add("watch " + path);
      super.getData(path, watcher, callback, context);
    }

    @Override
    public void multi(
        Iterable<Op> operations, AsyncCallback.MultiCallback callback, Object context) {
      for (Op one : operations) {
        sent.add((one.getType() == ZooDefs.OpCode.check ? "check " : "change ") + one.getPath());
      }
      super.multi(operations, callback, context);
    }

    @Override
    public void exists(
        String path, boolean watch, AsyncCallback.StatCallback callback, Object context) {
      super.exists(
          path,
          watch,
          (code, asked, same, stat) ->
              callback.processResult(
                  gone.getAndUpdate(left -> Math.max(0, left - 1)) > 0
                      ? Code.NONODE.intValue()
                      : code,
                  asked,
                  same,
                  stat),
          context);
    }

    @Override
    public void getConfig(Watcher watcher, AsyncCallback.DataCallback callback, Object context) {
      super.getConfig(
          watcher,
          (code, asked, same, data, stat) ->
              callback.processResult(
                  refusesConfig ? Code.NOAUTH.intValue() : code, asked, same, data, stat),
          context);
    }
  }
}
