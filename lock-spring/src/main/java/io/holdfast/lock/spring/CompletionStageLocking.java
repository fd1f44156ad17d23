/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.spring;

import io.holdfast.lock.DistributedLock;
import io.holdfast.lock.Lease;
import io.holdfast.lock.ReleaseOutcome;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * One call of a method that returns a {@code CompletionStage}. The method is called on the callback
 * executor of the client, so that no thread waits for the lock; or on a thread of its own, if the
 * lock is granted at once. It is never called on the thread of its caller, whose transaction would
 * commit after the lock was given back.
 */
final class CompletionStageLocking {

  private final LockedBody body;
  private final LockObserver.Work observed;
  private final Thread caller = Thread.currentThread();
  private final CompletableFuture<@Nullable Object> result = new CompletableFuture<>();
  private final AtomicReference<@Nullable CompletableFuture<?>> work = new AtomicReference<>();

  private CompletionStageLocking(LockedBody body, LockObserver.Work observed) {
    this.body = body;
    this.observed = observed;
  }

  static CompletableFuture<@Nullable Object> call(
      LockedMethod locked, DistributedLock lock, LockedBody body, LockObserver.Work observed) {
    CompletionStageLocking call = new CompletionStageLocking(body, observed);
    AsyncAcquisition asked = AsyncAcquisition.lock(locked, lock, observed);
    call.result.whenComplete((value, failure) -> call.ended(asked));
    asked.future().whenComplete((value, failure) -> call.answered(value, failure));
    return call.result;
  }

  /** Ends the wait for the lock, if that was not granted yet. Only a cancellation ends the work. */
  private void ended(AsyncAcquisition asked) {
    asked.future().cancel(true);
    CompletableFuture<?> running = work.get();
    if (result.isCancelled() && running != null) {
      running.cancel(true);
    }
  }

  private void answered(@Nullable Object value, @Nullable Throwable failure) {
    if (failure != null) {
      fail(plain(failure));
      return;
    }
    Optional<Lease> lease = AsyncAcquisition.lease(value);
    if (lease.isEmpty()) {
      succeed(null);
    } else if (Thread.currentThread().equals(caller)) {
      apart(lease.get());
    } else {
      work(lease.get());
    }
  }

  /** Without a thread for it the method is not called. */
  private void apart(Lease lease) {
    try {
      AsyncAcquisition.apart(() -> work(lease));
    } catch (RuntimeException | OutOfMemoryError e) {
      lease.releaseAsync().thenRun(() -> fail(e));
    }
  }

  private void work(Lease lease) {
    if (result.isDone()) {
      lease.releaseAsync().thenRun(observed::end);
      return;
    }
    CompletableFuture<?> running;
    try {
      CompletionStage<?> stage = (CompletionStage<?>) begin(lease);
      running =
          stage == null ? CompletableFuture.completedFuture(null) : stage.toCompletableFuture();
    } catch (Throwable thrown) {
      running = CompletableFuture.failedFuture(thrown);
    }
    work.set(running);
    if (result.isCancelled()) {
      running.cancel(true);
    }
    running.whenComplete((value, failure) -> done(lease, value, failure));
  }

  private @Nullable Object begin(Lease lease) throws Exception {
    Runnable close = observed.open();
    try {
      observed.granted(lease);
      return body.call(lease);
    } finally {
      close.run();
    }
  }

  private void done(Lease lease, @Nullable Object value, @Nullable Throwable failure) {
    if (failure != null) {
      boolean lost = !lease.isValid();
      AsyncAcquisition.close(lease)
          .whenComplete(
              (closed, never) -> {
                Throwable thrown = plain(failure);
                if (lost) {
                  thrown.addSuppressed(LockTemplate.lost(lease));
                }
                fail(thrown);
              });
      return;
    }
    lease
        .releaseAsync()
        .thenAccept(
            outcome -> {
              if (outcome == ReleaseOutcome.ALREADY_LOST) {
                fail(LockTemplate.lost(lease));
              } else {
                succeed(value);
              }
            });
  }

  private void succeed(@Nullable Object value) {
    observed.end();
    result.complete(value);
  }

  private void fail(Throwable thrown) {
    observed.failed(thrown);
    observed.end();
    result.completeExceptionally(thrown);
  }

  private static Throwable plain(Throwable failure) {
    return failure instanceof CompletionException && failure.getCause() != null
        ? failure.getCause()
        : failure;
  }
}
