/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.LockUnavailableException;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Tests what the caller of a blocking form is thrown. */
class BlockingTest {

  /** It was made on another thread, whose stack does not have the caller. */
  @Test
  void aFailureShowsWhereItsCallerWaited() {
    Throwable failure = new LockUnavailableException("no answer");
    assertSame(failure, thrown(LockUnavailableException.class, failure));
    assertEquals(1, failure.getSuppressed().length);
    StackTraceElement[] waited = failure.getSuppressed()[0].getStackTrace();
    assertTrue(
        Arrays.stream(waited).anyMatch(at -> at.getMethodName().equals("thrown")),
        () -> Arrays.toString(waited));
  }

  @Test
  void anErrorIsThrownAsItIs() {
    Throwable failure = new NoClassDefFoundError("gone, on purpose");
    assertSame(failure, thrown(NoClassDefFoundError.class, failure));
  }

  @Test
  void anyOtherFailureIsOneOfTheEngine() {
    Throwable failure = new IllegalArgumentException("on purpose");
    assertSame(failure, thrown(IllegalStateException.class, failure).getCause());
  }

  private static <T extends Throwable> T thrown(Class<T> type, Throwable failure) {
    return assertThrows(type, () -> Blocking.await(CompletableFuture.failedFuture(failure)));
  }
}
