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
import java.util.Optional;
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
 * done before the TTL has passed since then; whoever owns this calls again until then.
 */
public final class NodeClaim {

  /** What the server said to {@link #acquire}. */
  public sealed interface Answer {}

  /**
   * The lock is this claim's.
   *
   * @param number drawn for it
   */
  public record Taken(long number) implements Answer {}

  /**
   * The lock is another's.
   *
   * @param owner whose
   * @param askAgainIn what is left of its TTL; empty if it has none
   */
  public record Refused(String owner, Optional<Duration> askAgainIn) implements Answer {}

  /**
   * The name is in use with another capacity; of a lock, it is 1.
   *
   * @param inUse which
   */
  public record OtherCapacity(int inUse) implements Answer {}

  /**
   * A claim to be prolonged, and for how long from now: see {@link #prolongation}.
   *
   * @param claim taken
   * @param ttl the least that is to be left
   * @param asked how often the end of the lock had been set
   */
  public record Prolongation(NodeClaim claim, Duration ttl, long asked) {

    /** Whether it may be sent: it does not undo an end that was set since. */
    boolean begin(CompletableFuture<?> answered) {
      return claim.renewals().begin(asked, answered);
    }
  }

  private final Route route;
  private final TimeSource time;
  private final ClaimRequest request;
  private final String key;
  private final TokenCounter counter;
  private final int slot;
  private final RequestedTime requested;
  private final ClaimState state;
  private final SerialExecutor requests = new SerialExecutor();
  private final ReentrantLock lock = new ReentrantLock();

  /** What renewals state, so that the server does not go back to more after a fail-over. */
  private volatile int permits;

  /** Made for the first renewal or end; a lock that is taken and freed needs none. */
  private @Nullable PendingRenewals renewals;

  /**
   * Sends nothing yet.
   *
   * @param route to the server that has the key
   * @param time the clock
   * @param request who wants which lock, and on which terms
   * @param key where the lock is
   * @param counter what its numbers are drawn from
   * @param slot of the key in a cluster; 0 at a single server
   */
  public NodeClaim(
      Route route,
      TimeSource time,
      ClaimRequest request,
      String key,
      TokenCounter counter,
      int slot) {
    this.route = route;
    this.time = time;
    this.request = request;
    this.key = key;
    this.counter = counter;
    this.slot = slot;
    this.requested = new RequestedTime(time::nanos);
    this.state = new ClaimState(time);
    this.permits = request.share().permits();
  }

  /**
   * Asks for the lock, and draws a number from the {@link TokenCounter}.
   *
   * @param atLeast the least that will do; zero for no bound
   * @return the answer; fails with a {@link io.holdfast.lock.LockException}
   */
  public CompletableFuture<Answer> acquire(long atLeast) {
    return requests.next(() -> route.send(node -> sendAcquire(node, atLeast)));
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
    String[] keys = {key};
    permits = kept;
    return requests
        .next(
            () ->
                route.send(
                    node ->
                        node.<Long>write(
                            operation,
                            Script.SHARE_REDUCE,
                            keys,
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

  private PendingRenewals renewals() {
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
    return isGone()
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
    return key;
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

  /** What was asked for at this server; each request is noted before it is sent. */
  RequestedTime requested() {
    return requested;
  }

  private CompletableFuture<Answer> sendAcquire(RedisNode node, long atLeast) {
    String operation = "Acquiring lock '" + request.lockName() + "'";
    CommandConnection line;
    try {
      line = node.line(operation);
    } catch (LockUnavailableException e) {
      return CompletableFuture.failedFuture(e);
    }
    requested.request(request.ttl());
    return take(line, atLeast)
        .thenApply(answer -> state.answered(answer, isShared() && request.waits()))
        .exceptionallyCompose(
            failure -> {
              // A script that fails frees what it took.
              if (!RedisFailures.isAnswer(failure)) {
                state.unanswered(line);
              }
              return node.failed(operation + " (key '" + key + "')", line, failure);
            })
        .thenCompose(
            answer ->
                answer instanceof Taken
                    ? node.replicated(operation, line).thenApply(done -> answer)
                    : CompletableFuture.completedFuture(answer));
  }

  private CompletableFuture<Answer> take(CommandConnection line, long atLeast) {
    String owner = request.ownerId();
    return isShared()
        ? line.shareCalls(slot)
            .ask(
                new ShareCalls.Take(
                    key, counter, owner, request.ttl(), request.share(), request.waits()))
        : line.calls(slot).ask(new LockCalls.Take(key, counter, owner, request.ttl(), atLeast));
  }

  private CompletableFuture<Boolean> free(CommandConnection line, String how) {
    LockCalls.Free free = new LockCalls.Free(key, request.ownerId(), how);
    return isShared() ? line.shareCalls(slot).ask(free) : line.calls(slot).ask(free);
  }

  /** A share of more than one permit is kept in another way than a lock. */
  boolean isShared() {
    return request.share().capacity() > 1;
  }

  private CompletableFuture<Boolean> sendRelease(RedisNode node, String how) {
    if (!state.mayBeHere()) {
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
        .thenApply(ours -> state.settled(ours, request.ttl(), operation))
        .exceptionallyCompose(failure -> node.failed(operation, line, failure));
  }
}
