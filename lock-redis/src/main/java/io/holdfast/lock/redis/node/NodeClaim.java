/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redis.node;

import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.TimeSource;
import io.holdfast.lock.redis.client.RedisFailures;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.support.RequestedTime;
import io.holdfast.lock.spi.support.SerialExecutor;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * One contender at one server: a key with an owner id, taken and freed by script. Requests are sent
 * one after another, each when the one before it was answered or has timed out.
 *
 * <p><b>Unknown outcomes.</b> Release waits for the answer to a request that is under way, at most
 * for the command time-out. If there is none, the request's line is given up, and the release goes
 * out on the next one, when the server has killed the old one ({@link CommandLink}): then what it
 * finds is final. If the server does not let us kill, release deletes what it finds, but is not
 * done before the TTL has passed since then; the owner of this calls again until then.
 */
public final class NodeClaim {

  private final Route route;
  private final TimeSource time;
  private final ClaimRequest request;
  private final LockKeys keys;
  private final RequestedTime requested;
  private final ClaimState state;
  private final SerialExecutor requests = new SerialExecutor();
  private final ReentrantLock lock = new ReentrantLock();

  /**
   * The number that renewals state, so that the server does not go back to more after a fail-over.
   */
  private volatile int permits;

  /** Made for the first renewal or end; a lock that is taken and freed needs none. */
  private @Nullable PendingRenewals renewals;

  /**
   * Sends nothing yet.
   *
   * @param route to the server that has the key
   * @param time the clock
   * @param request who wants which lock, and on which terms
   * @param keys at that server
   */
  public NodeClaim(Route route, TimeSource time, ClaimRequest request, LockKeys keys) {
    this.route = route;
    this.time = time;
    this.request = request;
    this.keys = keys;
    this.requested = new RequestedTime(time::nanos);
    this.state = new ClaimState(time);
    this.permits = request.share().permits();
  }

  /**
   * Asks for the lock, and draws a number from the {@link TokenCounter}.
   *
   * @param atLeast the least that will do; zero for no bound
   * @param listens whether this claim hears of releases already: then it may be named by one, if it
   *     is refused now
   * @return the answer; fails with a {@link io.holdfast.lock.LockException}
   */
  public CompletableFuture<ClaimAnswer> acquire(long atLeast, boolean listens) {
    return requests.next(() -> route.send(node -> sendAcquire(node, atLeast, listens)));
  }

  /**
   * As {@link #release}, but tells nobody that waits: for a claim that has not held the lock as a
   * whole.
   *
   * @return as {@link #release}
   */
  public CompletableFuture<Boolean> withdraw() {
    return end(LockCalls.Free.QUIET);
  }

  /**
   * Frees the lock if it is this claim's, and undoes requests whose outcome is unknown. Sends
   * nothing if nothing of this claim can be there.
   *
   * @return whether the lock was this claim's; once completed, nothing of it is at the server nor
   *     can arrive there later. Fails with a {@link LockUnavailableException} if that is not
   *     certain: then call again
   */
  public CompletableFuture<Boolean> release() {
    return end(LockCalls.Free.TELL);
  }

  /**
   * As {@link #release}, but the server frees the lock by itself when a time has passed.
   *
   * @param keepFor from now
   * @return as {@link #release}
   */
  public CompletableFuture<Boolean> release(Duration keepFor) {
    requested.request(keepFor);
    long until = time.nanos() + keepFor.toNanos();
    CompletableFuture<?> renewed = renewals().end();
    return isGone()
        ? CompletableFuture.completedFuture(false)
        : requests.next(
            () ->
                renewed.thenCompose(done -> route.send(node -> sendRelease(node, freeAt(until)))));
  }

  /**
   * Has the server free the lock by itself when a time has passed, if it is this claim's, which
   * goes on. Also shortens what was asked for before.
   *
   * @param left from now
   * @return whether the lock is this claim's; fails with a {@link io.holdfast.lock.LockException}
   * @throws LockUnavailableException if there is no connection, so that nothing is sent
   */
  public CompletableFuture<Boolean> expireIn(Duration left) {
    String operation = "Setting the end of lock '" + request.lockName() + "'";
    // Before it waits for its turn: what fails later may have been sent.
    route.checkLine(operation);
    requested.request(left);
    long until = time.nanos() + left.toNanos();
    PendingRenewals pending = renewals();
    CompletableFuture<?> renewed = pending.end();
    return requests
        .next(
            () ->
                renewed.thenCompose(
                    done ->
                        route.send(
                            node ->
                                node.over(
                                    operation,
                                    line ->
                                        free(line, freeAt(until))
                                            .thenApply(LockCalls.Freed::wasOurs)
                                            .exceptionallyCompose(
                                                failure ->
                                                    node.failed(operation, line, failure))))))
        .whenComplete((ours, failure) -> pending.endAnswered());
  }

  /**
   * Gives a part of a share back, and keeps the rest. Renewals that are sent after this give it
   * back as well.
   *
   * @param kept fewer permits than were granted; if the claim has no more, nothing changes
   * @return whether it had any; fails with a {@link io.holdfast.lock.LockException}
   */
  public CompletableFuture<Boolean> reduceTo(int kept) {
    String operation = "Giving back a part of '" + request.lockName() + "'";
    String[] names = {keys.lock()};
    permits = kept;
    return requests
        .next(
            () ->
                route.send(
                    node ->
                        node.<Long>write(
                            operation,
                            Script.SHARE_REDUCE,
                            names,
                            request.ownerId(),
                            String.valueOf(kept))))
        .thenApply(owned -> owned == 1);
  }

