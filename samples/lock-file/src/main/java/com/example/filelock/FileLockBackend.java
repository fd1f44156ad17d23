/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package com.example.filelock;

import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.LossReason;
import io.holdfast.lock.spi.Capabilities;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.ClaimSignals;
import io.holdfast.lock.spi.LockBackend;
import io.holdfast.lock.spi.LockClaim;
import io.holdfast.lock.spi.RenewalAnswer;
import io.holdfast.lock.spi.RenewalRequest;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A file for each lock that is held, with its owner and its end. All files of a namespace are
 * changed by one thread of one process at a time, which has locked the file {@code .token} at the
 * operating system; the last token is in there.
 *
 * <p>A holder that dies, or stands still, loses its lock at the end of the TTL, by the host's wall
 * clock. A process that dies while it changes a file leaves the old one or the new one, and the
 * operating system unlocks {@code .token}. One that stands still just then keeps everybody waiting:
 * they are told that locks are unavailable, and holders lose theirs in time. What was asked of a
 * disk that hangs is done later, and the release that the engine asks for next comes behind it.
 */
final class FileLockBackend implements LockBackend {

  /** A step of a claim, taken while nobody else changes a file. */
  interface Step<T> {
    T take(FileChannel tokens) throws IOException;
  }

  /** The operating system tells processes apart, and not the threads of one. */
  private static final ReentrantLock THIS_PROCESS = new ReentrantLock();

  final Path directory;
  private final Duration timeout;
  private final ExecutorService thread =
      Executors.newSingleThreadExecutor(
          work -> {
            Thread made = new Thread(work, "file-lock");
            made.setDaemon(true);
            return made;
          });

  FileLockBackend(Path directory, Duration timeout) {
    this.directory = directory;
    this.timeout = timeout;
  }

  @Override
  public Capabilities capabilities() {
    return FileLockProvider.PROMISES;
  }

  @Override
  public Duration operationTimeout() {
    return timeout;
  }

  @Override
  public LockClaim claim(ClaimRequest request, ClaimSignals signals) {
    return new FileClaim(this, request);
  }

  @Override
  public CompletionStage<List<RenewalAnswer>> renew(List<RenewalRequest> requests) {
    return ask(
        tokens -> {
          List<RenewalAnswer> answers = new ArrayList<>();
          for (RenewalRequest request : requests) {
            boolean ours = ((FileClaim) request.claim()).renew(request.ttl());
            answers.add(
                ours
                    ? new RenewalAnswer.Extended(request.ttl())
                    : new RenewalAnswer.Lost(LossReason.REVOKED));
          }
          return answers;
        });
  }

  /** Takes steps one after another, each within the time-out or not at all. */
  <T> CompletionStage<T> ask(Step<T> step) {
    CompletableFuture<T> answer = new CompletableFuture<>();
    long end = System.nanoTime() + timeout.toNanos();
    try {
      thread.execute(
          () -> {
            try {
              answer.complete(alone(step, end));
            } catch (Throwable e) {
              answer.completeExceptionally(e);
            }
          });
    } catch (RejectedExecutionException e) {
      answer.completeExceptionally(new LockUnavailableException("The client is closed", e));
    }
    // A disk may hang for longer than any step should take.
    CompletableFuture.delayedExecutor(timeout.toNanos(), TimeUnit.NANOSECONDS)
        .execute(() -> answer.completeExceptionally(unavailable(null)));
    return answer;
  }

  private <T> T alone(Step<T> step, long end) throws InterruptedException {
    if (!THIS_PROCESS.tryLock(end - System.nanoTime(), TimeUnit.NANOSECONDS)) {
      throw unavailable(null);
    }
    try (FileChannel tokens =
        FileChannel.open(
            directory.resolve(".token"),
            StandardOpenOption.CREATE,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE)) {
      while (tokens.tryLock() == null) {
        if (System.nanoTime() - end > 0) {
          throw unavailable(null);
        }
        LockSupport.parkNanos(1_000_000);
      }
      return step.take(tokens);
    } catch (IOException e) {
      throw unavailable(e);
    } finally {
      THIS_PROCESS.unlock();
    }
  }

  private LockUnavailableException unavailable(IOException cause) {
    return new LockUnavailableException(
        "The locks in '%s' did not answer within %s: is its disk full or slow, or does a process"
                .formatted(directory, timeout)
            + " that locked its file .token stand still?",
        cause);
  }

  @Override
  public void close() {
    thread.shutdown();
    try {
      // What was late is done or given up before this returns.
      thread.awaitTermination(timeout.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
