/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.spi.support;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Sends requests together that have gathered while others were under way. The first request goes
 * out at once; only when {@code mostUnderWay} batches are without an answer, those that come wait
 * for one of them, and then go out as one. So nobody waits for company, and the busier it is, the
 * less each request costs (as group commit does for the log of a database).
 *
 * <p>For any number of threads. The thread that sends the next batch is one that asks, or one that
 * brings an answer; that one answers afterwards. Nobody is answered by a thread that is asking.
 *
 * @param <Q> what is asked
 * @param <A> what is answered
 */
public final class Batcher<Q, A> {

  /**
   * How requests go out together.
   *
   * @param <Q> what is asked
   * @param <A> what is answered
   */
  @FunctionalInterface
  public interface Sender<Q, A> {

    /**
     * Sends.
     *
     * @param requests one or more, in the order in which they came
     * @return an answer for each, in that order, or its failure; fails if there is none for any
     */
    CompletionStage<List<CompletableFuture<A>>> send(List<Q> requests);
  }

  private record Asked<Q, A>(Q request, CompletableFuture<A> answer) {}

  /** Requests that this thread has made within {@link #together}, and no other knows yet. */
  private static final ThreadLocal<@Nullable Map<Consumer<?>, List<?>>> HELD_BACK =
      new ThreadLocal<>();

  /** Not the common pool: applications block its threads, and on a small machine it has one. */
  private static final Executor ANSWERING =
      new ThreadPoolExecutor(
          0, Integer.MAX_VALUE, 1, TimeUnit.SECONDS, new SynchronousQueue<>(), Batcher::daemon);

  private final int mostInOne;
  private final int mostUnderWay;
  private final Sender<Q, A> sender;
  private final Consumer<List<Asked<Q, A>>> gather = this::gather;
  private final ConcurrentLinkedQueue<Asked<Q, A>> gathered = new ConcurrentLinkedQueue<>();
  private final AtomicInteger underWay = new AtomicInteger();

  /**
   * With nothing to send yet.
   *
   * @param mostInOne how many requests go out together at most
   * @param mostUnderWay how many batches may be without an answer at a time
   * @param sender sends a batch
   */
  public Batcher(int mostInOne, int mostUnderWay, Sender<Q, A> sender) {
    this.mostInOne = mostInOne;
    this.mostUnderWay = mostUnderWay;
    this.sender = sender;
  }

  /**
   * Makes several requests of one purpose. Those that this thread makes meanwhile, of any batcher
   * or any other {@linkplain #pass receiver}, go out when all are made: as one batch, as far as
   * they fit into one. Nothing in there may wait for an answer.
   *
   * @param requests makes the requests
   */
  public static void together(Runnable requests) {
    if (HELD_BACK.get() != null) {
      requests.run();
      return;
    }
    Map<Consumer<?>, List<?>> heldBack = new LinkedHashMap<>();
    HELD_BACK.set(heldBack);
    try {
      requests.run();
    } finally {
      HELD_BACK.remove();
      heldBack.forEach(Batcher::passAll);
    }
  }

  /**
   * Runs what may wait for answers, and so must not be part of {@link #together} though it is run
   * in there. Requests that were held back until now go out before.
   *
   * @param task whose requests go out as ever
   */
  public static void apart(Runnable task) {
    Map<Consumer<?>, List<?>> heldBack = HELD_BACK.get();
    if (heldBack == null) {
      task.run();
      return;
    }
    HELD_BACK.remove();
    heldBack.forEach(Batcher::passAll);
    heldBack.clear();
    try {
      task.run();
    } finally {
      HELD_BACK.set(heldBack);
    }
  }

  /**
   * Passes a request on that goes out without a batcher: now, or after {@link #together} with all
   * that this thread has made for the same receiver.
   *
   * @param <R> the type of the requests
   * @param receiver the same object for requests that can go out together
   * @param request what is asked
   */
  @SuppressWarnings("unchecked")
  public static <R> void pass(Consumer<List<R>> receiver, R request) {
    Map<Consumer<?>, List<?>> heldBack = HELD_BACK.get();
    if (heldBack == null) {
      receiver.accept(List.of(request));
    } else {
      ((List<R>) heldBack.computeIfAbsent(receiver, first -> new ArrayList<R>())).add(request);
    }
  }

