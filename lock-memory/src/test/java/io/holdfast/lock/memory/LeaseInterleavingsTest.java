/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.memory;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.DistributedLock;
import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.ReleaseOutcome;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * One lease and one waiter of a client, and what several threads do to them: releases, looks,
 * renewals, an administrator who takes the lock away.
 */
public class LeaseInterleavingsTest {

  private final ManualTime time = new ManualTime();
  private final MemoryServer server = new MemoryServer(time);
  private final LockClient client =
      server.open(
          ClientOptions.defaults().withClientName("one").withCallbackExecutor(Runnable::run));
  private final DistributedLock lock = client.lock("a", MemoryHarness.TEN_SECONDS);
  private final Lease first = MemoryHarness.granted(lock.acquireAsync());
  private final CompletableFuture<Lease> second = lock.acquireAsync();
  private final AtomicInteger losses = new AtomicInteger();
  private final Queue<CompletableFuture<ReleaseOutcome>> releases = new ConcurrentLinkedQueue<>();
  private final Queue<String> broken = new ConcurrentLinkedQueue<>();
  private volatile boolean saidNo;

  public LeaseInterleavingsTest() {
    first.onLoss(loss -> losses.incrementAndGet());
  }

  @Operation
  public void release() {
    releases.add(first.releaseAsync());
  }

  @Operation
  public void look() {
    boolean before = saidNo;
    if (first.isValid()) {
      if (before) {
        broken.add("valid again");
      }
      if (second.isDone()) {
        look(second.join());
      }
    } else {
      saidNo = true;
    }
  }

  private void look(Lease next) {
    if (next.isValid() && first.isValid()) {
      broken.add("two are valid");
    }
  }

  @Operation
  public void extend() {
    first.extendAsync(Duration.ofSeconds(20));
  }

  @Operation
  public void takeAway() {
    server.revoke("a");
  }

  /** One at a time has the clock; renewals are due after a third of ten seconds. */
  @Operation(nonParallelGroup = "clock")
  public void advance() {
    time.advance(Duration.ofSeconds(4));
  }

  @Validate
  public void itEndsOnceAndTheWaiterIsServed() {
    release();
    int released = 0;
    for (CompletableFuture<ReleaseOutcome> one : releases) {
      if (!one.isDone()) {
        throw new IllegalStateException("a release without an answer");
      }
      released += one.join() == ReleaseOutcome.RELEASED ? 1 : 0;
    }
    time.advance(Duration.ofSeconds(5));
    if (first.isValid() || released + losses.get() != 1) {
      throw new IllegalStateException(
          "released %d times, lost %d times, valid: %s"
              .formatted(released, losses.get(), first.isValid()));
    }
    Lease next = MemoryHarness.granted(second);
    next.release();
    client.close();
    if (!server.owners().isEmpty() || !broken.isEmpty()) {
      throw new IllegalStateException("left: " + server.owners() + ", seen: " + broken);
    }
  }

  @Test
  @Tag("long")
  @Timeout(value = 1, unit = TimeUnit.HOURS)
  void stepByStep() {
    Interleavings.bounded(new ModelCheckingOptions()).check(getClass());
  }

  @Test
  @Timeout(value = 1, unit = TimeUnit.HOURS)
  void atFullSpeed() {
    Interleavings.bounded(new StressOptions()).check(getClass());
  }
}
