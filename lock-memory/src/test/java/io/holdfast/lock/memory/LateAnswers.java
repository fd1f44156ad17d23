/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.memory;

import io.holdfast.lock.LockRejectedException;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.ClaimSignals;
import io.holdfast.lock.spi.ReleaseAnswer;
import io.holdfast.lock.spi.RenewalAnswer;
import io.holdfast.lock.spi.RenewalRequest;
import java.util.Deque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Carries out renewals and releases at once, and answers them when a test says so, in any order.
 * From any thread.
 */
final class LateAnswers extends ForwardingBackend {

  /** In the order in which they were made. */
  final List<LateClaim> claims = new CopyOnWriteArrayList<>();

  private final ManualTime time;
  private final Deque<Renewal> renewals = new ConcurrentLinkedDeque<>();
  private final Queue<Runnable> releases = new ConcurrentLinkedQueue<>();

  LateAnswers(MemoryServer server, ManualTime time) {
    super(server);
    this.time = time;
  }

  void answerFirstRenewal() {
    answer(renewals.pollFirst());
  }

  void answerLastRenewal() {
    answer(renewals.pollLast());
  }

  private static void answer(@Nullable Renewal renewal) {
    if (renewal != null) {
      renewal.answer();
    }
  }

  void failFirstRenewal() {
    Renewal renewal = renewals.pollFirst();
    if (renewal != null) {
      renewal.refuse();
    }
  }

  void answerRelease() {
    Runnable release = releases.poll();
    if (release != null) {
      release.run();
    }
  }

  void answerAll() {
    while (!renewals.isEmpty() || !releases.isEmpty()) {
      answerFirstRenewal();
      answerRelease();
    }
  }

  @Override
  public RenewableClaim claim(ClaimRequest request, ClaimSignals signals) {
    LateClaim claim = new LateClaim(request, super.claim(request, signals));
    claims.add(claim);
    return claim;
  }

  @Override
  public CompletionStage<List<RenewalAnswer>> renew(List<RenewalRequest<RenewableClaim>> requests) {
    List<RenewalRequest<RenewableClaim>> asked = List.copyOf(requests);
    Renewal renewal =
        new Renewal(asked, time.nanos(), super.renew(asked).toCompletableFuture().join());
    renewals.add(renewal);
    return renewal.answer;
  }

  /** A request that has been carried out. */
  private static final class Renewal {

    final CompletableFuture<List<RenewalAnswer>> answer = new CompletableFuture<>();
    private final List<RenewalRequest<RenewableClaim>> asked;
    private final long sentAt;
    private final List<RenewalAnswer> found;

    Renewal(List<RenewalRequest<RenewableClaim>> asked, long sentAt, List<RenewalAnswer> found) {
      this.asked = asked;
      this.sentAt = sentAt;
      this.found = found;
    }

    void answer() {
      for (int i = 0; i < found.size(); i++) {
        if (found.get(i) instanceof RenewalAnswer.Extended extended) {
          long until = sentAt + extended.leaseTime().toNanos();
          ((LateClaim) asked.get(i).claim()).promisedUntil.accumulateAndGet(until, Math::max);
        }
      }
      answer.complete(found);
    }

    /** Not as an outage, of which each would be logged. */
    void refuse() {
      answer.completeExceptionally(new LockRejectedException("Not permitted"));
    }
  }

  /** One that knows what its client was told. */
  final class LateClaim extends Claim {

    /** Until when it may last, as the answers say; each counts from when it was asked for. */
    final AtomicLong promisedUntil = new AtomicLong();

    private final ClaimRequest request;

    private LateClaim(ClaimRequest request, RenewableClaim inner) {
      super(inner);
      this.request = request;
    }

    @Override
    public CompletionStage<Attempt> attempt() {
      promisedUntil.set(time.nanos() + request.ttl().toNanos());
      return super.attempt();
    }

    @Override
    public CompletionStage<ReleaseAnswer> release() {
      ReleaseAnswer found = super.release().toCompletableFuture().join();
      CompletableFuture<ReleaseAnswer> answer = new CompletableFuture<>();
      releases.add(() -> answer.complete(found));
      return answer;
    }
  }
}
