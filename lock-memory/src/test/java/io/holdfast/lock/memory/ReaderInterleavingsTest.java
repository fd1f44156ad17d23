/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.memory;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.DistributedReadWriteLock;
import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.ReleaseOutcome;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Two readers of one client, which share a claim, a writer that waits for them, and what several
 * threads do to them: releases, further readers, looks, renewals, an administrator who takes the
 * lock away. Not step by step: there Lincheck has hash codes of its own for objects, and a lease
 * that was put into a set before is not found in it.
 */
public class ReaderInterleavingsTest {

  private static final int INVOCATIONS = 400;

  /** A lease, and how it ended. */
  private static final class Reader {

    final Lease lease;
    final AtomicInteger losses = new AtomicInteger();
    final Queue<CompletableFuture<ReleaseOutcome>> releases = new ConcurrentLinkedQueue<>();

    Reader(Lease lease) {
      this.lease = lease;
      lease.onLoss(loss -> losses.incrementAndGet());
    }

    void release() {
      releases.add(lease.releaseAsync());
    }

    void checkEndedOnce() {
      int released = 0;
      for (CompletableFuture<ReleaseOutcome> one : releases) {
        if (!one.isDone()) {
          throw new IllegalStateException("a release without an answer");
        }
        released += one.join() == ReleaseOutcome.RELEASED ? 1 : 0;
      }
      if (lease.isValid() || released + losses.get() != 1) {
        throw new IllegalStateException(
            "released %d times, lost %d times, valid: %s"
                .formatted(released, losses.get(), lease.isValid()));
      }
    }
  }

  private final ManualTime time = new ManualTime();
  private final MemoryServer server = new MemoryServer(time);
  private final LockClient client =
      server.open(
          ClientOptions.defaults().withClientName("one").withCallbackExecutor(Runnable::run));
  private final DistributedReadWriteLock lock =
      client.readWriteLock("a", MemoryHarness.TEN_SECONDS);
  private final Queue<Reader> readers = new ConcurrentLinkedQueue<>();
  private final Reader first;
  private final Reader second;
  private final CompletableFuture<Lease> writer;
  private final Queue<String> broken = new ConcurrentLinkedQueue<>();
  private volatile boolean takenAway;

  public ReaderInterleavingsTest() {
    first = reader();
    second = reader();
    writer = lock.writeLock().acquireAsync();
  }

  private Reader reader() {
    Reader reader = new Reader(MemoryHarness.granted(lock.readLock().acquireAsync()));
    readers.add(reader);
    return reader;
  }

  @Operation
  public void releaseFirst() {
    first.release();
  }

  @Operation
  public void releaseSecond() {
    second.release();
  }

  /** Is refused as long as the writer waits or has the lock. */
  @Operation
  public void join() {
    lock.readLock()
        .tryAcquireAsync()
        .thenAccept(granted -> granted.ifPresent(lease -> readers.add(new Reader(lease))));
  }

  @Operation
  public void look() {
    // Those that were granted before the writer is looked at: a lease that says yes after it did.
    Reader[] granted = readers.toArray(new Reader[0]);
    if (!takenAway && writer.isDone() && writer.join().isValid()) {
      for (Reader reader : granted) {
        if (reader.lease.isValid() && !takenAway) {
          broken.add("a reader beside the writer");
        }
      }
    }
  }

  @Operation
  public void takeAway() {
    takenAway = true;
    server.revoke("a");
  }

  /** One at a time has the clock; renewals are due after a third of ten seconds. */
  @Operation(nonParallelGroup = "clock")
  public void advance() {
    time.advance(Duration.ofSeconds(4));
  }

  @Validate
  public void eachEndsOnceAndTheWriterIsServed() {
    readers.forEach(Reader::release);
    time.advance(Duration.ofSeconds(5));
    readers.forEach(Reader::checkEndedOnce);
    MemoryHarness.granted(writer).release();
    client.close();
    if (!server.owners().isEmpty() || !broken.isEmpty()) {
      throw new IllegalStateException("left: " + server.owners() + ", seen: " + broken);
    }
  }

  @Test
  @Timeout(value = 1, unit = TimeUnit.HOURS)
  void atFullSpeed() {
    Interleavings.bounded(new StressOptions())
        .invocationsPerIteration(INVOCATIONS)
        .check(getClass());
  }
}
