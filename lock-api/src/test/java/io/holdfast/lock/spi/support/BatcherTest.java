/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.spi.support;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

/** Tests what goes out together because others are under way; see {@link BatcherTogetherTest}. */
class BatcherTest {

  private final SentBatches batches = new SentBatches();
  private final Batcher<Integer, String> batcher = new Batcher<>(3, 2, batches);

  @Test
  void theFirstRequestGoesOutAtOnce() {
    CompletableFuture<String> one = batcher.ask(1);
    CompletableFuture<String> two = batcher.ask(2);
    assertEquals(List.of(List.of(1), List.of(2)), batches.sent);
    batches.answer(1);
    assertEquals("to 2", two.join());
    assertFalse(one.isDone());
    batches.answer(0);
    assertEquals("to 1", one.join());
  }

  @Test
  void gatheredRequestsGoOutAsOneWhenAnAnswerComes() {
    List<CompletableFuture<String>> answers = new ArrayList<>();
    for (int i = 1; i <= 7; i++) {
      answers.add(batcher.ask(i));
    }
    assertEquals(2, batches.sent.size());
    batches.answer(1);
    assertEquals(List.of(3, 4, 5), batches.sent.get(2));
    batches.answer(2);
    assertEquals(List.of(6, 7), batches.sent.get(3));
    batches.answer(3);
    batches.answer(0);
    assertEquals(4, batches.sent.size());
    for (int i = 1; i <= 7; i++) {
      assertEquals("to " + i, answers.get(i - 1).join());
    }
  }

  /** A caller may ask again when it is answered, and must not find the others still waiting. */
  @Test
  void theNextGoOutBeforeTheLastAreAnswered() {
    batcher.ask(1);
    CompletableFuture<String> last = batcher.ask(2);
    CompletableFuture<String> next = batcher.ask(3);
    AtomicInteger sentBefore = new AtomicInteger();
    last.thenRun(() -> sentBefore.set(batches.sent.size()));
    batches.answer(1);
    assertEquals(3, sentBefore.get());
    assertFalse(next.isDone());
  }

  @Test
  void aFailureIsOfWhomItConcerns() {
    CompletableFuture<String> first = batcher.ask(1);
    batcher.ask(2);
    List<CompletableFuture<String>> gathered = List.of(batcher.ask(3), batcher.ask(4));
    batches.answer(1);
    batches
        .underWay
        .get(2)
        .complete(
            List.of(
                CompletableFuture.failedFuture(new IOException("not this one")),
                CompletableFuture.completedFuture("fine")));
    assertInstanceOf(IOException.class, causeOf(gathered.get(0)));
    assertEquals("fine", gathered.get(1).join());
    batches.underWay.get(0).completeExceptionally(new IOException("none"));
    assertInstanceOf(IOException.class, causeOf(first));
  }

  @Test
  void aSenderThatThrowsFailsItsRequestsAndNoOthers() {
    AtomicInteger calls = new AtomicInteger();
    Batcher<Integer, Integer> moody =
        new Batcher<>(
            10,
            1,
            requests -> {
              if (calls.incrementAndGet() == 1) {
                throw new IllegalStateException("no");
              }
              return CompletableFuture.completedFuture(echo(requests));
            });
    assertInstanceOf(IllegalStateException.class, causeOf(moody.ask(1)));
    assertEquals(2, moody.ask(2).join());
  }

  @Test
  void anErrorOfTheSenderIsTheAnswer() {
    Batcher<Integer, Integer> broken =
        new Batcher<>(
            10,
            1,
            requests -> {
              throw new LinkageError("no such class");
            });
    assertInstanceOf(LinkageError.class, causeOf(broken.ask(1)));
    assertInstanceOf(LinkageError.class, causeOf(broken.ask(2)));
  }

  /** The thread that asks may hold something for which the step after another's answer waits. */
  @Test
  void aThreadThatAsksAnswersNobodyElse() throws Exception {
    CompletableFuture<Thread> answeredBy = new CompletableFuture<>();
    CompletableFuture<Batcher<Integer, Integer>> itself = new CompletableFuture<>();
    AtomicInteger calls = new AtomicInteger();
    Batcher<Integer, Integer> immediate =
        new Batcher<>(
            10,
            1,
            requests -> {
              if (calls.incrementAndGet() == 1) {
                CompletableFuture.runAsync(
                        () ->
                            itself
                                .join()
                                .ask(2)
                                .thenRun(() -> answeredBy.complete(Thread.currentThread())))
                    .join();
              }
              return CompletableFuture.completedFuture(echo(requests));
            });
    itself.complete(immediate);
    assertEquals(1, immediate.ask(1).get(30, TimeUnit.SECONDS));
    assertNotSame(Thread.currentThread(), answeredBy.get(30, TimeUnit.SECONDS));
  }

  /** As on a connection that has just been closed. */
  @Test
  void aLongQueueMayFailAtOnce() throws Exception {
    CompletableFuture<List<CompletableFuture<Integer>>> first = new CompletableFuture<>();
    AtomicInteger calls = new AtomicInteger();
    Batcher<Integer, Integer> closed =
        new Batcher<>(
            1,
            1,
            requests ->
                calls.incrementAndGet() == 1
                    ? first
                    : CompletableFuture.failedFuture(new IOException("closed")));
    List<CompletableFuture<Integer>> answers = new ArrayList<>();
    for (int i = 0; i < 4_000; i++) {
      answers.add(closed.ask(i));
    }
    first.completeExceptionally(new IOException("closed"));
    for (CompletableFuture<Integer> answer : answers) {
      assertInstanceOf(
          IOException.class, answer.handle((value, failure) -> failure).get(30, TimeUnit.SECONDS));
    }
  }

  /** With answers that come on other threads, at any time. */
  @RepeatedTest(10)
  void nothingIsLeftBehind() throws Exception {
    ExecutorService server = Executors.newFixedThreadPool(3);
    ExecutorService callers = Executors.newFixedThreadPool(8);
    AtomicInteger busy = new AtomicInteger();
    AtomicInteger busiest = new AtomicInteger();
    try {
      Batcher<Integer, Integer> real =
          new Batcher<>(
              5,
              2,
              requests -> {
                busiest.accumulateAndGet(busy.incrementAndGet(), Math::max);
                return CompletableFuture.supplyAsync(
                    () -> {
                      busy.decrementAndGet();
                      return echo(requests);
                    },
                    server);
              });
      List<Future<?>> all = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        int caller = i;
        all.add(
            callers.submit(
                () -> {
                  for (int n = 0; n < 2_000; n++) {
                    int request = caller * 10_000 + n;
                    assertEquals(request, real.ask(request).get(30, TimeUnit.SECONDS));
                  }
                  return null;
                }));
      }
      for (Future<?> one : all) {
        one.get();
      }
      assertTrue(busiest.get() <= 2, busiest + " at a time");
    } finally {
      callers.shutdownNow();
      server.shutdownNow();
    }
  }

  private static List<CompletableFuture<Integer>> echo(List<Integer> requests) {
    return requests.stream().map(CompletableFuture::completedFuture).toList();
  }

  private static Throwable causeOf(CompletableFuture<?> failed) {
    return Objects.requireNonNull(assertThrows(CompletionException.class, failed::join).getCause());
  }
}
