/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package com.example.filelock;

import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.LossReason;
import io.holdfast.lock.spi.support.BlockingSteps;
import io.holdfast.lock.Capabilities;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.ClaimSignals;
import io.holdfast.lock.spi.LockBackend;
import io.holdfast.lock.spi.RenewalAnswer;
import io.holdfast.lock.spi.RenewalRequest;
import io.holdfast.lock.text.TimeText;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
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
final class FileLockBackend implements LockBackend<FileClaim> {

  /** A step of a claim, taken while nobody else changes a file. */
  interface Step<T> {
    T take(FileChannel tokens) throws IOException;
  }

  /** The operating system tells processes apart, and not the threads of one. */
  private static final ReentrantLock THIS_PROCESS = new ReentrantLock();

  final Path directory;
  private final Duration timeout;
  private final BlockingSteps steps;

  FileLockBackend(Path directory, Duration timeout) {
    this.directory = directory;
    this.timeout = timeout;
    this.steps =
        new BlockingSteps(
            "file-lock",
            timeout,
            (doing, failure) ->
                new LockUnavailableException(
                    "%s failed: is the disk of '%s' full or slow?".formatted(doing, directory),
                    failure),
            // No call to a file can be made to end.
            () -> {});
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
  public FileClaim claim(ClaimRequest request, ClaimSignals signals) {
    return new FileClaim(this, request);
  }

  @Override
  public CompletionStage<List<RenewalAnswer>> renew(List<RenewalRequest<FileClaim>> requests) {
    return ask(
        "Renewing " + requests.size() + " lock(s)",
        tokens -> {
          List<RenewalAnswer> answers = new ArrayList<>();
          for (RenewalRequest<FileClaim> request : requests) {
            boolean ours = request.claim().renew(request.ttl());
            answers.add(
                ours
                    ? new RenewalAnswer.Extended(request.ttl())
                    : new RenewalAnswer.Lost(LossReason.REVOKED));
          }
          return answers;
        });
  }

  /** Takes steps one after another, each within the time-out or not at all. */
  <T> CompletionStage<T> ask(String doing, Step<T> step) {
    return steps.ask(doing, () -> alone(step));
  }

  private <T> T alone(Step<T> step) throws IOException, InterruptedException {
    long end = System.nanoTime() + timeout.toNanos();
    if (!THIS_PROCESS.tryLock(end - System.nanoTime(), TimeUnit.NANOSECONDS)) {
      throw stuck();
    }
    try (FileChannel tokens =
        FileChannel.open(
            directory.resolve(".token"),
            StandardOpenOption.CREATE,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE)) {
      while (tokens.tryLock() == null) {
        if (System.nanoTime() - end > 0) {
          throw stuck();
        }
        LockSupport.parkNanos(1_000_000);
      }
      return step.take(tokens);
    } finally {
      THIS_PROCESS.unlock();
    }
  }

  private LockUnavailableException stuck() {
    return new LockUnavailableException(
        "The locks in '%s' did not answer within %s: does a process that locked its file .token"
                .formatted(directory, TimeText.of(timeout))
            + " stand still?");
  }

  @Override
  public void close() {
    steps.close();
  }
}
