/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.engine;

import io.holdfast.lock.TimeSource;
import io.holdfast.lock.spi.support.Batcher;
import io.holdfast.lock.text.TimeText;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs code of the user for which nobody waits: never on the timer, never on a thread of a client
 * library. The client's own threads are daemons, as many as are busy, so that a callback may block.
 */
public final class Callbacks implements Executor {

  private static final Logger LOG = LoggerFactory.getLogger(Callbacks.class);
  private static final ThreadFactory DAEMONS =
      task -> {
        Thread thread = new Thread(task, "holdfast-callback");
        thread.setDaemon(true);
        return thread;
      };

  private static final Duration PAUSE = Duration.ofSeconds(1);

  private final Executor executor;
  private final @Nullable ThreadPoolExecutor own;
  private final TimeSource time;
  private final ThreadFactory threads;

  /**
   * Starts no thread yet.
   *
   * @param given by the user; if empty, threads of its own
   * @param time for what has to be tried again
   */
  public Callbacks(Optional<Executor> given, TimeSource time) {
    this(given, time, DAEMONS);
  }

  Callbacks(Optional<Executor> given, TimeSource time, ThreadFactory threads) {
    this.time = time;
    this.threads = threads;
    this.own =
        given.isPresent()
            ? null
            : new ThreadPoolExecutor(
                0, Integer.MAX_VALUE, 5, TimeUnit.SECONDS, new SynchronousQueue<>(), threads);
    this.executor = own != null ? own : given.orElseThrow();
  }

  @Override
  public void execute(Runnable task) {
    Runnable contained =
        () -> {
          try {
            // An executor of the user's may run it here and now, and what it does may wait.
            Batcher.apart(task);
          } catch (RuntimeException | Error e) {
            LOG.warn("A callback failed", e);
          }
        };
    try {
      executor.execute(contained);
    } catch (RuntimeException | Error e) {
      // Somebody shut the executor down, or it is broken; a loss has to be told all the same, and
      // the engine's step that tells it has to go on.
      runAlone(contained);
    }
  }

  /** A process that may have no more threads has room again when some of its others have ended. */
  private void runAlone(Runnable contained) {
    try {
      threads.newThread(contained).start();
    } catch (OutOfMemoryError e) {
      LOG.warn(
          "No thread can be created to run a callback; trying again in {}", TimeText.of(PAUSE), e);
      time.schedule(PAUSE, () -> runAlone(contained));
    }
  }

  /** Lets what was submitted finish. An executor of the user goes on. */
  public void close() {
    if (own != null) {
      own.shutdown();
    }
  }
}
