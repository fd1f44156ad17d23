/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redlock;

import io.holdfast.lock.LockException;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.LossReason;
import io.holdfast.lock.redis.node.ClaimAnswer;
import io.holdfast.lock.redis.node.NodeClaim;
import io.holdfast.lock.redis.node.RedisNode;
import io.holdfast.lock.redis.node.Script;
import io.holdfast.lock.redis.node.TokenCounter;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.ClaimSignals;
import io.holdfast.lock.spi.LockClaim;
import io.holdfast.lock.spi.ReleaseAnswer;
import io.holdfast.lock.spi.RenewalAnswer;
import io.lettuce.core.ScriptOutputType;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * One contender: a claim at each node, and a {@link Ballot} for each attempt. Does what the ballot
 * says, and undoes at all nodes what an attempt that has failed got or may still get.
 *
 * <p>The claim at a node sends one request at a time, so what undoes an attempt comes after it,
 * also where its answer is late.
 */
final class RedlockClaim implements LockClaim {

  private static final Script RAISE =
      Script.read(
          RedlockClaim.class.getResourceAsStream("raise.lua"),
          "raise.lua",
          ScriptOutputType.INTEGER);

  /** About a second, so that nodes whose clocks differ by little mostly draw the same number. */
  private static final long GRAIN_MICROS = 1 << 20;

  private static final int LONGEST_PAUSE_MILLIS = 32;

  /** A vote counts without another question for this part of the time-out of a command. */
  private static final int FRESH_PARTS = 20;

  private final NodeGroup group;
  private final ClaimRequest request;
  private final PendingCleanup pendingCleanup;
  private final NodeClaims claims;
  private final String counter;
  private final String operation;
  private final QuorumNotifications notifications;

  private final ReentrantLock lock = new ReentrantLock();
  private CompletableFuture<Attempt> attempt = new CompletableFuture<>();
  private long beganAt;
  private long token;
  private boolean released;

  RedlockClaim(
      NodeGroup group, ClaimRequest request, ClaimSignals signals, PendingCleanup pendingCleanup) {
    this.group = group;
    this.request = request;
    this.pendingCleanup = pendingCleanup;
    this.counter = group.counter(request.lockName());
    this.operation = "Acquiring lock '" + request.lockName() + "'";
    this.claims = new NodeClaims(group, request, new TokenCounter(counter, GRAIN_MICROS));
    this.notifications =
        new QuorumNotifications(group.nodes, group.quorum(), key(), request.ownerId(), signals);
  }

  @Override
  public CompletionStage<Attempt> attempt() {
    CompletableFuture<Attempt> result = new CompletableFuture<>();
    try {
      group.checkTtl(request.ttl());
    } catch (LockException e) {
      return CompletableFuture.failedFuture(e);
    }
    lock.lock();
    try {
      if (released) {
        return CompletableFuture.completedFuture(new Attempt.Contended(Optional.empty()));
      }
      attempt = result;
      beganAt = group.time.nanos();
      // Here, so that a release that comes meanwhile finds it open, and stops it.
      notifications.open();
    } finally {
      lock.unlock();
    }
    Ballot ballot = new Ballot(group.size(), group.commandTimeout.toNanos() / FRESH_PARTS);
    ask(ballot, IntStream.range(0, group.size()).boxed().toList());
    return result;
  }

  /**
   * Asks all of them before any answer counts: the first answers can decide the ballot, and a lock
   * that only a quorum was asked for is lost with one node.
   */
  private void ask(Ballot ballot, Collection<Integer> nodes) {
    long asked = group.time.nanos();
    Map<Integer, CompletableFuture<ClaimAnswer>> answers = new HashMap<>();
    lock.lock();
    try {
      if (released || ballot.isDecided()) {
        return;
      }
      nodes.forEach(node -> answers.put(node, claims.acquire(node, group.candidate())));
    } finally {
      lock.unlock();
    }
    answers.forEach((node, answer) -> hear(ballot, node, answer, asked));
  }

  private void hear(Ballot ballot, int node, CompletableFuture<ClaimAnswer> answer, long asked) {
    answer.whenComplete(
        (said, failure) -> {
          Vote vote = toVote(node, said, failure);
          tell(ballot, () -> ballot.voted(node, vote, asked, group.time.nanos()));
        });
  }

  private Vote toVote(int node, @Nullable ClaimAnswer said, @Nullable Throwable failure) {
    if (said instanceof ClaimAnswer.Taken taken) {
      group.seen(taken.number());
      Optional<LockException> ineligibility = group.ineligibility(node);
      return ineligibility.isPresent()
          ? new Vote.None(ineligibility.get())
          : new Vote.Yes(taken.number());
    }
    if (said instanceof ClaimAnswer.Refused refused) {
      return new Vote.No(refused.owner(), refused.askAgainIn());
    }
    return new Vote.None(NodeGroup.typed(operation, failure));
  }

  private void raise(Ballot ballot, int node, long number) {
    RedisNode at = group.nodes.get(node);
    long asked = group.time.nanos();
    at.<Long>call(
            operation,
            RAISE,
            new String[] {key(), counter},
            request.ownerId(),
            String.valueOf(number))
        .whenComplete(
            (stands, failure) ->
                tell(
                    ballot,
                    () ->
                        failure == null && stands == 1
                            ? ballot.raised(node, number, asked, group.time.nanos())
                            : ballot.notRaised(
                                node, storeFailure(at, failure), group.time.nanos())));
  }

