/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.engine;

import io.holdfast.lock.LockException;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.TimeSource;
import io.holdfast.lock.spi.LockBackend;
import io.holdfast.lock.spi.LockClaim;
import io.holdfast.lock.spi.RenewalAnswer;
import io.holdfast.lock.spi.RenewalRequest;
import io.holdfast.lock.spi.support.Failures;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches over every tenure of a client with one timer: renews those that are due, many in one
 * request, and finds those whose validity has ended. A tenure whose renewal is under way is due
 * again when an answer would have to be there, whatever the time-outs of the backend are; so one
 * request that stays without an answer neither loses a tenure nor delays a loss.
 */
final class Renewals {

  private static final Logger LOG = LoggerFactory.getLogger(Renewals.class);

  /** A timer stands still while the host is suspended; a loss is told soon after all the same. */
  private static final long LONGEST_WAIT_NANOS = Duration.ofSeconds(1).toNanos();

  private static final int MOST_IN_ONE_REQUEST = 500;
  private static final Comparator<Tenure> BY_DUE =
      (a, b) -> {
        long order = a.dueAt - b.dueAt;
        return order != 0 ? Long.signum(order) : Long.compare(a.number, b.number);
      };

  private final LockBackend<LockClaim> backend;
  private final TimeSource time;
  private final ReentrantLock lock = new ReentrantLock();
  private final TreeSet<Tenure> tenures = new TreeSet<>(BY_DUE);
  private TimeSource.@Nullable Timer armed;
  private long armedFor;

  Renewals(LockBackend<LockClaim> backend, TimeSource time) {
    this.backend = backend;
    this.time = time;
  }

  void add(Tenure tenure) {
    lock.lock();
    try {
      tenures.add(tenure);
      arm();
    } finally {
      lock.unlock();
    }
  }

  void remove(Tenure tenure) {
    lock.lock();
    try {
      tenures.remove(tenure);
    } finally {
      lock.unlock();
    }
  }

  /** Everything that is held now. */
  List<Tenure> held() {
    lock.lock();
    try {
      return List.copyOf(tenures);
    } finally {
      lock.unlock();
    }
  }

  /** Sets when a tenure is looked at next; nothing happens to one that has ended. */
  void reschedule(Tenure tenure, long dueAt, long headroom) {
    lock.lock();
    try {
      if (tenures.remove(tenure)) {
        tenure.dueAt = dueAt;
        tenure.headroom = headroom;
        tenures.add(tenure);
        arm();
      }
    } finally {
      lock.unlock();
    }
  }

  /** One request for one tenure, now, for a TTL of the caller's choice. Never shortens. */
  CompletableFuture<RenewalAnswer> renewNow(Tenure tenure, Duration ttl) {
    long sentAt = time.nanos();
    return ask(List.of(request(tenure, ttl, sentAt)))
        .handle((answers, failure) -> answer(answers, failure, 0, 1))
        .thenCompose(
            answer -> tenure.validity.renewed(sentAt, sentAt + Validity.nanos(ttl), answer))
        .toCompletableFuture();
  }

  private void arm() {
    if (tenures.isEmpty()) {
      return;
    }
    long dueAt = tenures.first().dueAt;
    if (armed != null) {
      if (armedFor - dueAt <= 0) {
        return;
      }
      armed.cancel();
    }
    armedFor = dueAt;
    long wait = Math.min(Math.max(0, dueAt - time.nanos()), LONGEST_WAIT_NANOS);
    armed = time.schedule(Duration.ofNanos(wait), this::tick);
  }

  private void tick() {
    List<Tenure> due = new ArrayList<>();
    lock.lock();
    try {
      armed = null;
      long now = time.nanos();
      if (armedFor - now > 0) {
        arm();
        return;
      }
      while (!tenures.isEmpty() && tenures.first().dueAt - tenures.first().headroom - now <= 0) {
        due.add(tenures.pollFirst());
      }
      for (Tenure tenure : due) {
        tenure.dueAt = tenure.validity.answerTimeoutAt(now);
        tenure.headroom = 0;
        tenures.add(tenure);
      }
      arm();
    } finally {
      lock.unlock();
    }
    // The look makes those lost whose validity is over.
    due.removeIf(tenure -> !tenure.isValid() || !tenure.terms.renewing() || releasesLeak(tenure));
    Map<Object, List<Tenure>> byPlace = new HashMap<>();
    for (Tenure tenure : due) {
      byPlace
          .computeIfAbsent(backend.placeOf(tenure.claim), first -> new ArrayList<>())
          .add(tenure);
    }
    for (List<Tenure> together : byPlace.values()) {
      for (int from = 0; from < together.size(); from += MOST_IN_ONE_REQUEST) {
        renew(together.subList(from, Math.min(together.size(), from + MOST_IN_ONE_REQUEST)));
      }
    }
  }

  /** A lease that nobody can release would be renewed for as long as the client lives. */
  private static boolean releasesLeak(Tenure tenure) {
    boolean leaked = false;
    for (LeaseLife lease : tenure.leases.all()) {
      CallSite asked = lease.origin();
      if (asked != null && !asked.thread().isAlive()) {
        lease.client.threadLocks.forget(asked.thread());
      }
      if (lease.isLeaked()) {
        leaked = true;
        release(lease);
      }
    }
    return leaked && tenure.leases.all().stream().noneMatch(LeaseLife::isHeld);
  }

  private static void release(LeaseLife lease) {
    LOG.warn(
        "{} was not released, and nothing refers to it any more: it is released now. It was"
            + " acquired at {}",
        lease,
        Objects.requireNonNullElse(
            lease.origin(), "an unknown place (only the blocking forms record it)"));
    lease.discard();
  }

  private void renew(List<Tenure> batch) {
    List<RenewalRequest<LockClaim>> requests = new ArrayList<>(batch.size());
    long sentAt = time.nanos();
    for (Tenure tenure : batch) {
      tenure.health.asked(sentAt);
      requests.add(request(tenure, tenure.terms.ttl(), sentAt));
    }
    ask(requests)
        .whenComplete(
            (answers, failure) -> {
              for (int i = 0; i < batch.size(); i++) {
                RenewalAnswer answer = answer(answers, failure, i, batch.size());
                batch.get(i).validity.renewed(sentAt, sentAt, answer);
              }
            });
  }

  private static RenewalRequest<LockClaim> request(Tenure tenure, Duration ttl, long now) {
    return new RenewalRequest<>(
        tenure.claim,
        tenure.terms.withLockDelay(ttl),
        Duration.ofNanos(RenewalTerms.answerTimeout(now, tenure.validity.until())));
  }

  private CompletionStage<List<RenewalAnswer>> ask(List<RenewalRequest<LockClaim>> requests) {
    try {
      return backend.renew(requests);
    } catch (RuntimeException | Error e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  /** The answer to one request that is not a renewal, but is answered like one. */
  static CompletableFuture<RenewalAnswer> answerOf(CompletionStage<RenewalAnswer> sent) {
    return sent.handle(
            (answer, failure) -> answer(answer == null ? null : List.of(answer), failure, 0, 1))
        .toCompletableFuture();
  }

  private static RenewalAnswer answer(
      @Nullable List<RenewalAnswer> answers, @Nullable Throwable failure, int index, int expected) {
    if (answers != null && answers.size() == expected) {
      return answers.get(index);
    }
    Throwable cause = failure == null ? null : Failures.cause(failure);
    return new RenewalAnswer.Unknown(
        cause instanceof LockException known
            ? known
            : new LockUnavailableException("A renewal failed", cause));
  }
}
