/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redis.node;

import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.TimeSource;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.support.RequestedTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
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
   * A claim to be prolonged, and for how long from now.
   *
   * @param claim taken
   * @param ttl the least that is to be left
   */
  public record Prolongation(NodeClaim claim, Duration ttl) {}

  /** Since when it is known that there is no answer; the request went out before. */
  private record Unanswered(CommandConnection line, long since) {}

  private final Route route;
  private final TimeSource time;
  private final ClaimRequest request;
  private final String key;
  private final TokenCounter counter;
  private final int slot;
  private final RequestedTime requested;
  private final ReentrantLock lock = new ReentrantLock();

  /** Made when there is one, which mostly there is not. */
  private List<Unanswered> unanswered = Collections.emptyList();

  private CompletableFuture<?> last = CompletableFuture.completedFuture(null);
  private boolean mayBeHere;
  private boolean freed;

  NodeClaim(
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
  }

  /**
   * Asks for the lock, and draws a number from the {@link TokenCounter}.
   *
   * @param atLeast the least that will do; zero for no bound
   * @return the answer; fails with a {@link io.holdfast.lock.LockException}
   */
  public CompletableFuture<Answer> acquire(long atLeast) {
    return next(() -> route.send(node -> sendAcquire(node, atLeast)));
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
   * @param keepFor from when the request arrives
   * @return as {@link #release}
   */
  public CompletableFuture<Boolean> release(Duration keepFor) {
    requested.request(keepFor);
    return end(LockCalls.Free.in(keepFor));
  }

  /**
   * Has the server free the lock by itself when a time has passed, if it is this claim's, which
   * goes on. Also shortens what was asked for before.
   *
   * @param left from when the request arrives
   * @return whether the lock is this claim's; fails with a {@link io.holdfast.lock.LockException}
   * @throws LockUnavailableException if there is no connection, so that nothing is sent
   */
  public CompletableFuture<Boolean> expireIn(Duration left) {
    String operation = "Setting the end of lock '" + request.lockName() + "'";
    // Before it waits for its turn: what fails later may have been sent.
    var unused = route.send(node -> CompletableFuture.completedFuture(node.line(operation)));
    return next(
        () ->
            route.send(
                node -> {
                  CommandConnection line;
                  try {
                    line = node.line(operation);
                  } catch (LockUnavailableException e) {
                    return CompletableFuture.failedFuture(e);
                  }
                  return free(line, LockCalls.Free.in(left))
                      .exceptionallyCompose(failure -> node.failed(operation, line, failure));
                }));
  }

  /**
   * Gives a part of a share back, and keeps the rest.
   *
   * @param kept fewer permits than were granted; if the claim has no more, nothing changes
   * @return whether it had any; fails with a {@link io.holdfast.lock.LockException}
   */
  public CompletableFuture<Boolean> reduceTo(int kept) {
    String operation = "Giving back a part of '" + request.lockName() + "'";
    String[] keys = {key};
    return next(() ->
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

  private CompletableFuture<Boolean> end(String how) {
    lock.lock();
    try {
      if (last.isDone() && !mayBeHere) {
        return CompletableFuture.completedFuture(false);
      }
    } finally {
      lock.unlock();
    }
    return next(() -> route.send(node -> sendRelease(node, how)));
  }

  private <T> CompletableFuture<T> next(Supplier<CompletableFuture<T>> send) {
    CompletableFuture<?> before;
    CompletableFuture<@Nullable Object> turn = new CompletableFuture<>();
    lock.lock();
    try {
      before = last;
      last = turn;
    } finally {
      lock.unlock();
    }
    CompletableFuture<T> answer = before.thenCompose(done -> send.get());
    answer.whenComplete((value, failure) -> turn.complete(null));
    return answer;
  }

  /**
   * Where the lock is.
   *
   * @return the key
   */
  public String key() {
    return key;
  }

  String ownerId() {
    return request.ownerId();
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
        .thenApply(this::answered)
        .exceptionallyCompose(
            failure -> {
              failed(line, failure);
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
            .ask(new ShareCalls.Take(key, counter, owner, request.ttl(), request.share()))
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

  private Answer answered(Answer answer) {
    boolean waits = answer instanceof Refused && isShared();
    lock.lock();
    try {
      // With another capacity, what was there of it stays, a place in the queue, say.
      boolean stays = answer instanceof OtherCapacity && mayBeHere;
      mayBeHere = answer instanceof Taken || waits || stays || !unanswered.isEmpty();
    } finally {
      lock.unlock();
    }
    return answer;
  }

  private void failed(CommandConnection line, Throwable failure) {
    if (RedisFailures.isAnswer(failure)) {
      // The script takes the lock in its last step, so one that has failed has not taken it.
      return;
    }
    lock.lock();
    try {
      mayBeHere = true;
      if (unanswered.isEmpty()) {
        unanswered = new ArrayList<>();
      }
      unanswered.add(new Unanswered(line, time.nanos()));
    } finally {
      lock.unlock();
    }
  }

  private CompletableFuture<Boolean> sendRelease(RedisNode node, String how) {
    lock.lock();
    try {
      if (!mayBeHere) {
        return CompletableFuture.completedFuture(false);
      }
    } finally {
      lock.unlock();
    }
    String operation = "Releasing lock '" + request.lockName() + "'";
    CommandConnection line;
    try {
      line = node.line(operation);
    } catch (LockUnavailableException e) {
      return CompletableFuture.failedFuture(e);
    }
    return free(line, how)
        .thenApply(ours -> settled(operation, ours))
        .exceptionallyCompose(failure -> node.failed(operation, line, failure));
  }

  private boolean settled(String operation, boolean ours) {
    lock.lock();
    try {
      freed |= ours;
      long now = time.nanos();
      long ttl = request.ttl().toNanos();
      unanswered.removeIf(sent -> sent.line().dead || now - sent.since() > ttl);
      if (!unanswered.isEmpty()) {
        throw new LockUnavailableException(
            operation
                + " is not final yet: an earlier request may still be on its way, and this Redis "
                + "user may not use CLIENT ID and CLIENT KILL, which would stop it");
      }
      boolean found = freed;
      mayBeHere = false;
      freed = false;
      return found;
    } finally {
      lock.unlock();
    }
  }
}
