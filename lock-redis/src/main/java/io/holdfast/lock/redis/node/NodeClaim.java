/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redis.node;

import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.TimeSource;
import java.time.Duration;
import java.util.ArrayList;
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
 * done before the TTL has passed since the request; whoever owns this calls again until then.
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
   * A claim to be prolonged, and for how long from now.
   *
   * @param claim taken
   * @param ttl the least that is to be left
   */
  public record Prolongation(NodeClaim claim, Duration ttl) {}

  private record Unanswered(Line line, long sentAt) {}

  private final Route route;
  private final TimeSource time;
  private final ClaimRequest request;
  private final String key;
  private final String counter;
  private final ReentrantLock lock = new ReentrantLock();
  private final List<Unanswered> unanswered = new ArrayList<>();
  private CompletableFuture<?> last = CompletableFuture.completedFuture(null);
  private boolean mayBeHere;
  private boolean freed;

  NodeClaim(Route route, TimeSource time, ClaimRequest request, String key, String counter) {
    this.route = route;
    this.time = time;
    this.request = request;
    this.key = key;
    this.counter = counter;
  }

  /**
   * Asks for the lock, and draws a number: greater than the last that was drawn here, at least
   * {@code atLeast}, and at least the server's clock in microseconds, rounded down to a multiple of
   * {@code grain} (as long as the counter is there: a counter that is made anew begins at the exact
   * time).
   *
   * @param atLeast zero for no bound
   * @param grain microseconds; one for no rounding
   * @return the answer; fails with a {@link io.holdfast.lock.LockException}
   */
  public CompletableFuture<Answer> acquire(long atLeast, long grain) {
    return next(() -> route.send(node -> sendAcquire(node, atLeast, grain)));
  }

  /**
   * As {@link #release}, but tells nobody that waits: for a claim that has not held the lock as a
   * whole.
   *
   * @return as {@link #release}
   */
  public CompletableFuture<Boolean> withdraw() {
    return end("quiet");
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
    return end("tell");
  }

  private CompletableFuture<Boolean> end(String whom) {
    lock.lock();
    try {
      if (last.isDone() && !mayBeHere) {
        return CompletableFuture.completedFuture(false);
      }
    } finally {
      lock.unlock();
    }
    return next(() -> route.send(node -> sendRelease(node, whom)));
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

  String key() {
    return key;
  }

  String ownerId() {
    return request.ownerId();
  }

  private CompletableFuture<Answer> sendAcquire(RedisNode node, long atLeast, long grain) {
    String doing = "Acquiring lock '" + request.lockName() + "'";
    Line line;
    try {
      line = node.line(doing);
    } catch (LockUnavailableException e) {
      return CompletableFuture.failedFuture(e);
    }
    long sentAt = time.nanos();
    return Script.ACQUIRE
        .<List<Object>>call(
            line.commands,
            new String[] {key, counter},
            request.ownerId(),
            String.valueOf(request.ttl().toMillis()),
            String.valueOf(atLeast),
            String.valueOf(grain))
        .thenApply(this::toAnswer)
        .exceptionallyCompose(
            failure -> {
              failed(line, sentAt, failure);
              return node.failed(doing + " (key '" + key + "')", line, failure);
            })
        .thenCompose(
            answer ->
                answer instanceof Taken
                    ? node.replicated(doing, line).thenApply(done -> answer)
                    : CompletableFuture.completedFuture(answer));
  }

  private Answer toAnswer(List<Object> answer) {
    boolean taken = (Long) answer.get(0) == 1;
    lock.lock();
    try {
      mayBeHere = taken || !unanswered.isEmpty();
    } finally {
      lock.unlock();
    }
    if (taken) {
      return new Taken((Long) answer.get(1));
    }
    long left = (Long) answer.get(1);
    return new Refused(
        (String) answer.get(2), left < 0 ? Optional.empty() : Optional.of(Duration.ofMillis(left)));
  }

  private void failed(Line line, long sentAt, Throwable failure) {
    if (RedisFailures.isAnswer(failure)) {
      // The script takes the lock in its last step, so one that has failed has not taken it.
      return;
    }
    lock.lock();
    try {
      mayBeHere = true;
      unanswered.add(new Unanswered(line, sentAt));
    } finally {
      lock.unlock();
    }
  }

  private CompletableFuture<Boolean> sendRelease(RedisNode node, String whom) {
    lock.lock();
    try {
      if (!mayBeHere) {
        return CompletableFuture.completedFuture(false);
      }
    } finally {
      lock.unlock();
    }
    String doing = "Releasing lock '" + request.lockName() + "'";
    Line line;
    try {
      line = node.line(doing);
    } catch (LockUnavailableException e) {
      return CompletableFuture.failedFuture(e);
    }
    return Script.RELEASE
        .<Long>call(line.commands, new String[] {key}, request.ownerId(), whom)
        .thenApply(count -> settled(doing, count == 1))
        .exceptionallyCompose(failure -> node.failed(doing, line, failure));
  }

  private boolean settled(String doing, boolean ours) {
    lock.lock();
    try {
      freed |= ours;
      long now = time.nanos();
      long ttl = request.ttl().toNanos();
      unanswered.removeIf(sent -> sent.line().dead || now - sent.sentAt() > ttl);
      if (!unanswered.isEmpty()) {
        throw new LockUnavailableException(
            doing
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
