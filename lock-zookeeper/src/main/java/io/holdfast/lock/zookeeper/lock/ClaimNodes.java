/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.zookeeper.lock;

import io.holdfast.lock.Share;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.ReleaseAnswer;
import io.holdfast.lock.zookeeper.client.ZooKeeperFailures;
import io.holdfast.lock.zookeeper.queue.LockPaths;
import io.holdfast.lock.zookeeper.queue.QueueListing;
import io.holdfast.lock.zookeeper.queue.QueueNode;
import io.holdfast.lock.zookeeper.session.SessionRequests;
import io.holdfast.lock.zookeeper.session.ZooKeeperSession;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The nodes of one claim at the server: its own, which has its place in the queue, and others that
 * a create may have made whose answer was lost with the connection:
 *
 * <ul>
 *   <li>The request is still in the client's queue, or on its way: release takes its turn after the
 *       create has been answered, one way or the other. The ZooKeeper client answers every request,
 *       at the latest when the connection is lost.
 *   <li>The connection was lost, the session goes on elsewhere: the leader refuses requests of a
 *       session from the server that it has moved away from, and a server closes a session's old
 *       connection before it takes the new one. So such a write and a listing on the new connection
 *       show what came of the create, and nothing can follow.
 *   <li>The session has ended: what it made goes with it at the server. Release deletes what it
 *       finds, and waits for nothing: a create of the old session that is carried out after that
 *       makes a node that cannot be granted to anybody, and that the server removes when it ends
 *       the session, within its time-out.
 * </ul>
 *
 * <p>All nodes of a claim begin with its owner id, which is unique, so they can be found. The
 * answer to a delete may be lost as well; deleting again is harmless.
 *
 * <p>Changed in the turns of the claim only.
 */
final class ClaimNodes {

  private final SessionRequests requests;
  private final ClaimRequest request;
  private final String lockPath;
  private final String prefix;

  private volatile ZooKeeperSession.@Nullable Node own;

  /** Whether there may be nodes of this claim besides the one that is known. */
  private boolean mayHaveOthers;

  /** Whether an earlier request has deleted the own node, or may have. */
  private boolean mayBeDeleted;

  ClaimNodes(SessionRequests requests, ClaimRequest request) {
    this.requests = requests;
    this.request = request;
    this.lockPath = requests.paths().lock(request.lockName());
    this.prefix = LockPaths.prefix(request.ownerId());
  }

  /** The node of the queue, below which all of them are. */
  String lockPath() {
    return lockPath;
  }

  /** Whether that is the queue of a lock, of which nothing can be shared. */
  boolean isOfLock() {
    return request.share().equals(Share.LOCK);
  }

  /** From any thread. */
  ZooKeeperSession.@Nullable Node own() {
    return own;
  }

  /** Asks for a node at the tail of the queue, without waiting for it. */
  CompletableFuture<ZooKeeperSession.Node> create(ZooKeeperSession now) {
    return now.createSequential(
        lockPath + "/" + prefix + QueueNode.text(request.share()), owner(), requests.acl());
  }

  void created(ZooKeeperSession.Node made) {
    own = made;
    mayBeDeleted = false;
  }

  /** An answer was lost: a node may be there that is not known. */
  void mayHaveAnother() {
    mayHaveOthers = true;
  }

  /** The queue as it is now, and not as a server that lags behind remembers it. */
  CompletableFuture<QueueListing> look(ZooKeeperSession now) {
    return now.prove(lockPath).thenCombine(now.children(lockPath), (proven, queue) -> queue);
  }

  /** Leaves the queue, in which the claim has not been granted anything. */
  CompletableFuture<Void> withdraw(ZooKeeperSession now) {
    return delete(now, false).thenRun(this::forgetOwn);
  }

  /** The own node is not in the queue any more. */
  void forgetOwn() {
    own = null;
  }

  /** The session has ended in which they were made. */
  void sessionEnded() {
    mayHaveOthers |= own != null;
    own = null;
  }

  /** Deletes those that are in the queue besides the own one. */
  void deleteOthers(
      ZooKeeperSession now, QueueListing queue, ZooKeeperSession.Node mine, Runnable deleted) {
    for (String other : queue.othersOf(prefix, mine.name())) {
      now.delete(lockPath + "/" + other).thenRun(deleted);
    }
  }

  /** Asks for another node in the place of the own one, which asks for less. */
  CompletableFuture<Void> replace(
      ZooKeeperSession now, ZooKeeperSession.Node mine, String replacement) {
    return now.replace(mine.path(), replacement, owner(), requests.acl());
  }

  void replaced(ZooKeeperSession.Node mine, String replacement) {
    own = new ZooKeeperSession.Node(replacement, mine.czxid(), mine.writes());
  }

  /**
   * Deletes whatever there is or may be.
   *
   * @param held whether the claim has the lock by its own node
   */
  CompletableFuture<ReleaseAnswer> delete(ZooKeeperSession now, boolean held) {
    ZooKeeperSession.Node mine = own;
    CompletableFuture<ReleaseAnswer> deleted =
        mine == null
            ? CompletableFuture.completedFuture(ReleaseAnswer.NOT_OURS)
            : deleteOwn(now, mine, held);
    return mayHaveOthers
        ? deleted.thenCombine(
            sweep(now, mine), (found, swept) -> held && swept ? ReleaseAnswer.FREED : found)
        : deleted;
  }

  private CompletableFuture<ReleaseAnswer> deleteOwn(
      ZooKeeperSession now, ZooKeeperSession.Node mine, boolean held) {
    boolean before = mayBeDeleted;
    return now.delete(mine.path())
        .whenComplete(
            (found, failure) ->
                mayBeDeleted |= failure == null ? found : !ZooKeeperFailures.isRefusal(failure))
        .thenApply(
            found -> {
              if (!held || !(found || before)) {
                return ReleaseAnswer.NOT_OURS;
              }
              if (isOfLock()) {
                now.fastPath().gone(lockPath, mine);
              }
              return ReleaseAnswer.FREED;
            });
  }

  /**
   * Deletes whatever begins with our owner id.
   *
   * @return whether this deleted the node that has taken the place of the own one
   */
  private CompletableFuture<Boolean> sweep(
      ZooKeeperSession now, ZooKeeperSession.@Nullable Node mine) {
    return look(now)
        .thenCompose(
            queue -> {
              CompletableFuture<Boolean> any = CompletableFuture.completedFuture(false);
              for (String name : queue.othersOf(prefix, "")) {
                boolean isReplacement = mine != null && hasPlaceOf(mine, name);
                any =
                    any.thenCombine(
                        now.delete(lockPath + "/" + name),
                        (before, deleted) -> before || (deleted && isReplacement));
              }
              return any;
            });
  }

  private static boolean hasPlaceOf(ZooKeeperSession.Node mine, String name) {
    return QueueListing.sequence(name).equals(QueueListing.sequence(mine.name()));
  }

  private byte[] owner() {
    return request.ownerId().getBytes(StandardCharsets.UTF_8);
  }
}
