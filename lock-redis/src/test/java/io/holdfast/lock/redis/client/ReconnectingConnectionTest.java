/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redis.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.TimeSource;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Tests which connection is used, and which ones are ended. */
class ReconnectingConnectionTest {

  private final LockUnavailableException broken =
      new LockUnavailableException("broken, on purpose");

  private final Tasks tasks = new Tasks();
  private final List<CompletableFuture<String>> asked = new ArrayList<>();
  private final List<String> ready = new ArrayList<>();
  private final List<String> ended = new ArrayList<>();
  private final ReconnectingConnection<String> connections =
      new ReconnectingConnection<>("connection", this::connect, ready::add, ended::add, tasks);

  private boolean hasRoom = true;

  private CompletableFuture<String> connect() {
    if (!hasRoom) {
      throw new OutOfMemoryError("no thread, as a test says");
    }
    CompletableFuture<String> made = new CompletableFuture<>();
    asked.add(made);
    return made;
  }

  private void made(String connection) {
    tasks.runAll();
    asked.get(asked.size() - 1).complete(connection);
    assertEquals(connection, connections.current());
  }

  @Test
  void oneThatBreaksIsReplaced() {
    CompletableFuture<Void> started = connections.start();
    made("first");
    assertNull(started.join());
    connections.drop("first", broken);
    assertNull(connections.current());
    assertSame(broken, connections.lastFailure());
    made("second");
    assertNull(connections.lastFailure());
    assertEquals(List.of("first", "second"), ready);
    assertEquals(List.of("first"), ended);
  }

  /** Several requests that were under way on it fail, one after another. */
  @Test
  void aFailureOfOneThatIsReplacedLeavesTheNext() {
    connections.start();
    made("first");
    connections.drop("first", broken);
    connections.drop("first", broken);
    made("second");
    connections.drop("first", broken);
    tasks.runAll();
    assertEquals("second", connections.current());
    assertNull(connections.lastFailure());
    assertEquals(2, asked.size());
    assertEquals(List.of("first"), ended);
  }

  /** As where a process may have no more threads for a while. */
  @Test
  void oneThatCannotBeAskedForIsAskedForAgain() {
    connections.start();
    made("first");
    hasRoom = false;
    connections.drop("first", broken);
    tasks.runNext();
    assertNull(connections.current());
    hasRoom = true;
    made("second");
    assertEquals(List.of("first", "second"), ready);
  }

  @Test
  void oneThatIsMadeAfterTheEndIsEnded() {
    connections.start();
    connections.end();
    asked.get(0).complete("late");
    assertNull(connections.current());
    assertEquals(List.of(), ready);
    assertEquals(List.of("late"), ended);
  }

  /** Their time does not matter here. */
  private static final class Tasks implements TimeSource {

    private final Queue<Runnable> tasks = new ArrayDeque<>();

    void runNext() {
      tasks.remove().run();
    }

    void runAll() {
      while (!tasks.isEmpty()) {
        tasks.remove().run();
      }
    }

    @Override
    public long nanos() {
      return 0;
    }

    @Override
    public Timer schedule(Duration delay, Runnable task) {
      tasks.add(task);
      return () -> tasks.remove(task);
    }

    @Override
    public void close() {}
  }
}
