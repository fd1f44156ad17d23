/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.guard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.StaleTokenException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class TokenGuardTest {

  @Test
  void lowerTokensAreRefusedAndNothingRuns() throws Exception {
    TokenGuard guard = new TokenGuard("report");
    assertEquals("first", guard.call(5, () -> "first"));
    assertEquals("again", guard.call(5, () -> "again"));
    assertEquals("next", guard.call(9, () -> "next"));
    AtomicInteger ran = new AtomicInteger();
    StaleTokenException told =
        assertThrows(StaleTokenException.class, () -> guard.call(8, ran::incrementAndGet));
    assertEquals(0, ran.get());
    assertTrue(String.valueOf(told.getMessage()).contains("Token 8 is stale at 'report': 9"));
    assertEquals(9, guard.newest());
    assertThrows(
        StaleTokenException.class, () -> new TokenGuard("report", 7).call(6, ran::incrementAndGet));
  }

  @Test
  void aWriteThatFailsHasStillBeenThere() {
    TokenGuard guard = new TokenGuard("report");
    assertThrows(
        IOException.class,
        () ->
            guard.call(
                5,
                () -> {
                  throw new IOException("the user's");
                }));
    assertThrows(StaleTokenException.class, () -> guard.call(4, () -> "late"));
  }

  @Test
  void badTokensAreRefused() {
    TokenGuard guard = new TokenGuard("report");
    assertThrows(IllegalArgumentException.class, () -> guard.call(0, () -> ""));
    assertThrows(IllegalArgumentException.class, () -> guard.call(-1, () -> ""));
    assertThrows(IllegalArgumentException.class, () -> new TokenGuard("report", -1));
  }

  /** It would be overwritten by the one before, whose token it has replaced. */
  @Test
  void aWriteWaitsUntilTheOneBeforeHasEnded() throws Exception {
    TokenGuard guard = new TokenGuard("report");
    List<String> written = Collections.synchronizedList(new ArrayList<>());
    Thread next =
        new Thread(
            () -> {
              try {
                guard.call(9, () -> written.add("next"));
              } catch (Exception e) {
                throw new IllegalStateException(e);
              }
            });
    guard.call(
        5,
        () -> {
          next.start();
          while (next.isAlive() && next.getState() != Thread.State.WAITING) {
            Thread.onSpinWait();
          }
          return written.add("first");
        });
    next.join();
    assertEquals(List.of("first", "next"), written);
  }

  /** Writes are in the order of the tokens, whichever thread comes first. */
  @Test
  void writesOfManyThreadsNeverGoBack() throws Exception {
    TokenGuard guard = new TokenGuard("report");
    List<Long> written = Collections.synchronizedList(new ArrayList<>());
    AtomicInteger refused = new AtomicInteger();
    CountDownLatch go = new CountDownLatch(1);
    List<CompletableFuture<Void>> threads = new ArrayList<>();
    for (int thread = 0; thread < 4; thread++) {
      long begin = 1L + thread;
      threads.add(
          CompletableFuture.runAsync(
              () -> {
                for (long token = begin; token < 4_000; token += 4) {
                  long mine = token;
                  try {
                    go.await();
                    guard.call(mine, () -> written.add(mine));
                  } catch (StaleTokenException e) {
                    refused.incrementAndGet();
                  } catch (Exception e) {
                    throw new IllegalStateException(e);
                  }
                }
              }));
    }
    go.countDown();
    CompletableFuture.allOf(threads.toArray(CompletableFuture[]::new)).join();
    assertEquals(written.stream().sorted().toList(), List.copyOf(written));
    assertEquals(3_999, written.size() + refused.get());
    assertEquals(written.get(written.size() - 1), guard.newest());
  }
}
