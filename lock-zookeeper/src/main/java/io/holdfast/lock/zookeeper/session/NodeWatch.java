/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.zookeeper.session;

import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;

/**
 * A watch on one node, for one event. The server drops it when it has told, or the session ends.
 */
public final class NodeWatch implements Watcher {

  private final ZooKeeperSession session;
  private final String path;
  private final Consumer<Event.EventType> changed;
  private volatile boolean set = true;

  /**
   * A watch that is yet to be set.
   *
   * @param changed what to do when the node has changed or gone; runs on ZooKeeper's event thread
   */
  public NodeWatch(ZooKeeperSession session, String path, Consumer<Event.EventType> changed) {
    this.session = session;
    this.path = path;
    this.changed = changed;
  }

  /** Asks for the node; completes with false, and without a watch, if it is not there. */
  public CompletableFuture<Boolean> set() {
    return session
        .read(path, this)
        .whenComplete(
            (there, failure) -> {
              if (failure != null || !there) {
                set = false;
              }
            });
  }

  /** Whether an event is still to come. */
  public boolean isSet() {
    return set;
  }

  /** Has the client forget the watch. The server keeps one for each node and connection. */
  public void forget() {
    if (set) {
      set = false;
      session.forget(path, this);
    }
  }

  @Override
  public void process(WatchedEvent event) {
    if (session.isAboutNode(event) && set) {
      set = false;
      changed.accept(event.getType());
    }
  }
}
