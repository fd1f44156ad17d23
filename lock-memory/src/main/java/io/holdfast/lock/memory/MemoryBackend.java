/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.memory;

import io.holdfast.lock.Capabilities;
import io.holdfast.lock.LockRejectedException;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.LossReason;
import io.holdfast.lock.Share;
import io.holdfast.lock.TimeSource;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.ClaimSignals;
import io.holdfast.lock.spi.LockBackend;
import io.holdfast.lock.spi.LockInspection;
import io.holdfast.lock.spi.RenewalAnswer;
import io.holdfast.lock.spi.RenewalRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * One line to a {@link MemoryServer}. Requests arrive in the order in which they were sent, also
 * when they are late; so a release goes behind the attempt that it undoes.
 */
final class MemoryBackend implements LockBackend<RenewableClaim> {

  final MemoryServer server;
  final TimeSource time;
  private final Duration operationTimeout;

  /** The clock is the server's, which other lines may still use. */
  private final Runnable atClose;

  private final ReentrantLock line = new ReentrantLock();
  private final Queue<Runnable> late = new ConcurrentLinkedQueue<>();
  private long lastArrival;

  MemoryBackend(MemoryServer server, TimeSource time, Duration operationTimeout, Runnable atClose) {
    this.server = server;
    this.time = time;
    this.operationTimeout = operationTimeout;
    this.atClose = atClose;
    this.lastArrival = time.nanos();
  }

  @Override
  public Capabilities capabilities() {
    return MemoryLockProvider.CAPABILITIES;
  }

  @Override
  public Duration operationTimeout() {
    return operationTimeout;
  }

  @Override
  public RenewableClaim claim(ClaimRequest request, ClaimSignals signals) {
    if (!request.share().equals(Share.LOCK)) {
      return new SharedClaim(this, request, signals);
    }
    return new MemoryClaim(this, request, signals);
  }

  @Override
  public CompletionStage<List<RenewalAnswer>> renew(List<RenewalRequest<RenewableClaim>> requests) {
    return send(
        () -> {
          List<RenewalAnswer> answers = new ArrayList<>(requests.size());
          for (RenewalRequest<RenewableClaim> request : requests) {
            boolean ours = request.claim().renew(request.ttl());
            answers.add(
                ours
                    ? new RenewalAnswer.Extended(request.ttl())
                    : new RenewalAnswer.Lost(LossReason.REVOKED));
          }
          return answers;
        });
  }

  @Override
  public Optional<LockInspection> inspection() {
    return Optional.of(new MemoryInspection(this));
  }

  /** Throws if a request would fail before it is sent. */
  void checkReachable() {
    if (server.faults().away()) {
      throw isAway();
    }
  }

  private static LockUnavailableException isAway() {
    return new LockUnavailableException("The server is away");
  }

  /** Carries a request out, with the faults that are in force. */
  <T> CompletableFuture<T> send(Supplier<T> request) {
    MemoryServer.Faults faults = server.faults();
    if (faults.away()) {
      return CompletableFuture.failedFuture(isAway());
    }
    CompletableFuture<T> answer = new CompletableFuture<>();
    Runnable arrival =
        () -> {
          CompletableFuture<T> carriedOut = carryOut(request);
          time.schedule(
              faults.answers(),
              () ->
                  carriedOut.whenComplete(
                      (value, refusal) -> {
                        if (refusal == null) {
                          answer.complete(value);
                        } else {
                          answer.completeExceptionally(refusal);
                        }
                      }));
        };
    Optional<Duration> delay = queue(arrival, faults);
    if (delay.isEmpty()) {
      return carryOut(request);
    }
    TimeSource.Timer deadline =
        time.schedule(
            operationTimeout,
            () -> answer.completeExceptionally(new LockUnavailableException("No answer in time")));
    answer.whenComplete((value, failure) -> deadline.cancel());
    time.schedule(delay.get(), this::arrive);
    return answer;
  }

  private static <T> CompletableFuture<T> carryOut(Supplier<T> request) {
    try {
      return CompletableFuture.completedFuture(request.get());
    } catch (LockRejectedException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  /**
   * Puts a request behind those that are on their way; also behind one that should have arrived by
   * now, as a timer may be late itself.
   *
   * @return how much later than now it arrives; empty if it is to be carried out and answered at
   *     once
   */
  private Optional<Duration> queue(Runnable arrival, MemoryServer.Faults faults) {
    line.lock();
    try {
      if (faults.isNone() && late.isEmpty()) {
        return Optional.empty();
      }
      late.add(arrival);
      long now = time.nanos();
      lastArrival = Math.max(now + faults.requests().toNanos(), lastArrival);
      return Optional.of(Duration.ofNanos(lastArrival - now));
    } finally {
      line.unlock();
    }
  }

  /** Whichever has waited longest, as timers of nearly the same time may go off in any order. */
  private void arrive() {
    try {
      late.element().run();
    } finally {
      // Not before it is done: until then others go behind it.
      late.remove();
    }
  }

  @Override
  public void close() {
    atClose.run();
  }
}
