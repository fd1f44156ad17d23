/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.TimeSource;
import io.holdfast.lock.spi.support.Batcher;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class CallbacksTest {

  private final TimeSource time = TimeSource.host();
  private final AtomicInteger left = new AtomicInteger(3);
  private final ThreadFactory crowded =
      task ->
          new Thread(task) {
            @Override
            public synchronized void start() {
              if (left.getAndDecrement() > 0) {
                throw new OutOfMemoryError("unable to create native thread, on purpose");
              }
              super.start();
            }
          };

  @AfterEach
  void close() {
    time.close();
  }

  @Test
  void aCallbackThatFindsNoThreadRunsWhenThereIsOne() throws InterruptedException {
    isTold(Optional.empty());
  }

  @Test
  void alsoWhereTheGivenExecutorIsShutDown() throws InterruptedException {
    isTold(
        Optional.of(
            task -> {
              throw new OutOfMemoryError("unable to create native thread, on purpose");
            }));
  }

  /** It may wait for the answer. */
  @Test
  void requestsOfACallbackAreNotHeldBackWithThoseAroundIt() {
    Callbacks callbacks = new Callbacks(Optional.of(Runnable::run), time);
    List<String> sent = new ArrayList<>();
    List<String> sentForTheCallback = new ArrayList<>();
    Consumer<List<String>> receiver = sent::addAll;
    Batcher.together(
        () -> {
          Batcher.pass(receiver, "before");
          callbacks.execute(
              () -> {
                Batcher.pass(receiver, "the callback's");
                sentForTheCallback.addAll(sent);
              });
          Batcher.pass(receiver, "after");
        });
    assertEquals(List.of("before", "the callback's"), sentForTheCallback);
    assertEquals(List.of("before", "the callback's", "after"), sent);
    callbacks.close();
  }

  /** It may be what tells a loss. */
  @Test
  void aCloseInterruptsNoCallback() throws Exception {
    Callbacks callbacks = new Callbacks(Optional.empty(), time);
    CompletableFuture<Thread> begun = new CompletableFuture<>();
    CompletableFuture<String> ended = new CompletableFuture<>();
    CountDownLatch goOn = new CountDownLatch(1);
    callbacks.execute(
        () -> {
          begun.complete(Thread.currentThread());
          try {
            goOn.await();
            ended.complete("by itself");
          } catch (InterruptedException e) {
            ended.complete("interrupted");
          }
        });
    assertTrue(begun.get(30, TimeUnit.SECONDS).isDaemon(), "it keeps the process from its end");
    callbacks.close();
    goOn.countDown();
    assertEquals("by itself", ended.get(30, TimeUnit.SECONDS));
  }

  private void isTold(Optional<Executor> executor) throws InterruptedException {
    Callbacks callbacks = new Callbacks(executor, time, crowded);
    CountDownLatch told = new CountDownLatch(1);
    callbacks.execute(told::countDown);
    assertTrue(told.await(30, TimeUnit.SECONDS));
    callbacks.close();
  }
}
