/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.engine;

import io.holdfast.lock.LockException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** The blocking forms are views of the asynchronous ones; this is how they wait. */
public final class Blocking {

  private Blocking() {}

  /**
   * Waits, and throws what the future failed with.
   *
   * @param future what is waited for
   * @param <T> of its value
   * @return its value
   * @throws InterruptedException if interrupted while waiting
   */
  public static <T> T await(CompletableFuture<T> future) throws InterruptedException {
    try {
      return future.get();
    } catch (ExecutionException e) {
      throw rethrown(e.getCause());
    }
  }

  /** Waits for a limited time; tells whether it is done. */
  static boolean isDoneWithin(CompletableFuture<?> future, Duration limit)
      throws InterruptedException {
    try {
      future.get(limit.toNanos(), TimeUnit.NANOSECONDS);
      return true;
    } catch (ExecutionException e) {
      return true;
    } catch (TimeoutException e) {
      return false;
    }
  }

  /**
   * Waits through interrupts, which stay set.
   *
   * @param future what is waited for
   * @param <T> of its value
   * @return its value
   */
  public static <T> T awaitUninterruptibly(CompletableFuture<T> future) {
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return await(future);
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Waits through interrupts, which stay set, for a limited time; tells whether it is done. */
  static boolean settles(CompletableFuture<?> future, Duration limit) {
    if (future.isDone()) {
      return true;
    }
    boolean interrupted = false;
    long end = System.nanoTime() + Validity.nanos(limit);
    try {
      while (true) {
        try {
          future.get(end - System.nanoTime(), TimeUnit.NANOSECONDS);
          return true;
        } catch (ExecutionException e) {
          return true;
        } catch (TimeoutException e) {
          return false;
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** The same exception, with the stack of the caller who waited added as suppressed. */
  private static RuntimeException rethrown(@Nullable Throwable cause) {
    if (cause instanceof LockException failure) {
      failure.addSuppressed(new CalledFrom());
      return failure;
    }
    if (cause instanceof Error error) {
      throw error;
    }
    return new IllegalStateException("The lock engine failed; please report this", cause);
  }

  /** Shows where the waiting caller stood, as the failure itself was made on another thread. */
  private static final class CalledFrom extends Exception {
    private static final long serialVersionUID = 1L;

    CalledFrom() {
      super("called from here");
    }
  }
}
