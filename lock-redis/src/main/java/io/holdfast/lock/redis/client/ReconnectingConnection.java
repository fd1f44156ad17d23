/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redis.client;

import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.TimeSource;
import io.holdfast.lock.spi.support.DoublingPause;
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
 * <p>A connection that lasted for {@link #LONGEST_PAUSE} is replaced at once. One that broke sooner
 * counts as a failed try: a server that accepts connections and then ends them would otherwise be
 * stormed.
 *
 * @param <C> the connection
 */
public final class ReconnectingConnection<C> {

  private static final Logger LOG = LoggerFactory.getLogger(ReconnectingConnection.class);
  private static final Duration FIRST_PAUSE = Duration.ofMillis(20);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);

  /** Breaks in a row; a link that is cut once or twice is no news. */
  private static final int WORTH_A_WARNING = 5;

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
  private long madeAt;
  private Duration beforeNext = Duration.ZERO;
  private int brokenSoon;
  private boolean closed;

  /**
   * Connects to nothing yet.
   *
   * @param what for the log
   * @param connect makes a connection; fails with Lettuce's failure
   * @param ready is told of each that was made
   * @param disconnect ends one
   * @param time the clock
   */
  public ReconnectingConnection(
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

  /**
   * The connection that there is.
   *
   * @return null while it is made (again)
   */
  public @Nullable C current() {
    return current;
  }

  /**
   * Why there is no connection.
   *
   * @return null if there is one, or none was tried
   */
  public @Nullable Throwable lastFailure() {
    return lastFailure;
  }

  /**
   * Connects if there is no connection and none is being made.
   *
   * @return completes after the first try
   */
  public CompletableFuture<Void> start() {
    CompletableFuture<Void> begun;
    Duration wait;
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
      wait = beforeNext;
    } finally {
      lock.unlock();
    }
    if (wait.isZero()) {
      first(begun);
    } else {
      time.schedule(wait, () -> first(begun));
    }
    return begun;
  }

  private void first(CompletableFuture<Void> begun) {
    connect(FIRST_PAUSE)
        .whenComplete(
            (done, failure) -> {
              if (failure == null) {
                begun.complete(null);
              } else {
                begun.completeExceptionally(failure);
              }
            });
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

  /**
   * Not after {@link #close}: that breaks a connection that is being made, and another one in its
   * place might stay open for good, as the threads that would close it are ending.
   */
  private CompletableFuture<C> once() {
    lock.lock();
    try {
      return closed ? CompletableFuture.failedFuture(closedMeanwhile()) : connect.get();
    } catch (RuntimeException | Error e) {
      // Also if there was no room for a thread: nobody else would try again.
      return CompletableFuture.failedFuture(e);
    } finally {
      lock.unlock();
    }
  }

  private static LockUnavailableException closedMeanwhile() {
    return new LockUnavailableException("The lock client is closed");
  }

  private void again(Duration pause) {
    Duration next = longer(pause);
    time.schedule(
        pause,
        () -> {
          if (!isClosed()) {
            connect(next);
          }
        });
  }

  private static Duration longer(Duration pause) {
    return pause.isZero() ? FIRST_PAUSE : DoublingPause.after(pause, LONGEST_PAUSE);
  }

  private void take(C connection) {
    boolean tooLate;
    lock.lock();
    try {
      tooLate = closed;
      connecting = false;
      if (!tooLate) {
        current = connection;
        madeAt = time.nanos();
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

  /**
   * Declares a connection broken: ends it, and makes another. Harmless for an earlier one.
   *
   * @param broken the connection
   * @param cause is the {@link #lastFailure}
   */
  @SuppressWarnings("ReferenceEquality") // This very connection is meant.
  public void drop(C broken, Throwable cause) {
    boolean storm;
    lock.lock();
    try {
      if (current != broken) {
        return;
      }
      current = null;
      lastFailure = cause;
      boolean soon = time.nanos() - madeAt < LONGEST_PAUSE.toNanos();
      beforeNext = soon ? longer(beforeNext) : Duration.ZERO;
      brokenSoon = soon ? brokenSoon + 1 : 0;
      storm = brokenSoon == WORTH_A_WARNING;
    } finally {
      lock.unlock();
    }
    if (storm) {
      LOG.warn(
          "{} broke {} times in a row within {} ms of being made; trying again every {} ms",
          what,
          WORTH_A_WARNING,
          LONGEST_PAUSE.toMillis(),
          LONGEST_PAUSE.toMillis(),
          cause);
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

  /** Ends the connection, and makes no further one. */
  public void end() {
    C last;
    lock.lock();
    try {
      last = current;
      close();
    } finally {
      lock.unlock();
    }
    if (last != null) {
      disconnect.accept(last);
    }
  }

  /** Makes no further connection. The owner of the client closes it next, and with it the last. */
  public void close() {
    lock.lock();
    try {
      closed = true;
      current = null;
    } finally {
      lock.unlock();
    }
  }
}
