/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.spi;

import io.holdfast.lock.engine.Interleavings;
import io.holdfast.lock.spi.support.Batcher;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Requests of several threads while others bring answers, and the orders of their steps. */
public class BatcherInterleavingsTest {

  private static final int THREADS = 2;
  private static final int MOST_IN_ONE = 2;
  private static final int MOST_UNDER_WAY = 1;
  private static final int MOST_LOOKS = 20_000;
  private static final long LOOK_AGAIN_NANOS = 100_000;

  private record Sent(
      List<Integer> requests, CompletableFuture<List<CompletableFuture<Integer>>> answers) {}

  private record Asked(int request, CompletableFuture<Integer> answer) {}

  private final AtomicInteger numbers = new AtomicInteger();
  private final AtomicInteger underWay = new AtomicInteger();
  private final Queue<Sent> sent = new ConcurrentLinkedQueue<>();
  private final Queue<Asked> asked = new ConcurrentLinkedQueue<>();
  private final Queue<String> broken = new ConcurrentLinkedQueue<>();
  private final Batcher<Integer, Integer> batcher =
      new Batcher<>(MOST_IN_ONE, MOST_UNDER_WAY, this::send);

  public BatcherInterleavingsTest() {}

  private CompletableFuture<List<CompletableFuture<Integer>>> send(List<Integer> requests) {
    if (underWay.incrementAndGet() > MOST_UNDER_WAY) {
      broken.add("too many under way");
    }
    if (requests.isEmpty() || requests.size() > MOST_IN_ONE) {
      broken.add(requests.size() + " in one");
    }
    Sent one = new Sent(requests, new CompletableFuture<>());
    sent.add(one);
    return one.answers;
  }

  @Operation
  public void ask() {
    int request = numbers.incrementAndGet();
    asked.add(new Asked(request, batcher.ask(request)));
  }

  @Operation
  public void answer() {
    answerOne();
  }

  private boolean answerOne() {
    Sent one = sent.poll();
    if (one == null) {
      return false;
    }
    underWay.decrementAndGet();
    one.answers.complete(
        one.requests.stream().map(request -> CompletableFuture.completedFuture(-request)).toList());
    return true;
  }

  @Validate
  public void eachIsAnsweredOnce() {
    // Another thread tells the answer of a request that is still being sent, and may be late.
    for (int look = 0; look < MOST_LOOKS && (answerOne() || !areAllAnswered()); look++) {
      LockSupport.parkNanos(LOOK_AGAIN_NANOS);
    }
    for (Asked one : asked) {
      if (one.answer.getNow(0) != -one.request) {
        throw new IllegalStateException("request " + one.request + " has the answer " + one.answer);
      }
    }
    if (!broken.isEmpty()) {
      throw new IllegalStateException(broken.toString());
    }
  }

  private boolean areAllAnswered() {
    return asked.stream().allMatch(one -> one.answer.isDone());
  }

  @Test
  @Tag("long")
  @Timeout(value = 1, unit = TimeUnit.HOURS)
  void stepByStep() {
    Interleavings.of(new ModelCheckingOptions(), THREADS, 3).check(getClass());
  }

  @Test
  @Timeout(value = 1, unit = TimeUnit.HOURS)
  void atFullSpeed() {
    Interleavings.of(new StressOptions(), THREADS, 3).check(getClass());
  }
}
