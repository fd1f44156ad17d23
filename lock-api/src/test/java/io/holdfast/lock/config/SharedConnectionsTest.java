/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.LockClosedException;
import io.holdfast.lock.LockUnavailableException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Connections that are opened once, and closed whenever they were opened. */
class SharedConnectionsTest {

  private static final long PATIENCE_SECONDS = 30;

  private final List<String> closed = new ArrayList<>();
  private final List<String> opened = new ArrayList<>();
  private final SharedConnections<String, String> connections =
      new SharedConnections<>(closed::add);

  /** Opens, on another thread, what is there when the test says so. */
  private final class Opening implements Supplier<String> {

    private final CountDownLatch begun = new CountDownLatch(1);
    private final CompletableFuture<String> result = new CompletableFuture<>();
    private final CompletableFuture<String> asked;

    Opening(String key) {
      asked = CompletableFuture.supplyAsync(() -> connections.get(key, "jobs", this));
      await(begun);
    }

    @Override
    public String get() {
      begun.countDown();
      return result.orTimeout(PATIENCE_SECONDS, TimeUnit.SECONDS).join();
    }

    Throwable failure() {
      CompletionException told =
          assertThrows(
              CompletionException.class,
              () -> asked.orTimeout(PATIENCE_SECONDS, TimeUnit.SECONDS).join());
      return Objects.requireNonNull(told.getCause());
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      assertTrue(latch.await(PATIENCE_SECONDS, TimeUnit.SECONDS));
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private String get(String key) {
    return connections.get(
        key,
        "jobs",
        () -> {
          opened.add(key);
          return "connection to " + key;
        });
  }

  @Test
  void eachKeyIsOpenedOnce() {
    assertEquals("connection to a", get("a"));
    assertEquals("connection to b", get("b"));
    assertEquals("connection to a", get("a"));
    assertEquals(List.of("a", "b"), opened);
    connections.close();
    assertEquals(List.of("connection to a", "connection to b"), closed.stream().sorted().toList());
  }

  @Test
  void aFailureIsThrownAsItIsAndTheNextCallOpensAgain() {
    LockUnavailableException away = new LockUnavailableException("away");
    assertSame(
        away,
        assertThrows(
            LockUnavailableException.class,
            () ->
                connections.get(
                    "a",
                    "jobs",
                    () -> {
                      throw away;
                    })));
    assertEquals("connection to a", get("a"));
    connections.close();
    assertEquals(List.of("connection to a"), closed);
  }

  @Test
  void aConnectionThatIsOpenedDuringTheCloseIsClosedAndNotHandedOut() {
    Opening opening = new Opening("a");
    connections.close();
    assertEquals(List.of(), closed);
    opening.result.complete("late");
    assertInstanceOf(LockClosedException.class, opening.failure());
    assertTrue(closed.contains("late"));
  }

  /** It looked for connections before this one was begun, so nobody else would close it. */
  @Test
  void aConnectionThatTheCloseDidNotFindIsClosedToo() {
    SharedConnections<Object, String> own = new SharedConnections<>(closed::add);
    Object closing =
        new Object() {
          @Override
          public int hashCode() {
            own.close();
            return 0;
          }
        };
    assertThrows(LockClosedException.class, () -> own.get(closing, "jobs", () -> "late"));
    assertEquals(List.of("late"), closed);
  }

  /** A connection would be made only to be closed, and fail with another error without a server. */
  @Test
  void nothingIsOpenedAfterTheClose() {
    get("a");
    connections.close();
    for (String key : List.of("a", "b")) {
      LockClosedException told = assertThrows(LockClosedException.class, () -> get(key));
      assertTrue(String.valueOf(told.getMessage()).contains("'jobs'"), told.getMessage());
    }
    assertEquals(List.of("a"), opened);
  }

  @Test
  void aCloseThatFailsKeepsNoOtherConnectionOpen() {
    SharedConnections<String, String> failing =
        new SharedConnections<>(
            connection -> {
              closed.add(connection);
              throw new IllegalStateException("on purpose");
            });
    failing.get("a", "jobs", () -> "a");
    failing.get("b", "jobs", () -> "b");
    failing.close();
    assertEquals(List.of("a", "b"), closed.stream().sorted().toList());
  }
}
