/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redis.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.TimeSource;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Tests how soon a connection is made again. */
class ReconnectionPausesTest {

  private static final Duration SECOND = Duration.ofSeconds(1);

  private final LockUnavailableException away = new LockUnavailableException("away, on purpose");
  private final Clock time = new Clock();
  private final List<CompletableFuture<String>> asked = new ArrayList<>();
  private final ReconnectingConnection<String> connections =
      new ReconnectingConnection<>(
          "connection",
          () -> {
            CompletableFuture<String> made = new CompletableFuture<>();
            asked.add(made);
            return made;
          },
          ready -> {},
          ended -> {},
          time);

  private void fails() {
    asked.get(asked.size() - 1).completeExceptionally(away);
  }

  private void isMade() {
    asked.get(asked.size() - 1).complete("connection " + asked.size());
  }

  private void breaks() {
    connections.drop(Objects.requireNonNull(connections.current()), away);
  }

  /** A server is used again within a second of its return, however long it was away. */
  @Test
  void aServerThatStaysAwayIsTriedEachSecondInTheEnd() {
    connections.start();
    for (int i = 0; i < 12; i++) {
      fails();
      time.runNext();
    }
    assertEquals(13, asked.size());
    assertGrowing(time.pauses);
  }

  @Test
  void aConnectionThatLastedIsReplacedAtOnce() {
    connections.start();
    isMade();
    time.now += SECOND.toNanos();
    breaks();
    assertEquals(2, asked.size());
  }

  /** A server that ends each connection is not stormed. */
  @Test
  void connectionsThatDoNotLastAreReplacedMoreAndMoreSlowly() {
    connections.start();
    for (int i = 0; i < 12; i++) {
      isMade();
      breaks();
      assertEquals(i + 1, asked.size());
      time.runNext();
    }
    assertGrowing(time.pauses);
    isMade();
    time.now += SECOND.toNanos();
    breaks();
    assertEquals(14, asked.size(), "one that lasted is replaced at once");
    isMade();
    breaks();
    time.runNext();
    assertEquals(time.pauses.get(0), time.pauses.get(12), "the pauses begin anew");
  }

  @Test
  void noneIsMadeAfterTheEnd() {
    connections.start();
    fails();
    connections.end();
    time.runNext();
    connections.start();
    assertEquals(1, asked.size());
  }

  private static void assertGrowing(List<Duration> pauses) {
    assertEquals(pauses.stream().sorted().toList(), pauses);
    Duration first = pauses.get(0);
    assertTrue(first.toMillis() > 0 && first.toMillis() < 100, first.toString());
    assertEquals(SECOND, pauses.get(pauses.size() - 1));
  }

  /** Goes on from one task to the next. */
  private static final class Clock implements TimeSource {

    private record Task(Duration delay, Runnable work) {}

    private final Queue<Task> tasks = new ArrayDeque<>();
    private final List<Duration> pauses = new ArrayList<>();
    private long now;

    void runNext() {
      Task next = tasks.remove();
      pauses.add(next.delay());
      now += next.delay().toNanos();
      next.work().run();
    }

    @Override
    public long nanos() {
      return now;
    }

    @Override
    public Timer schedule(Duration delay, Runnable work) {
      tasks.add(new Task(delay, work));
      return () -> {};
    }

    @Override
    public void close() {}
  }
}
