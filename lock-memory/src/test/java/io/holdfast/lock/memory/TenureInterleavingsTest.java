/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.memory;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.DistributedLock;
import io.holdfast.lock.HandOver;
import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.Locks;
import io.holdfast.lock.ReleaseOutcome;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A lease with two renewals on their way and a waiter of the same client, and what several threads
 * do at once: answers in any order or none, an extension, a release and its answer, looks, the
 * clock, an administrator who takes the lock away. The orders of such steps without a second thread
 * are tried one by one in {@code TenureOrdersTest} of {@code lock-tck-tests}.
 */
public class TenureInterleavingsTest {

  private static final int STEPS = 3;
  private static final int INVOCATIONS = 400;
  private static final int ROUNDS_TO_THE_END = 8;

  private final ManualTime time = MemoryHarness.at(Duration.ofHours(1));
  private final MemoryServer server = new MemoryServer(time);
  private final LateAnswers backend = new LateAnswers(server, time);
  private final LockClient client =
      Locks.using(
          backend,
          ClientOptions.defaults()
              .withClientName("one")
              .withCallbackExecutor(Runnable::run)
              .withTime(time));
  private final DistributedLock lock =
      client.lock(
          "a", MemoryHarness.TEN_SECONDS.withHandOver(new HandOver(1024, Duration.ofMinutes(1))));
  private final Lease first = MemoryHarness.granted(lock.acquireAsync());
  private final LateAnswers.LateClaim claim = backend.claims.get(0);
  private final long token = first.fencingToken();
  private final CompletableFuture<Lease> second = lock.acquireAsync();
  private final AtomicInteger losses = new AtomicInteger();
  private final AtomicLong validUntil = new AtomicLong();
  private final Queue<CompletableFuture<ReleaseOutcome>> releases = new ConcurrentLinkedQueue<>();
  private final Queue<String> broken = new ConcurrentLinkedQueue<>();
  private volatile boolean saidNo;

  public TenureInterleavingsTest() {
    first.onLoss(loss -> losses.incrementAndGet());
    // One renewal is sent when it is due, the next when that has no answer.
    time.advance(Duration.ofSeconds(6));
  }

  @Operation
  public void answerFirstRenewal() {
    backend.answerFirstRenewal();
  }

  @Operation
  public void answerLastRenewal() {
    backend.answerLastRenewal();
  }

  @Operation
  public void failFirstRenewal() {
    backend.failFirstRenewal();
  }

  @Operation
  public void answerRelease() {
    backend.answerRelease();
  }

  @Operation
  public void release() {
    releases.add(first.releaseAsync());
  }

  @Operation
  public void extend() {
    first.extendAsync(Duration.ofSeconds(20));
  }

  @Operation
  public void takeAway() {
    server.revoke("a");
  }

  /** One at a time has the clock; the validity is over after ten seconds. */
  @Operation(nonParallelGroup = "clock")
  public void advance() {
    time.advance(Duration.ofSeconds(2));
  }

  @Operation
  public void look() {
    boolean before = saidNo;
    long untilBefore = validUntil.get();
    long now = time.nanos();
    Duration left = first.remaining();
    if (left.isZero()) {
      saidNo = true;
      return;
    }
    long until = now + left.toNanos();
    expect(!before, "valid again");
    // Read afterwards, as answers only ever add to it.
    expect(until - claim.promisedUntil.get() <= 0, "valid for longer than any answer has promised");
    if (now == time.nanos()) {
      expect(until - untilBefore >= 0, "its time has become shorter");
      validUntil.accumulateAndGet(until, Math::max);
    }
    expect(first.fencingToken() == token, "its token has changed");
    expect(!second.isDone() || !second.join().isValid() || !first.isValid(), "two are valid");
  }

  private void expect(boolean holds, String otherwise) {
    if (!holds) {
      broken.add(otherwise);
    }
  }

  @Validate
  public void itEndsOnceAndTheWaiterIsServed() {
    release();
    for (int round = 0; round < ROUNDS_TO_THE_END; round++) {
      backend.answerAll();
      time.advance(Duration.ofSeconds(1));
    }
    int released = 0;
    for (CompletableFuture<ReleaseOutcome> one : releases) {
      if (!one.isDone()) {
        throw new IllegalStateException("a release without an answer");
      }
      released += one.join() == ReleaseOutcome.RELEASED ? 1 : 0;
    }
    if (first.isValid() || released + losses.get() != 1) {
      throw new IllegalStateException(
          "released %d times, lost %d times, valid: %s"
              .formatted(released, losses.get(), first.isValid()));
    }
    Lease next = MemoryHarness.granted(second);
    expect(next.fencingToken() > token, "the token of the next lease is smaller");
    CompletableFuture<ReleaseOutcome> last = next.releaseAsync();
    backend.answerAll();
    expect(last.isDone(), "the last release has no answer");
    client.close();
    if (!server.owners().isEmpty() || !broken.isEmpty()) {
      throw new IllegalStateException("left: " + server.owners() + ", seen: " + broken);
    }
  }

  @Test
  @Tag("long")
  @Timeout(value = 1, unit = TimeUnit.HOURS)
  void stepByStep() {
    Interleavings.bounded(new ModelCheckingOptions()).actorsPerThread(STEPS).check(getClass());
  }

  @Test
  @Timeout(value = 1, unit = TimeUnit.HOURS)
  void atFullSpeed() {
    Interleavings.bounded(new StressOptions())
        .actorsPerThread(STEPS)
        .invocationsPerIteration(INVOCATIONS)
        .check(getClass());
  }
}