  @SuppressWarnings("unchecked")
  private static <R> void passAll(Consumer<R> receiver, List<?> requests) {
    receiver.accept((R) requests);
  }

  /**
   * Sends, now or with others.
   *
   * @param request what is asked
   * @return the answer to it
   */
  public CompletableFuture<A> ask(Q request) {
    Asked<Q, A> asked = new Asked<>(request, new CompletableFuture<>());
    pass(gather, asked);
    return asked.answer;
  }

  /** Added at once, so that no other thread takes a part of them into its batch. */
  private void gather(List<Asked<Q, A>> asked) {
    gathered.addAll(asked);
    sendNext();
  }

  /** Looks again after each step back, so that nothing that came meanwhile is left behind. */
  private void sendNext() {
    while (!gathered.isEmpty()) {
      int busy = underWay.get();
      if (busy >= mostUnderWay) {
        return;
      }
      if (underWay.compareAndSet(busy, busy + 1)) {
        List<Asked<Q, A>> batch = take();
        if (batch.isEmpty()) {
          underWay.decrementAndGet();
        } else {
          send(batch);
        }
      }
    }
  }

  private List<Asked<Q, A>> take() {
    List<Asked<Q, A>> batch = new ArrayList<>();
    Asked<Q, A> next;
    while (batch.size() < mostInOne && (next = gathered.poll()) != null) {
      batch.add(next);
    }
    return batch;
  }

  private void send(List<Asked<Q, A>> batch) {
    List<Q> requests = new ArrayList<>(batch.size());
    batch.forEach(asked -> requests.add(asked.request));
    CompletionStage<List<CompletableFuture<A>>> answers;
    try {
      answers = sender.send(requests);
    } catch (RuntimeException | Error e) {
      answers = CompletableFuture.failedFuture(e);
    }
    Sending sending = new Sending();
    answers.whenComplete(
        (all, failure) -> {
          if (sending.isHere()) {
            onAnotherThread(() -> answered(batch, all, failure));
          } else {
            answered(batch, all, failure);
          }
        });
    sending.isOver = true;
  }

  /**
   * Tells whether an answer came on the thread that was sending. The thread that asks may hold a
   * lock, and the answers are others', too, whose steps may wait for that lock or take one that it
   * waits for; so they are not told there.
   */
  private static final class Sending {
    private final Thread thread = Thread.currentThread();
    private boolean isOver;

    boolean isHere() {
      return Thread.currentThread().equals(thread) && !isOver;
    }
  }

  private static void onAnotherThread(Runnable task) {
    try {
      ANSWERING.execute(task);
    } catch (OutOfMemoryError e) {
      // There is no room for a thread; one that exists already is better late than none.
      ForkJoinPool.commonPool().execute(task);
    }
  }

  private void answered(
      List<Asked<Q, A>> batch,
      @Nullable List<CompletableFuture<A>> all,
      @Nullable Throwable failure) {
    underWay.decrementAndGet();
    try {
      sendNext();
    } finally {
      for (int i = 0; i < batch.size(); i++) {
        answer(batch.get(i).answer, all == null ? null : all.get(i), failure);
      }
    }
  }

  private static Thread daemon(Runnable task) {
    Thread thread = new Thread(task, "holdfast-answers");
    thread.setDaemon(true);
    return thread;
  }

  private static <A> void answer(
      CompletableFuture<A> asked, @Nullable CompletableFuture<A> answer, @Nullable Throwable none) {
    if (answer == null) {
      asked.completeExceptionally(none == null ? new IllegalStateException("no answer") : none);
      return;
    }
    answer.whenComplete(
        (value, failure) -> {
          if (failure == null) {
            asked.complete(value);
          } else {
            asked.completeExceptionally(failure);
          }
        });
  }
}
