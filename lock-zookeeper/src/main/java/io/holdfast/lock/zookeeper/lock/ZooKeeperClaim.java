/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.zookeeper.lock;

import io.holdfast.lock.LockCapacityException;
import io.holdfast.lock.LockRejectedException;
import io.holdfast.lock.LossReason;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.ClaimSignals;
import io.holdfast.lock.spi.LockClaim;
import io.holdfast.lock.spi.ReleaseAnswer;
import io.holdfast.lock.spi.RenewalAnswer;
import io.holdfast.lock.spi.support.SerialExecutor;
import io.holdfast.lock.zookeeper.client.ZooKeeperFailures;
import io.holdfast.lock.zookeeper.queue.QueueListing;
import io.holdfast.lock.zookeeper.session.ReacquireFastPath;
import io.holdfast.lock.zookeeper.session.SessionMember;
import io.holdfast.lock.zookeeper.session.SessionRequests;
import io.holdfast.lock.zookeeper.session.ZooKeeperSession;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * One contender: one ephemeral sequential node in the queue of a lock.
 *
 * <p><b>Asking.</b> Create the node and list the queue, sent together: a session's requests are
 * carried out in order, so the listing shows the node and all that came before it, and one round
 * trip is waited for. First in the queue is the owner; where a lock is taken again that nobody else
 * had in between, that is known without the listing ({@link ReacquireFastPath}). Otherwise the
 * claim watches the one node ahead and keeps its place; it lists again when that node goes, or when
 * it polls, behind a write that changes nothing and proves that the session still lives. A claim
 * that does not wait deletes its node before it answers that it is refused.
 *
 * <p><b>A place belongs to one session.</b> When that session has ended, the node is as good as
 * gone, even if a server still shows it: the claim makes a new one, at the tail.
 *
 * <p><b>Unknown outcomes.</b> The answer to a create may be lost with the connection. {@link
 * ClaimNodes} has what follows.
 *
 * <p>Steps take turns, so that each finds the outcome of the one before.
 *
 * <p><b>Taken away.</b> Who deletes the node takes the lock. The owner hears of it at once, but for
 * the first tenth of a second, when the node is not watched yet ({@link
 * ZooKeeperSession#watchSoon}).
 */
public final class ZooKeeperClaim implements LockClaim, SessionMember {

  private static final int MOST_ROUNDS = 5;
  private static final CompletableFuture<Void> NOTHING = CompletableFuture.completedFuture(null);
  private static final Attempt CONTENDED = new Attempt.Contended(Optional.empty());

  private final SessionRequests requests;
  private final ClaimRequest request;
  private final ClaimSignals signals;
  private final String lockPath;
  private final ClaimNodes nodes;
  private final SerialExecutor turns = new SerialExecutor();

  private volatile boolean releasing;
  private volatile boolean revoked;
  private volatile @Nullable ZooKeeperSession session;
  private volatile boolean granted;
  private final OwnNodeWatch ownWatch = new OwnNodeWatch(this::revoke);

  private final NodeReplacement replacement;
  private final BlockerWatches blockerWatches;

  /**
   * Whether the node has a place in the queue of its capacity. A node of another capacity that is
   * the first later is only waited for: it came ahead of this one and was not the first then.
   */
  private boolean accepted;

  private @Nullable ReleaseAnswer released;

  public ZooKeeperClaim(SessionRequests requests, ClaimRequest request, ClaimSignals signals) {
    this.requests = requests;
    this.request = request;
    this.signals = signals;
    this.nodes = new ClaimNodes(requests, request);
    this.lockPath = nodes.lockPath();
    this.replacement = new NodeReplacement(nodes, ownWatch, this);
    this.blockerWatches = new BlockerWatches(signals::wake);
  }

  @Override
  public CompletionStage<Attempt> attempt() {
    return requests.inTime(turns.next(this::ask), this::acquiring);
  }

  @Override
  public CompletionStage<ReleaseAnswer> release() {
    releasing = true;
    return requests.inTime(turns.next(this::leave), this::releasing);
  }

  /** There is a connection again: a release that failed is tried once more, and waiters look. */
  @Override
  public void reconnected() {
    if (releasing) {
      turns.next(this::leave);
    } else {
      signals.wake();
    }
  }

  private CompletableFuture<Attempt> ask() {
    if (releasing) {
      return CompletableFuture.completedFuture(CONTENDED);
    }
    ZooKeeperSession now = requests.sessions().connected(this::acquiring);
    moveTo(now);
    return nodes.own() == null
        ? join(now, MOST_ROUNDS, NOTHING)
        : nodes.look(now).thenCompose(queue -> judge(now, queue, MOST_ROUNDS));
  }

  /**
   * Makes a node at the tail of the queue; and the lock's own node before it, if need be, without
   * waiting for it.
   *
   * @param parents what has been done about the lock's own node already
   */
  private CompletableFuture<Attempt> join(
      ZooKeeperSession now, int rounds, CompletableFuture<Void> parents) {
    CompletableFuture<ZooKeeperSession.Node> created = nodes.create(now);
    Optional<CompletableFuture<QueueListing>> listed =
        nodes.isOfLock() && now.fastPath().isExpected(lockPath)
            ? Optional.empty()
            : Optional.of(now.children(lockPath));
    return created
        .handle(
            (made, failure) -> {
              if (failure == null) {
                nodes.created(made);
                accepted = false;
                return joined(now, made, listed, rounds);
              }
              if (!ZooKeeperFailures.isRefusal(failure)) {
                nodes.mayHaveAnother();
              } else if (ZooKeeperFailures.isNoNode(failure)
                  && parents.isCompletedExceptionally()) {
                return parents.<Attempt>thenApply(done -> CONTENDED);
              } else if (ZooKeeperFailures.isNoNode(failure) && rounds > 0) {
                return join(now, rounds - 1, requests.createParents(now, lockPath));
              }
              return CompletableFuture.<Attempt>failedFuture(failure);
            })
        .thenCompose(next -> next);
  }

  private CompletableFuture<Attempt> joined(
      ZooKeeperSession now,
      ZooKeeperSession.Node made,
      Optional<CompletableFuture<QueueListing>> listed,
      int rounds) {
    if (QueueListing.sequence(made.name()).isEmpty()) {
      return CompletableFuture.failedFuture(
          new LockRejectedException(
              acquiring()
                  + ": ZooKeeper cannot number any more contenders of it; when the lock is free,"
                  + " delete the node "
                  + lockPath));
    }
    return now.fastPath().isFirst(lockPath, made)
        ? CompletableFuture.completedFuture(grant(now, made))
        : listed
            .orElseGet(() -> now.children(lockPath))
            .thenCompose(queue -> judge(now, queue, rounds));
  }

  private CompletableFuture<Attempt> judge(ZooKeeperSession now, QueueListing queue, int rounds) {
    ZooKeeperSession.Node mine = nodes.own();
    if (mine == null || !queue.contains(mine.name())) {
      nodes.forgetOwn();
      granted = false;
      return rounds > 0 && !releasing
          ? join(now, rounds - 1, NOTHING)
          : CompletableFuture.completedFuture(CONTENDED);
    }
    nodes.deleteOthers(now, queue, mine, signals::wake);
    OptionalInt inUse = accepted ? OptionalInt.empty() : queue.otherCapacity(mine.name());
    if (inUse.isPresent()) {
      LockCapacityException refused =
          new LockCapacityException(
              request.lockName(), request.share().capacity(), inUse.getAsInt());
      return nodes.withdraw(now).thenCompose(gone -> CompletableFuture.failedFuture(refused));
    }
    accepted = true;
    List<String> blockers =
        queue.blockers(mine.name()).stream().map(name -> lockPath + "/" + name).toList();
    if (blockers.isEmpty()) {
      return CompletableFuture.completedFuture(grant(now, mine));
    }
    if (!request.waits()) {
      // Until its release arrives, others would be refused on account of it what is free.
      return nodes.withdraw(now).thenApply(gone -> CONTENDED);
    }
    return blockerWatches
        .set(now, blockers)
        .thenCompose(
            there ->
                there
                    ? CompletableFuture.completedFuture(CONTENDED)
                    : now.children(lockPath).thenCompose(next -> judge(now, next, rounds)));
  }

  private Attempt grant(ZooKeeperSession now, ZooKeeperSession.Node mine) {
    granted = true;
    now.watchSoon(this);
    return new Attempt.Granted(mine.czxid(), now.leaseTime());
  }

  /** Somebody else has deleted the node. */
  void revoke() {
    if (!releasing) {
      revoked = true;
      signals.lost(LossReason.REVOKED);
    }
  }

  /**
   * Has the node watched that this claim owns the lock by. Before a proof is asked for: what is
   * answered first will be known when the proof comes.
   */
  @Override
  public void watch(ZooKeeperSession now) {
    ZooKeeperSession.Node mine = nodes.own();
    if (session == now && mine != null && !releasing && !ownWatch.isSet()) {
      ownWatch.set(now, mine.path());
    }
  }

  /** The answer for this claim to a proof that the session lives. */
  public RenewalAnswer proven(ZooKeeperSession now) {
    if (session != now) {
      return new RenewalAnswer.Lost(LossReason.SESSION_ENDED);
    }
    return revoked || !granted
        ? new RenewalAnswer.Lost(LossReason.REVOKED)
        : new RenewalAnswer.Extended(now.leaseTime());
  }

  /** Whether the session that this claim has its node from is known to be over. */
  public boolean hasLostSession() {
    ZooKeeperSession own = session;
    return own != null && own.hasEnded();
  }

  /** From a session, on any thread. */
  @Override
  public void ended(ZooKeeperSession over) {
    if (session == over && !releasing) {
      signals.lost(LossReason.SESSION_ENDED);
    }
  }

  @Override
  public CompletionStage<ReleaseAnswer> reduceTo(int kept) {
    return requests.inTime(turns.next(() -> reduce(kept)), this::reducing);
  }

  private CompletableFuture<ReleaseAnswer> reduce(int kept) {
    ZooKeeperSession now = requests.sessions().connected(this::reducing);
    ZooKeeperSession.Node mine = nodes.own();
    if (session != now || mine == null || !granted || revoked) {
      return CompletableFuture.completedFuture(ReleaseAnswer.NOT_OURS);
    }
    return replacement.reduce(now, mine, kept);
  }

  private void moveTo(ZooKeeperSession now) {
    ZooKeeperSession before = session;
    if (before == now) {
      return;
    }
    if (before != null) {
      before.remove(this);
      nodes.sessionEnded();
      granted = false;
      blockerWatches.clear();
      ownWatch.clear();
    }
    requests.sessions().began(this);
    session = now;
    now.add(this);
  }

  private CompletableFuture<ReleaseAnswer> leave() {
    ReleaseAnswer answer = released;
    if (answer != null) {
      return CompletableFuture.completedFuture(answer);
    }
    if (session == null) {
      return CompletableFuture.completedFuture(gone(ReleaseAnswer.NOT_OURS));
    }
    ZooKeeperSession now = requests.sessions().connected(this::releasing);
    moveTo(now);
    blockerWatches.forget();
    return nodes.delete(now, granted && !revoked).thenApply(this::gone);
  }

  private ReleaseAnswer gone(ReleaseAnswer answer) {
    released = answer;
    ZooKeeperSession own = session;
    if (own != null) {
      own.remove(this);
    }
    requests.sessions().finished(this);
    return answer;
  }

  private String reducing() {
    return "Giving back a part of '" + request.lockName() + "'";
  }

  private String acquiring() {
    return "Acquiring lock '" + request.lockName() + "'";
  }

  private String releasing() {
    return "Releasing lock '" + request.lockName() + "'";
  }
}
