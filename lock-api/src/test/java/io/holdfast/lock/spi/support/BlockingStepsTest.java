/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.spi.support;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.LockRejectedException;
import io.holdfast.lock.LockUnavailableException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class BlockingStepsTest {

  private static final Duration PLENTY = Duration.ofSeconds(20);
  private static final Duration SHORT = Duration.ofMillis(150);

  private final CountDownLatch driver = new CountDownLatch(1);
  private final CountDownLatch givenUp = new CountDownLatch(1);
  private final List<BlockingSteps> opened = new ArrayList<>();

  private BlockingSteps open(Duration limit) {
    BlockingSteps steps =
        new BlockingSteps(
            "steps-test",
            limit,
            (doing, failure) -> new LockRejectedException(doing + " failed", failure),
            givenUp::countDown);
    opened.add(steps);
    return steps;
  }

  @AfterEach
  void close() {
    driver.countDown();
    opened.forEach(BlockingSteps::close);
  }

  @Test
  void stepsAreTakenInOrderByOneDaemon() {
    BlockingSteps steps = open(PLENTY);
    List<Integer> taken = new ArrayList<>();
    List<CompletableFuture<Thread>> answers = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      int number = i;
      answers.add(
          steps.ask(
              "Counting",
              () -> {
                taken.add(number);
                return Thread.currentThread();
              }));
    }
    Thread thread = answers.get(0).join();
    assertTrue(thread.isDaemon());
    assertEquals("steps-test", thread.getName());
    answers.forEach(answer -> assertSame(thread, answer.join()));
    assertEquals(taken.stream().sorted().toList(), taken);
    assertEquals(100, taken.size());
  }

  @Test
  void failuresAreTyped() {
    BlockingSteps steps = open(PLENTY);
    SQLException broken = new SQLException("broken");
    Throwable told =
        failure(
            steps.ask(
                "Acquiring lock 'a'",
                () -> {
                  throw broken;
                }));
    assertInstanceOf(LockRejectedException.class, told);
    assertEquals("Acquiring lock 'a' failed", told.getMessage());
    assertSame(broken, told.getCause());

    LockUnavailableException known = new LockUnavailableException("known");
    told =
        failure(
            steps.ask(
                "Acquiring lock 'a'",
                () -> {
                  throw known;
                }));
    assertSame(known, told);
    told =
        failure(
            steps.ask(
                "Acquiring lock 'a'",
                () -> {
                  throw new StackOverflowError();
                }));
    assertInstanceOf(LockRejectedException.class, told);
    assertEquals("next", steps.ask("Going on", () -> "next").join());
  }

  @Test
  void aStepThatTakesTooLongIsGivenUpAndTheOnesBehindItAreNotTaken() throws Exception {
    BlockingSteps steps = open(SHORT);
    AtomicBoolean late = new AtomicBoolean();
    CountDownLatch begun = new CountDownLatch(1);
    CompletableFuture<Boolean> hanging;
    do {
      hanging =
          steps.ask(
              "Acquiring lock 'a'",
              () -> {
                begun.countDown();
                return driver.await(PLENTY.toSeconds(), TimeUnit.SECONDS);
              });
      // A thread that begins late does not take what was given up already.
    } while (!isTaken(begun, hanging));
    CompletableFuture<Void> behind =
        steps.ask(
            "Releasing lock 'b'",
            () -> {
              late.set(true);
              throw new IllegalStateException("taken after it was given up");
            });
    Throwable told = failure(hanging);
    assertInstanceOf(LockUnavailableException.class, told);
    assertEquals("Acquiring lock 'a' failed: no answer within 150 ms", told.getMessage());
    assertInstanceOf(LockUnavailableException.class, failure(behind));
    assertTrue(givenUp.await(PLENTY.toSeconds(), TimeUnit.SECONDS), "the driver was not told");
    driver.countDown();
    assertEquals("next", answered(steps));
    assertFalse(late.get());
  }

  @Test
  void nothingIsGivenUpThatEndsInTime() {
    BlockingSteps steps = open(PLENTY);
    steps.ask("Acquiring lock 'a'", () -> "granted").join();
    assertThrows(
        CompletionException.class,
        () ->
            steps
                .ask(
                    "Acquiring lock 'a'",
                    () -> {
                      throw new SQLException("refused");
                    })
                .join());
    assertEquals(1, givenUp.getCount());
  }

  @Test
  void closeTakesWhatWasAskedForAndRefusesTheRest() {
    BlockingSteps steps = open(PLENTY);
    AtomicBoolean taken = new AtomicBoolean();
    CountDownLatch closing = new CountDownLatch(1);
    CompletableFuture<Boolean> first =
        steps.ask("Waiting", () -> closing.await(PLENTY.toSeconds(), TimeUnit.SECONDS));
    CompletableFuture<String> last =
        steps.ask(
            "Closing",
            () -> {
              taken.set(true);
              return "done";
            });
    closing.countDown();
    steps.close();
    assertTrue(taken.get());
    assertTrue(first.join());
    assertEquals("done", last.join());
    Throwable told = failure(steps.ask("Acquiring lock 'a'", () -> "granted"));
    assertInstanceOf(LockUnavailableException.class, told);
    assertEquals("Acquiring lock 'a' failed: the lock client is closed", told.getMessage());
  }

  @Test
  void closeByAnInterruptedThreadWaitsAsWell() {
    BlockingSteps steps = open(PLENTY);
    CompletableFuture<String> last =
        steps.ask(
            "Closing",
            () -> {
              driver.await(SHORT.toMillis(), TimeUnit.MILLISECONDS);
              return "done";
            });
    Thread.currentThread().interrupt();
    steps.close();
    assertTrue(Thread.interrupted(), "the interrupt is lost");
    assertTrue(last.isDone());
  }

  @Test
  void closeDoesNotWaitForADriverThatHangs() {
    BlockingSteps steps =
        new BlockingSteps(
            "steps-test",
            SHORT,
            (doing, failure) -> new LockUnavailableException(doing, failure),
            () -> {});
    opened.add(steps);
    steps.ask("Hanging", () -> driver.await(PLENTY.toSeconds(), TimeUnit.SECONDS));
    long begun = System.nanoTime();
    steps.close();
    assertTrue(System.nanoTime() - begun < PLENTY.toNanos() / 2);
  }

  @Test
  void closeInterruptsADriverThatHangs() throws InterruptedException {
    BlockingSteps steps = open(SHORT);
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch interrupted = new CountDownLatch(1);
    CompletableFuture<Boolean> hanging;
    do {
      hanging =
          steps.ask(
              "Hanging",
              () -> {
                begun.countDown();
                try {
                  return driver.await(PLENTY.toSeconds(), TimeUnit.SECONDS);
                } catch (InterruptedException e) {
                  interrupted.countDown();
                  throw e;
                }
              });
    } while (!isTaken(begun, hanging));
    steps.close();
    assertTrue(interrupted.await(PLENTY.toSeconds(), TimeUnit.SECONDS));
  }

  /** To close a connection may take as long as the call that is given up. */
  @Test
  void toGiveUpOneStepDelaysNoOther() throws InterruptedException {
    CompletableFuture<Thread> givingUp = new CompletableFuture<>();
    AtomicBoolean hasGivenUp = new AtomicBoolean();
    BlockingSteps stuck =
        new BlockingSteps(
            "steps-test",
            SHORT,
            (doing, failure) -> new LockRejectedException(doing, failure),
            () -> {
              givingUp.complete(Thread.currentThread());
              awaitDriver();
              hasGivenUp.set(true);
            });
    opened.add(stuck);
    CountDownLatch begun = new CountDownLatch(1);
    CompletableFuture<Boolean> hanging;
    do {
      hanging =
          stuck.ask(
              "Hanging",
              () -> {
                begun.countDown();
                return awaitDriver();
              });
    } while (!isTaken(begun, hanging));
    assertTrue(givingUp.orTimeout(PLENTY.toSeconds(), TimeUnit.SECONDS).join().isDaemon());
    assertInstanceOf(
        LockUnavailableException.class,
        failure(open(SHORT).ask("Hanging, too", this::awaitDriver)));
    assertFalse(hasGivenUp.get());
  }

  private boolean awaitDriver() {
    try {
      return driver.await(PLENTY.toSeconds(), TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** An interrupt every few milliseconds, for longer than the limit. */
  @Test
  void interruptsDoNotProlongAClose() throws InterruptedException {
    BlockingSteps steps = open(SHORT);
    steps.ask("Hanging", () -> driver.await(PLENTY.toSeconds(), TimeUnit.SECONDS));
    Thread closing = new Thread(steps::close);
    closing.start();
    long begun = System.nanoTime();
    while (closing.isAlive() && System.nanoTime() - begun < PLENTY.toNanos() / 2) {
      closing.interrupt();
      closing.join(SHORT.toMillis() / 10);
    }
    assertFalse(closing.isAlive());
  }

  private static boolean isTaken(CountDownLatch begun, CompletableFuture<?> answer)
      throws InterruptedException {
    while (!begun.await(1, TimeUnit.MILLISECONDS)) {
      if (answer.isDone()) {
        return begun.getCount() == 0;
      }
    }
    return true;
  }

  /** Asks until there is an answer in time, as the limit is short for this step, too. */
  private static String answered(BlockingSteps steps) {
    long end = System.nanoTime() + PLENTY.toNanos();
    while (true) {
      try {
        return steps.ask("Going on", () -> "next").join();
      } catch (CompletionException e) {
        assertTrue(System.nanoTime() - end < 0, "it does not go on");
        assertInstanceOf(LockUnavailableException.class, e.getCause());
      }
    }
  }

  private static Throwable failure(CompletableFuture<?> answer) {
    return Objects.requireNonNull(assertThrows(CompletionException.class, answer::join).getCause());
  }
}
