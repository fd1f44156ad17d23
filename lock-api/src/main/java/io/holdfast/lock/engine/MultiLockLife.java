/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.engine;

import io.holdfast.lock.LockLostException;
import io.holdfast.lock.Loss;
import io.holdfast.lock.ReleaseOutcome;
import io.holdfast.lock.spi.support.Batcher;
import io.holdfast.lock.text.VisibleText;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The life of a lease of several locks: as valid as all of its parts together. The first part that
 * is lost ends it, and the others are given back, as after a loss of their own. Users hold a view
 * of it ({@link HeldMultiLock}).
 */
final class MultiLockLife extends Grant {

  private final List<LeaseLife> parts;

  private MultiLockLife(List<LeaseLife> parts) {
    super(parts.get(0).client);
    this.parts = parts;
  }

  /** Of parts that are held; if one is lost already, so is the whole. */
  static MultiLockLife begin(List<LeaseLife> parts) {
    MultiLockLife whole = new MultiLockLife(parts);
    parts.forEach(part -> part.loss.thenAccept(told -> whole.lost(part, told)));
    return whole;
  }

  /** A part is lost; a release may have found that. */
  private void lost(LeaseLife first, Loss told) {
    if (state.getAndSet(State.LOST) != State.LOST) {
      Batcher.together(
          () -> parts.stream().filter(part -> part != first).forEach(LeaseLife::loseWithOthers));
      loss.complete(told);
    }
  }

  @Override
  HeldMultiLock given(@Nullable CallSite origin) {
    return new HeldMultiLock(this, parts.stream().map(part -> part.given(origin)).toList());
  }

  @Override
  boolean isValid() {
    return state.get() == State.HELD
        && parts.stream().allMatch(LeaseLife::isValid)
        && state.get() == State.HELD;
  }

  @Override
  Duration remaining() {
    Duration least =
        parts.stream().map(LeaseLife::remaining).min(Duration::compareTo).orElse(Duration.ZERO);
    return isValid() ? least : Duration.ZERO;
  }

  @Override
  CompletableFuture<ReleaseOutcome> release() {
    return end(LeaseLife::release);
  }

  @Override
  CompletableFuture<ReleaseOutcome> discard() {
    return end(LeaseLife::discard);
  }

  @Override
  void withdraw() {
    if (state.compareAndSet(State.HELD, State.RELEASED)) {
      Batcher.together(() -> parts.forEach(LeaseLife::withdraw));
    }
  }

  private CompletableFuture<ReleaseOutcome> end(
      Function<LeaseLife, CompletableFuture<ReleaseOutcome>> way) {
    if (isValid() && state.compareAndSet(State.HELD, State.RELEASED)) {
      List<CompletableFuture<ReleaseOutcome>> ends = new ArrayList<>(parts.size());
      Batcher.together(() -> parts.forEach(part -> ends.add(way.apply(part))));
      CompletableFuture<ReleaseOutcome> all =
          CompletableFuture.completedFuture(ReleaseOutcome.RELEASED);
      for (CompletableFuture<ReleaseOutcome> part : ends) {
        all = all.thenCombine(part, MultiLockLife::worse);
      }
      return all;
    }
    return CompletableFuture.completedFuture(
        state.get() == State.RELEASED
            ? ReleaseOutcome.ALREADY_RELEASED
            : ReleaseOutcome.ALREADY_LOST);
  }

  private static ReleaseOutcome worse(ReleaseOutcome one, ReleaseOutcome other) {
    if (one == ReleaseOutcome.ALREADY_LOST || other == ReleaseOutcome.ALREADY_LOST) {
      return ReleaseOutcome.ALREADY_LOST;
    }
    return one == ReleaseOutcome.UNKNOWN ? one : other;
  }

  @Override
  CompletableFuture<Void> extend(Duration ttl) {
    return all(part -> part.extend(ttl));
  }

  @Override
  CompletableFuture<Void> expireIn(Duration left) {
    return all(part -> part.expireIn(left));
  }

  private CompletableFuture<Void> all(Function<LeaseLife, CompletableFuture<Void>> step) {
    return isValid()
        ? CompletableFuture.allOf(parts.stream().map(step).toArray(CompletableFuture[]::new))
        : CompletableFuture.failedFuture(lost());
  }

  @Override
  LockLostException lost() {
    if (state.get() == State.RELEASED) {
      return new LockLostException("%s is not valid: it was released".formatted(this));
    }
    Loss told = loss.getNow(null);
    return new LockLostException(
        "%s is not valid: %s; stop the work that it protected"
            .formatted(
                this,
                told == null
                    ? "one of its locks was lost"
                    : "lock '%s' was lost (%s)"
                        .formatted(VisibleText.of(told.lockName()), told.reason())));
  }

  @Override
  public String toString() {
    return "Lease" + parts;
  }
}
