/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redis;

import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.ClaimSignals;
import io.holdfast.lock.spi.LockClaim;
import io.holdfast.lock.spi.ReleaseAnswer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * One contender: one key with its owner id, taken and freed by script.
 *
 * <p><b>Unknown outcomes.</b> Release waits for the answer to an attempt that is under way, at most
 * for the command time-out. If there is none, the attempt's line is given up, and the release goes
 * out on the next one, when the server has killed the old one ({@link CommandLink}): then what it
 * finds is final. If the server does not let us kill, release deletes what it finds, but is not
 * done before the TTL has passed since the attempt; the engine calls again until then.
 */
final class RedisClaim implements LockClaim {

  private record Unanswered(Line line, long sentAt) {}

  final String key;
  final ClaimRequest request;

  private final RedisBackend backend;
  private final ClaimSignals signals;
  private final ReentrantLock lock = new ReentrantLock();
  private final List<Unanswered> unanswered = new ArrayList<>();
  private @Nullable CompletableFuture<Attempt> underWay;
  private boolean released;
  private boolean freed;
  private volatile boolean refused;
  private volatile boolean listening;

  RedisClaim(RedisBackend backend, ClaimRequest request, ClaimSignals signals) {
    this.backend = backend;
    this.request = request;
    this.signals = signals;
    this.key = backend.key(request.lockName());
  }

  @Override
  public CompletionStage<Attempt> attempt() {
    String doing = "Acquiring lock '" + request.lockName() + "'";
    Line line;
    try {
      line = backend.link().line(doing);
    } catch (LockUnavailableException e) {
      return CompletableFuture.failedFuture(e);
    }
    long sentAt = backend.time().nanos();
    lock.lock();
    try {
      if (released) {
        return CompletableFuture.completedFuture(new Attempt.Contended(Optional.empty()));
      }
      refused = false;
      CompletableFuture<Attempt> answer =
          Script.ACQUIRE
              .<List<Long>>call(
                  line.commands,
                  new String[] {key, backend.tokenKey()},
                  request.ownerId(),
                  String.valueOf(request.ttl().toMillis()))
              .thenApply(this::toAttempt)
              .exceptionallyCompose(failure -> failed(doing, line, sentAt, failure));
      underWay = answer;
      return answer;
    } finally {
      lock.unlock();
    }
  }

  private Attempt toAttempt(List<Long> answer) {
    if (answer.get(0) == 1) {
      stopListening();
      return new Attempt.Granted(answer.get(1), request.ttl());
    }
    if (!listening) {
      listening = true;
      backend.wakeups().add(key, signals);
    }
    refused = true;
    long left = answer.get(1);
    return new Attempt.Contended(
        left < 0 ? Optional.empty() : Optional.of(Duration.ofMillis(left)));
  }

  private CompletableFuture<Attempt> failed(
      String doing, Line line, long sentAt, Throwable failure) {
    if (!RedisFailures.isAnswer(failure)) {
      lock.lock();
      try {
        unanswered.add(new Unanswered(line, sentAt));
      } finally {
        lock.unlock();
      }
    }
    return backend.failed(doing + " (key '" + key + "')", line, failure);
  }

  @Override
  public CompletionStage<ReleaseAnswer> release() {
    CompletableFuture<Attempt> before;
    lock.lock();
    try {
      released = true;
      before = underWay;
    } finally {
      lock.unlock();
    }
    if (before == null || wasRefused()) {
      stopListening();
      return CompletableFuture.completedFuture(ReleaseAnswer.NOT_OURS);
    }
    return before.isDone()
        ? sendRelease()
        : before.handle((answer, failure) -> sendRelease()).thenCompose(stage -> stage);
  }

  /**
   * Whether the last word of the server was a refusal, and no earlier request can have been
   * granted.
   */
  private boolean wasRefused() {
    lock.lock();
    try {
      return refused && unanswered.isEmpty();
    } finally {
      lock.unlock();
    }
  }

  private CompletableFuture<ReleaseAnswer> sendRelease() {
    stopListening();
    String doing = "Releasing lock '" + request.lockName() + "'";
    Line line;
    try {
      line = backend.link().line(doing);
    } catch (LockUnavailableException e) {
      return CompletableFuture.failedFuture(e);
    }
    return Script.RELEASE
        .<Long>call(line.commands, new String[] {key}, request.ownerId())
        .thenApply(count -> settled(doing, count == 1))
        .exceptionallyCompose(failure -> backend.failed(doing, line, failure));
  }

  private ReleaseAnswer settled(String doing, boolean ours) {
    lock.lock();
    try {
      freed |= ours;
      long now = backend.time().nanos();
      long ttl = request.ttl().toNanos();
      unanswered.removeIf(sent -> sent.line().dead || now - sent.sentAt() > ttl);
      if (!unanswered.isEmpty()) {
        throw new LockUnavailableException(
            doing
                + " is not final yet: an earlier request may still be on its way, and this Redis "
                + "user may not use CLIENT ID and CLIENT KILL, which would stop it");
      }
      return freed ? ReleaseAnswer.FREED : ReleaseAnswer.NOT_OURS;
    } finally {
      lock.unlock();
    }
  }

  private void stopListening() {
    if (listening) {
      listening = false;
      backend.wakeups().remove(key, signals);
    }
  }
}
