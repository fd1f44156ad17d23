/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.zookeeper.lock;

import io.holdfast.lock.spi.ReleaseAnswer;
import io.holdfast.lock.zookeeper.client.ZooKeeperFailures;
import io.holdfast.lock.zookeeper.queue.QueueNode;
import io.holdfast.lock.zookeeper.session.ZooKeeperSession;
import java.util.concurrent.CompletableFuture;

/**
 * Gives back a part of what a claim has: another node takes the place of the one that it has, in
 * one step, as what a node asks for is in its name. The server numbers it as we say, so its place
 * in the queue is the same. In the turns of the claim only.
 */
final class NodeReplacement {

  private final ClaimNodes nodes;
  private final OwnNodeWatch ownWatch;
  private final ZooKeeperClaim claim;

  NodeReplacement(ClaimNodes nodes, OwnNodeWatch ownWatch, ZooKeeperClaim claim) {
    this.nodes = nodes;
    this.ownWatch = ownWatch;
    this.claim = claim;
  }

  /**
   * Of a claim that is granted.
   *
   * @param mine the node that it is granted by
   */
  CompletableFuture<ReleaseAnswer> reduce(
      ZooKeeperSession now, ZooKeeperSession.Node mine, int kept) {
    QueueNode before = QueueNode.of(mine.name()).orElseThrow();
    if (before.share().permits() <= kept) {
      return CompletableFuture.completedFuture(ReleaseAnswer.FREED);
    }
    String path = nodes.lockPath() + "/" + before.reducedTo(kept, mine.czxid());
    boolean mayBeReplaced = ownWatch.replaces(mine.path());
    return nodes
        .replace(now, mine, path)
        .handle(
            (done, failure) -> {
              // That it is there already is the answer to an earlier request.
              if (failure == null || ZooKeeperFailures.isNodeExists(failure)) {
                nodes.replaced(mine, path);
                ownWatch.clear();
                now.watchSoon(claim);
                return CompletableFuture.completedFuture(ReleaseAnswer.FREED);
              }
              if (ZooKeeperFailures.isNoNode(failure)) {
                claim.revoke();
                return CompletableFuture.completedFuture(ReleaseAnswer.NOT_OURS);
              }
              if (!ZooKeeperFailures.isRefusal(failure)) {
                nodes.mayHaveAnother();
              } else if (!mayBeReplaced) {
                ownWatch.stays();
              }
              return CompletableFuture.<ReleaseAnswer>failedFuture(failure);
            })
        .thenCompose(answer -> answer);
  }
}
