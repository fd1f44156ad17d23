/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.zookeeper.session;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The locks that a session has taken again and again, without anybody else in between: there it can
 * tell from the name of a new node that it is the first in the queue, and need not list it.
 *
 * <p>The server numbers the children of a node by counting those that were ever made. The owner of
 * a lock was the first, and the node with the number after that comes directly behind. When the
 * owner's node has gone, so is everybody else before.
 *
 * <p>Unless the lock's own node has been removed and made again since, and others have counted up
 * to the same number. Each of their nodes would have taken a transaction. So the numbers of the two
 * transactions that made our nodes show that it was not so, if fewer than that lie between them
 * that are not known to be our own. Answers come in the order of the transactions, so those between
 * two answers are the ones between; and a new node of our own in the same queue comes by here, and
 * ends the succession if it does not follow.
 */
public final class ReacquireFastPath {

  /** Above so many locks, all is forgotten, and learned again. */
  private static final int MOST = 10_000;

  /**
   * @param again whether it followed on one of ours, too, so that the next may be expected to
   */
  private record Gone(ZooKeeperSession.Node node, boolean again) {

    boolean isFollowedBy(ZooKeeperSession.Node next) {
      return next.sequence() == node.sequence() + 1
          && next.czxid() > node.czxid()
          && othersUntil(next) <= next.sequence();
    }

    boolean mayBeFollowedAfter(ZooKeeperSession.Node latest) {
      return again && othersUntil(latest) <= node.sequence();
    }

    /** How many transactions were not ours. */
    private long othersUntil(ZooKeeperSession.Node later) {
      return (later.czxid() - node.czxid()) - (later.writes() - node.writes());
    }
  }

  private final Map<String, Gone> last = new ConcurrentHashMap<>();

  /** In any queue. */
  private volatile ZooKeeperSession.@Nullable Node latest;

  /** Whether a new node is likely to be told the first by {@link #isFirst}. */
  public boolean isExpected(String lockPath) {
    Gone gone = last.get(lockPath);
    ZooKeeperSession.Node now = latest;
    return gone != null && now != null && gone.mayBeFollowedAfter(now);
  }

  /** Whether a node that was just made is certain to be the first; false if that is not known. */
  public boolean isFirst(String lockPath, ZooKeeperSession.Node made) {
    latest = made;
    Gone gone = last.get(lockPath);
    if (gone == null) {
      return false;
    }
    boolean follows = gone.isFollowedBy(made);
    if (!follows) {
      last.remove(lockPath, gone);
    }
    return follows;
  }

  /** For a connection that has ended: the server behind the next may have been set back. */
  public void forget() {
    last.clear();
  }

  /** A node that was the first in its queue, and is there no more. */
  public void gone(String lockPath, ZooKeeperSession.Node node) {
    if (last.size() >= MOST) {
      last.clear();
    }
    last.compute(
        lockPath, (path, before) -> new Gone(node, before != null && before.isFollowedBy(node)));
  }
}