  /**
   * Asks for a renewal, to be sent next.
   *
   * @param ttl the least that is to be left
   * @return is not carried out once the end of the lock was set after this
   */
  public Prolongation prolongation(Duration ttl) {
    return new Prolongation(this, ttl, renewals().ends());
  }

  PendingRenewals renewals() {
    lock.lock();
    try {
      if (renewals == null) {
        renewals = new PendingRenewals();
      }
      return renewals;
    } finally {
      lock.unlock();
    }
  }

  /** In what is left until then, which may have passed while the request waited for its turn. */
  private String freeAt(long until) {
    return LockCalls.Free.in(Duration.ofNanos(until - time.nanos()));
  }

  /** At once: a renewal that comes after it finds nothing of this claim. */
  private CompletableFuture<Boolean> end(String how) {
    return isGone() && !state.mayBeNamed()
        ? CompletableFuture.completedFuture(false)
        : requests.next(() -> route.send(node -> sendRelease(node, how)));
  }

  /**
   * For how long the server keeps the lock if it refuses to free it.
   *
   * @return its TTL, or what is left of an extension that was asked for, answered or not
   */
  public Duration keptFor() {
    Duration left = requested.left();
    return left.compareTo(request.ttl()) > 0 ? left : request.ttl();
  }

  /**
   * Whether another client was told to ask for the lock when this claim was released.
   *
   * @return false before that
   */
  public boolean isOthersTurn() {
    return state.isOthersTurn();
  }

  /** Whether nothing can be there. */
  private boolean isGone() {
    return requests.isIdle() && !state.mayBeHere();
  }

  /**
   * Where the lock is.
   *
   * @return the key
   */
  public String key() {
    return keys.lock();
  }

  String lockName() {
    return request.lockName();
  }

  String ownerId() {
    return request.ownerId();
  }

  /** How many are this claim's, whatever the server has. */
  int permits() {
    return permits;
  }

  /** The time that was asked for at this server; each request is noted before it is sent. */
  RequestedTime requested() {
    return requested;
  }

  private CompletableFuture<ClaimAnswer> sendAcquire(
      RedisNode node, long atLeast, boolean listens) {
    String operation = "Acquiring lock '" + request.lockName() + "'";
    CommandConnection line;
    try {
      line = node.line(operation);
    } catch (LockUnavailableException e) {
      return CompletableFuture.failedFuture(e);
    }
    requested.request(request.ttl());
    if (listens && !isShared()) {
      state.willBeNamed();
    }
    return take(line, atLeast, listens)
        .thenApply(answer -> state.answered(answer, isShared() && request.waits()))
        .exceptionallyCompose(
            failure -> {
              // A script that fails frees what it took.
              if (!RedisFailures.isAnswer(failure)) {
                state.unanswered(line);
              }
              return node.failed(operation + " (key '" + keys.lock() + "')", line, failure);
            })
        .thenCompose(
            answer ->
                answer instanceof ClaimAnswer.Taken
                    ? node.replicated(operation, line, answer)
                    : CompletableFuture.completedFuture(answer));
  }

  private CompletableFuture<ClaimAnswer> take(
      CommandConnection line, long atLeast, boolean listens) {
    String owner = request.ownerId();
    return isShared()
        ? line.shareCalls(keys.slot())
            .ask(new ShareCalls.Take(keys, owner, request.ttl(), request.share(), request.waits()))
        : line.calls(keys.slot())
            .ask(new LockCalls.Take(keys, owner, request.ttl(), listens, atLeast));
  }

  private CompletableFuture<LockCalls.Freed> free(CommandConnection line, String how) {
    LockCalls.Free free = new LockCalls.Free(keys, request.ownerId(), how);
    return isShared() ? line.shareCalls(keys.slot()).ask(free) : line.calls(keys.slot()).ask(free);
  }

  /** A share of more than one permit is kept in another way than a lock. */
  boolean isShared() {
    return request.share().capacity() > 1;
  }

  private CompletableFuture<Boolean> sendRelease(RedisNode node, String how) {
    boolean named = state.endNaming();
    if (!state.mayBeHere()) {
      if (named) {
        stopWaiting(node);
      }
      return CompletableFuture.completedFuture(false);
    }
    String operation = "Releasing lock '" + request.lockName() + "'";
    CommandConnection line;
    try {
      line = node.line(operation);
    } catch (LockUnavailableException e) {
      return CompletableFuture.failedFuture(e);
    }
    return free(line, how)
        .thenApply(freed -> state.settled(freed, request.ttl(), operation))
        .exceptionallyCompose(failure -> node.failed(operation, line, failure));
  }

  /** A hint: if it is lost, those who are not named ask a little later than they could. */
  private void stopWaiting(RedisNode node) {
    node.over(
        "Waiting no longer for lock '" + request.lockName() + "'",
        line -> free(line, LockCalls.Free.TELL));
  }
}
