/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.engine;

import io.holdfast.lock.LockException;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.Share;
import io.holdfast.lock.spi.support.Failures;
import io.holdfast.lock.text.VisibleText;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Asks for several locks, one after another in the order of their names. It waits for a lock only
 * while all that it holds have smaller names; every caller does, so no circle of waiters can form.
 * A lock that is lost while others are waited for is asked for again: without waiting while greater
 * names are held, and if it is not free, those are given back first.
 *
 * <p>Each lock is an {@link Acquisition} of its own, and is kept and renewed as any other while the
 * rest is waited for. However this ends without a lease of all, what it holds is given back.
 */
final class SeveralAcquisition implements Asking<SeveralLife> {

  private final EngineClient client;
  private final List<String> names;
  private final LockOptions options;
  private final RenewalTerms terms;
  private final Wait wait;
  private final long askedAt;
  private final Strand strand = new Strand();
  private final CompletableFuture<Optional<SeveralLife>> result = new CompletableFuture<>();

  /** In the order of names, which is that in which locks are taken. */
  private final TreeMap<String, LeaseLife> held = new TreeMap<>();

  private @Nullable Acquisition asked;
  private int lostMeanwhile;
  private boolean ended;

  /**
   * For several names.
   *
   * @param names in their natural order, each once
   */
  SeveralAcquisition(
      EngineClient client, List<String> names, LockOptions options, RenewalTerms terms, Wait wait) {
    this.client = client;
    this.names = names;
    this.options = options;
    this.terms = terms;
    this.wait = wait;
    this.askedAt = client.time.nanos();
  }

  @Override
  public CompletableFuture<Optional<SeveralLife>> result() {
    return result;
  }

  void begin() {
    strand.execute(this::next);
  }

  @Override
  public void abandon() {
    strand.execute(
        () -> {
          if (ended) {
            result.thenAccept(granted -> granted.ifPresent(SeveralLife::withdraw));
          } else {
            if (asked != null) {
              asked.abandon();
            }
            end(null);
          }
        });
  }

  /** On the strand: asks for the first lock that is missing, if there is one. */
  private void next() {
    for (String name : names) {
      LeaseLife life = held.get(name);
      if (life == null) {
        ask(name);
        return;
      }
      if (!life.isValid()) {
        held.remove(name);
        askAgain(name);
        return;
      }
    }
    ended = true;
    result.complete(Optional.of(SeveralLife.begin(List.copyOf(held.values()))));
  }

  /** It was lost while others were asked for. */
  private void askAgain(String name) {
    lostMeanwhile++;
    if (!wait.waits()) {
      end(
          new LockUnavailableException(
              "Lock '%s' was lost before the others were granted: their answers came too late"
                  .formatted(VisibleText.of(name))));
    } else if (lostMeanwhile >= options.retry().maxAttempts().orElse(Integer.MAX_VALUE)) {
      end(null);
    } else {
      ask(name);
    }
  }

  private void ask(String name) {
    Optional<Duration> left = wait.limit().map(limit -> limit.minus(sinceAsked()));
    if (left.isPresent() && left.get().compareTo(Duration.ZERO) <= 0) {
      end(null);
      return;
    }
    boolean inOrder = held.tailMap(name).isEmpty();
    try {
      asked =
          client.acquire(name, Share.LOCK, options, terms, new Wait(wait.waits() && inOrder, left));
    } catch (LockException e) {
      end(e);
      return;
    }
    asked
        .result()
        .whenComplete(
            (granted, failure) ->
                strand.execute(
                    () -> {
                      if (failure != null) {
                        refused(name, inOrder, Failures.cause(failure));
                      } else {
                        granted.ifPresentOrElse(
                            life -> granted(name, life), () -> refused(name, inOrder, null));
                      }
                    }));
  }

  /** On the strand. After its end, an abandoned acquisition gives back what it is granted. */
  private void granted(String name, LeaseLife life) {
    if (!ended) {
      held.put(name, life);
      next();
    }
  }

  private void refused(String name, boolean inOrder, @Nullable Throwable failure) {
    if (ended) {
      return;
    }
    if (!inOrder && (failure == null || failure instanceof LockUnavailableException)) {
      SortedMap<String, LeaseLife> greater = held.tailMap(name);
      greater.values().forEach(LeaseLife::withdraw);
      greater.clear();
      next();
    } else {
      end(failure);
    }
  }

  /** Ends without a lease: with a failure, or (without one) as somebody else's lock. */
  private void end(@Nullable Throwable failure) {
    ended = true;
    held.values().forEach(LeaseLife::withdraw);
    held.clear();
    if (failure == null) {
      result.complete(Optional.empty());
    } else {
      result.completeExceptionally(failure);
    }
  }

  private Duration sinceAsked() {
    return Duration.ofNanos(client.time.nanos() - askedAt);
  }
}