  private LockException storeFailure(RedisNode node, @Nullable Throwable failure) {
    return failure != null
        ? NodeGroup.typed(operation, failure)
        : new LockUnavailableException(operation + " failed: it was taken away at " + node.where());
  }

  private void tell(Ballot ballot, Supplier<Ballot.Next> event) {
    Ballot.Next next;
    lock.lock();
    try {
      next = event.get();
      if (next instanceof Ballot.AskAgain && isLate()) {
        next = ballot.giveUp();
      }
      if (next instanceof Ballot.Won won) {
        token = won.token();
      }
    } finally {
      lock.unlock();
    }
    act(ballot, next);
  }

  private boolean isLate() {
    return group.time.nanos() - beganAt > group.commandTimeout.toNanos();
  }

  private void act(Ballot ballot, Ballot.Next next) {
    if (next instanceof Ballot.Raise raise) {
      raise.nodes().forEach(node -> raise(ballot, node, raise.token()));
    } else if (next instanceof Ballot.AskAgain again) {
      group.time.schedule(pause(again.round()), () -> ask(ballot, again.nodes()));
    } else if (next instanceof Ballot.Won won) {
      notifications.stop();
      attempt.complete(new Attempt.Granted(won.token(), request.ttl()));
    } else if (next instanceof Ballot.Lost lost) {
      undo();
      notifications.listen(ballot.supporters());
      if (isReleased()) {
        notifications.stop();
      }
      attempt.complete(new Attempt.Contended(lost.askAgainIn()));
    } else if (next instanceof Ballot.NoQuorum noQuorum) {
      undo();
      attempt.completeExceptionally(group.noQuorum(operation, noQuorum.causes()));
    }
  }

  private static Duration pause(int round) {
    int longest = Math.min(LONGEST_PAUSE_MILLIS, 1 << round);
    return Duration.ofNanos(
        ThreadLocalRandom.current().nextLong(longest * 500_000L, longest * 1_000_000L));
  }

  /** Claims that this cannot undo now are undone by the next attempt or the release. */
  private void undo() {
    for (int node = 0; node < group.size(); node++) {
      pendingCleanup.track(claims.at(node).withdraw());
    }
  }

  private boolean isReleased() {
    lock.lock();
    try {
      return released;
    } finally {
      lock.unlock();
    }
  }

  /** Takes the lock also at a node that does not have it, while a quorum does. */
  void regain(int node) {
    lock.lock();
    try {
      if (token > 0 && !released) {
        pendingCleanup.track(claims.acquire(node, token));
      }
    } finally {
      lock.unlock();
    }
  }

  NodeClaims claims() {
    return claims;
  }

  @Override
  public CompletionStage<ReleaseAnswer> release() {
    return end(stop() ? NodeClaim::release : NodeClaim::withdraw, NodeClaim::withdraw);
  }

  /** A node that cannot be reached now keeps it for what is left by then. */
  @Override
  public CompletionStage<ReleaseAnswer> release(Duration keepFor) {
    long until = group.time.nanos() + keepFor.toNanos();
    stop();
    return end(
        claim -> claim.release(keepFor),
        claim -> {
          long left = until - group.time.nanos();
          return left > 0 ? claim.release(Duration.ofNanos(left)) : claim.withdraw();
        });
  }

  /** If the whole release fails, it is the engine that repeats it. */
  private CompletableFuture<ReleaseAnswer> end(
      Function<NodeClaim, CompletableFuture<Boolean>> question,
      Function<NodeClaim, CompletableFuture<Boolean>> later) {
    QuorumRequest all = new QuorumRequest(group, "Releasing lock '" + request.lockName() + "'");
    return all.send(
            node -> tracked(question.apply(claims.at(node))),
            node -> all.decided().thenRun(() -> clean(claims.at(node), later)))
        .thenApply(ours -> ours ? ReleaseAnswer.FREED : ReleaseAnswer.NOT_OURS);
  }

  private void clean(NodeClaim claim, Function<NodeClaim, CompletableFuture<Boolean>> later) {
    pendingCleanup.clean(() -> later.apply(claim), claim.keptFor());
  }

  private CompletableFuture<Boolean> tracked(CompletableFuture<Boolean> answer) {
    pendingCleanup.track(answer);
    return answer;
  }

  @Override
  public CompletionStage<RenewalAnswer> expireIn(Duration left) {
    return new QuorumRequest(group, "Setting the end of lock '" + request.lockName() + "'")
        .send(node -> tracked(claims.expireIn(node, left)), node -> {})
        .thenApply(
            ours ->
                ours
                    ? new RenewalAnswer.Extended(left)
                    : new RenewalAnswer.Lost(LossReason.REVOKED));
  }

  /** No attempt follows; answers whether one was told that it has the lock. */
  private boolean stop() {
    boolean told;
    lock.lock();
    try {
      released = true;
      told = token > 0;
      attempt.complete(new Attempt.Contended(Optional.empty()));
    } finally {
      lock.unlock();
    }
    notifications.stop();
    return told;
  }

  private String key() {
    return group.nodes.get(0).key(request.lockName());
  }
}
