/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redis.node;

import io.holdfast.lock.spi.TimeSource;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps one connection, and makes another when it breaks, one at a time and with backoff, until
 * closed. Lettuce's own reconnection would send commands again whose answers were lost; this one
 * starts afresh.
 *
 * @param <C> the connection
 */
final class Reconnecting<C> {

  private static final Logger LOG = LoggerFactory.getLogger(Reconnecting.class);
  private static final Duration FIRST_PAUSE = Duration.ofMillis(20);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);

  private final String what;
  private final Supplier<CompletableFuture<C>> connect;
  private final Consumer<C> ready;
  private final Consumer<C> disconnect;
  private final TimeSource time;
  private final ReentrantLock lock = new ReentrantLock();
  private volatile @Nullable C current;
  private volatile @Nullable Throwable lastFailure;
  private CompletableFuture<Void> firstTry = CompletableFuture.completedFuture(null);
  private boolean connecting;
  private boolean closed;

  Reconnecting(
      String what,
      Supplier<CompletableFuture<C>> connect,
      Consumer<C> ready,
      Consumer<C> disconnect,
      TimeSource time) {
    this.what = what;
    this.connect = connect;
    this.ready = ready;
    this.disconnect = disconnect;
    this.time = time;
  }

  @Nullable C current() {
    return current;
  }

  @Nullable Throwable lastFailure() {
    return lastFailure;
  }

  /** Connects if there is no connection and none is being made. Completes after the first try. */
  CompletableFuture<Void> start() {
    CompletableFuture<Void> begun;
    lock.lock();
    try {
      if (connecting) {
        return firstTry;
      }
      if (closed || current != null) {
        return CompletableFuture.completedFuture(null);
      }
      connecting = true;
      firstTry = new CompletableFuture<>();
      begun = firstTry;
    } finally {
      lock.unlock();
    }
    connect(FIRST_PAUSE)
        .whenComplete(
            (done, failure) -> {
              if (failure == null) {
                begun.complete(null);
              } else {
                begun.completeExceptionally(failure);
              }
            });
    return begun;
  }

  private CompletableFuture<Void> connect(Duration pause) {
    CompletableFuture<C> made =
        once()
            .exceptionallyCompose(
                failure ->
                    RedisFailures.isCutShort(failure)
                        ? once()
                        : CompletableFuture.failedFuture(failure));
    return made.handle(
            (connection, failure) -> {
              if (failure == null) {
                take(connection);
                return CompletableFuture.<Void>completedFuture(null);
              }
              LOG.debug("{} could not connect", what, failure);
              lastFailure = failure;
              again(pause);
              return CompletableFuture.<Void>failedFuture(failure);
            })
        .thenCompose(stage -> stage);
  }

  private CompletableFuture<C> once() {
    try {
      return connect.get();
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  private void again(Duration pause) {
    Duration doubled = pause.multipliedBy(2);
    Duration next = doubled.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : doubled;
    time.schedule(
        pause,
        () -> {
          if (!isClosed()) {
            connect(next);
          }
        });
  }

  private void take(C connection) {
    boolean tooLate;
    lock.lock();
    try {
      tooLate = closed;
      connecting = false;
      if (!tooLate) {
        current = connection;
        lastFailure = null;
      }
    } finally {
      lock.unlock();
    }
    if (tooLate) {
      disconnect.accept(connection);
    } else {
      ready.accept(connection);
    }
  }

  /** Declares a connection broken: ends it, and makes another. Harmless for an earlier one. */
  @SuppressWarnings("ReferenceEquality") // This very connection is meant.
  void drop(C broken, Throwable cause) {
    lock.lock();
    try {
      if (current != broken) {
        return;
      }
      current = null;
      lastFailure = cause;
    } finally {
      lock.unlock();
    }
    disconnect.accept(broken);
    start();
  }

  private boolean isClosed() {
    lock.lock();
    try {
      return closed;
    } finally {
      lock.unlock();
    }
  }

  /** Makes no further connection. Whoever owns the client closes it next, and with it the last. */
  void close() {
    lock.lock();
    try {
      closed = true;
      current = null;
    } finally {
      lock.unlock();
    }
  }
}
