/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.zookeeper.lock;

import io.holdfast.lock.zookeeper.session.NodeWatch;
import io.holdfast.lock.zookeeper.session.ZooKeeperSession;
import org.apache.zookeeper.Watcher;
import org.jspecify.annotations.Nullable;

/** Tells at once when somebody else deletes the node that a claim holds by. For any thread. */
final class OwnNodeWatch {

  private final Runnable deleted;
  private volatile @Nullable NodeWatch watch;
  private volatile @Nullable String replaced;

  /**
   * No watch yet.
   *
   * @param deleted what to do then; runs on ZooKeeper's event thread
   */
  OwnNodeWatch(Runnable deleted) {
    this.deleted = deleted;
  }

  /** Nobody waits for the answer. */
  void set(ZooKeeperSession now, String path) {
    NodeWatch next =
        new NodeWatch(
            now,
            path,
            event -> {
              if (event == Watcher.Event.EventType.NodeDeleted) {
                gone(path);
              } else {
                set(now, path);
              }
            });
    watch = next;
    next.set()
        .thenAccept(
            there -> {
              if (!there) {
                gone(path);
              }
            });
  }

  private void gone(String path) {
    if (!path.equals(replaced)) {
      deleted.run();
    }
  }

  boolean isSet() {
    NodeWatch now = watch;
    return now != null && now.isSet();
  }

  /**
   * The claim itself puts another node in the place of this one.
   *
   * @return whether it may have done so before, without having learned of it
   */
  boolean replaces(String path) {
    boolean before = path.equals(replaced);
    replaced = path;
    return before;
  }

  /** It does not, as that was refused. */
  void stays() {
    replaced = null;
  }

  /** The node is another one now, or there is none. */
  void clear() {
    watch = null;
  }
}
