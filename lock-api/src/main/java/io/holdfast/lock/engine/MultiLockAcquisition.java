/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.engine;

import io.holdfast.lock.LockException;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.Share;
import io.holdfast.lock.spi.support.Batcher;
import io.holdfast.lock.spi.support.Failures;
import io.holdfast.lock.text.VisibleText;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Asks for several locks. It waits for a lock only while all that it holds have smaller names;
 * every caller does, so no circle of waiters can form. A lock that is lost while others are waited
 * for is asked for again: without waiting while greater names are held, and if it is not free,
 * those are given back first.
 *
 * <p>Where the server decides them in one step ({@link
 * io.holdfast.lock.spi.LockBackend#decidesTogether()}), all that are missing are asked for at once
 * (64 of them, and then the next), without waiting. If one is not free, those with greater names
 * are given back, that one alone is waited for, and then the rest is asked for at once again.
 * Elsewhere they are asked for one after another in the order of their names.
 *
 * <p>Each lock is an {@link Acquisition} of its own, and is kept and renewed as any other while the
 * rest is waited for. However this ends without a lease of all, what it holds is given back.
 */
final class MultiLockAcquisition implements LeaseRequest<MultiLockLife> {

  /** More would keep a server, and all others of this client, busy for long. */
  private static final int MOST_TOGETHER = 64;

  private final EngineClient client;
  private final List<String> names;
  private final LockOptions options;
  private final RenewalTerms terms;
  private final Wait wait;
  private final long askedAt;
  private final Strand strand = new Strand();
  private final CompletableFuture<Optional<MultiLockLife>> result = new CompletableFuture<>();

  /** In the order of names, which is that in which locks are taken. */
  private final TreeMap<String, LeaseLife> held = new TreeMap<>();

  /** The latest, of one name or of all that were missing. */
  private List<Acquisition> asked = List.of();

  private int lostMeanwhile;
  private boolean ended;

  /**
   * For several names.
   *
   * @param names in their natural order, each once
   */
  MultiLockAcquisition(
      EngineClient client, List<String> names, LockOptions options, RenewalTerms terms, Wait wait) {
    this.client = client;
    this.names = names;
    this.options = options;
    this.terms = terms;
    this.wait = wait;
    this.askedAt = client.time.nanos();
  }

  @Override
  public CompletableFuture<Optional<MultiLockLife>> result() {
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
            result.thenAccept(granted -> granted.ifPresent(MultiLockLife::withdraw));
          } else {
            asked.forEach(Acquisition::abandon);
            end(null);
          }
        });
  }

  /** On the strand: asks for what is missing, if there is anything. */
  private void next() {
    for (String name : names) {
      LeaseLife life = held.get(name);
      if (life == null) {
        askFrom(name);
        return;
      }
      if (!life.isValid()) {
        held.remove(name);
        askAgain(name);
        return;
      }
    }
    ended = true;
    result.complete(Optional.of(MultiLockLife.begin(List.copyOf(held.values()))));
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

  /** Asks for the first that is missing, or for as many at once as may be. */
  private void askFrom(String first) {
    if (mayAskTogether()) {
      List<String> missing =
          names.stream().filter(name -> !held.containsKey(name)).limit(MOST_TOGETHER).toList();
      if (missing.size() > 1) {
        askTogether(missing);
        return;
      }
    }
    ask(first);
  }

  /** Where attempts are counted, each of a lock is one that waits for its turn. */
  private boolean mayAskTogether() {
    return client.backend.decidesTogether()
        && (!wait.waits() || options.retry().maxAttempts().isEmpty());
  }

  private void askTogether(List<String> missing) {
    Optional<Duration> left = left();
    if (isOver(left)) {
      end(null);
      return;
    }
    List<Acquisition> together = new ArrayList<>(missing.size());
    asked = together;
    try {
      Batcher.together(() -> askUntilRefused(missing, left, together));
    } catch (LockException e) {
      together.forEach(Acquisition::abandon);
      end(e);
      return;
    }
    CompletableFuture.allOf(
            together.stream().map(Acquisition::result).toArray(CompletableFuture[]::new))
        .whenComplete((all, failure) -> strand.execute(() -> answered(missing, together)));
  }

  /** A lock that is busy in this client is known at once; then no others are taken for nothing. */
  private void askUntilRefused(
      List<String> missing, Optional<Duration> left, List<Acquisition> together) {
    for (String name : missing) {
      Acquisition one = acquire(name, false, left);
      together.add(one);
      if (isRefused(one)) {
        return;
      }
    }
  }

  private static boolean isRefused(Acquisition asked) {
    CompletableFuture<Optional<LeaseLife>> result = asked.result();
    return result.isDone() && (result.isCompletedExceptionally() || result.join().isEmpty());
  }

  /** On the strand, when each has its answer. */
  private void answered(List<String> missing, List<Acquisition> together) {
    if (ended) {
      return;
    }
    String firstRefused = null;
    Throwable why = null;
    for (int i = 0; i < together.size(); i++) {
      CompletableFuture<Optional<LeaseLife>> result = together.get(i).result();
      Throwable failure = result.handle((granted, failed) -> failed).join();
      Optional<LeaseLife> granted = failure == null ? result.join() : Optional.empty();
      String name = missing.get(i);
      granted.ifPresent(life -> held.put(name, life));
      if (granted.isEmpty() && (firstRefused == null || !mayBeAskedAgain(failure))) {
        firstRefused = firstRefused == null ? name : firstRefused;
        why = failure == null ? null : Failures.cause(failure);
      }
    }
    if (firstRefused == null) {
      next();
    } else if (!wait.waits() || !mayBeAskedAgain(why)) {
      end(why);
    } else {
      giveBackGreaterThan(firstRefused);
      ask(firstRefused);
    }
  }

  private static boolean mayBeAskedAgain(@Nullable Throwable failure) {
    return failure == null || Failures.cause(failure) instanceof LockUnavailableException;
  }

  private void ask(String name) {
    Optional<Duration> left = left();
    if (isOver(left)) {
      end(null);
      return;
    }
    boolean inOrder = held.tailMap(name).isEmpty();
    Acquisition one;
    try {
      one = acquire(name, wait.waits() && inOrder, left);
    } catch (LockException e) {
      end(e);
      return;
    }
    asked = List.of(one);
    one.result()
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

  private Acquisition acquire(String name, boolean waits, Optional<Duration> left) {
    return client.acquire(name, Share.LOCK, options, terms, new Wait(waits, left));
  }

  private Optional<Duration> left() {
    return wait.limit().map(limit -> limit.minus(sinceAsked()));
  }

  private static boolean isOver(Optional<Duration> left) {
    return left.isPresent() && left.get().compareTo(Duration.ZERO) <= 0;
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
    if (!inOrder && mayBeAskedAgain(failure)) {
      giveBackGreaterThan(name);
      next();
    } else {
      end(failure);
    }
  }

  /** They are asked for again later. */
  private void giveBackGreaterThan(String name) {
    SortedMap<String, LeaseLife> greater = held.tailMap(name);
    Batcher.together(() -> greater.values().forEach(LeaseLife::withdraw));
    greater.clear();
  }

  /** Ends without a lease: with a failure, or (without one) as somebody else's lock. */
  private void end(@Nullable Throwable failure) {
    ended = true;
    Batcher.together(() -> held.values().forEach(LeaseLife::withdraw));
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
