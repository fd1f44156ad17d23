/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.spi.support;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

class SerialExecutorTest {

  private final SerialExecutor steps = new SerialExecutor();
  private final List<String> begun = new ArrayList<>();

  private CompletableFuture<String> next(String name, CompletableFuture<String> result) {
    return steps.next(
        () -> {
          begun.add(name);
          return result;
        });
  }

  @Test
  void aStepBeginsWhenThoseBeforeItHaveCompleted() {
    assertTrue(steps.isIdle());
    CompletableFuture<String> first = new CompletableFuture<>();
    CompletableFuture<String> second = new CompletableFuture<>();
    CompletableFuture<String> one = next("one", first);
    CompletableFuture<String> two = next("two", second);
    CompletableFuture<String> three = next("three", CompletableFuture.completedFuture("3"));
    assertEquals(List.of("one"), begun);
    first.complete("1");
    assertEquals("1", one.join());
    assertEquals(List.of("one", "two"), begun);
    assertFalse(steps.isIdle());
    second.complete("2");
    assertEquals("2", two.join());
    assertEquals("3", three.join());
    assertTrue(steps.isIdle());
  }

  @Test
  void aFailureEndsItsStepOnly() {
    CompletableFuture<String> first = new CompletableFuture<>();
    CompletableFuture<String> one = next("one", first);
    CompletableFuture<String> two = next("two", CompletableFuture.completedFuture("2"));
    IllegalStateException failure = new IllegalStateException();
    first.completeExceptionally(failure);
    assertSame(failure, assertThrows(CompletionException.class, one::join).getCause());
    assertEquals("2", two.join());
  }

  @Test
  void anExceptionOfAStepIsItsFailure() {
    Error thrown = new NoClassDefFoundError();
    CompletableFuture<String> one =
        steps.next(
            () -> {
              throw thrown;
            });
    assertSame(thrown, assertThrows(CompletionException.class, one::join).getCause());
    assertEquals("2", next("two", CompletableFuture.completedFuture("2")).join());
    assertTrue(steps.isIdle());
  }

  @Test
  void aCallerWithAResultNeedNotWaitForTheNextTurn() {
    CompletableFuture<String> first = new CompletableFuture<>();
    CompletableFuture<Boolean> idle = next("one", first).thenApply(result -> steps.isIdle());
    first.complete("1");
    assertTrue(idle.join());
  }
}
