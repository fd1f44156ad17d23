/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.zookeeper.lock;

import io.holdfast.lock.zookeeper.session.NodeWatch;
import io.holdfast.lock.zookeeper.session.ZooKeeperSession;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** Watches on the nodes ahead that a contender waits for. For one step at a time. */
final class BlockerWatches {

  private final Runnable wake;
  private final Map<String, NodeWatch> watches = new HashMap<>();

  /**
   * No watches yet.
   *
   * @param wake when one of the nodes has gone; runs on ZooKeeper's event thread
   */
  BlockerWatches(Runnable wake) {
    this.wake = wake;
  }

  /** Watches these nodes and no others; completes with false if one of them is not there. */
  CompletableFuture<Boolean> set(ZooKeeperSession now, List<String> paths) {
    watches
        .entrySet()
        .removeIf(entry -> !paths.contains(entry.getKey()) && forget(entry.getValue()));
    List<CompletableFuture<Boolean>> there = new ArrayList<>();
    for (String path : paths) {
      NodeWatch before = watches.get(path);
      if (before == null || !before.isSet()) {
        NodeWatch watch = new NodeWatch(now, path, event -> wake.run());
        watches.put(path, watch);
        there.add(watch.set());
      }
    }
    return CompletableFuture.allOf(there.toArray(CompletableFuture[]::new))
        .thenApply(done -> there.stream().allMatch(CompletableFuture::join));
  }

  private static boolean forget(NodeWatch watch) {
    watch.forget();
    return true;
  }

  /** Nobody is waited for any more. */
  void forget() {
    watches.values().forEach(NodeWatch::forget);
    watches.clear();
  }

  /** The session has ended, and its watches with it. */
  void clear() {
    watches.clear();
  }
}
