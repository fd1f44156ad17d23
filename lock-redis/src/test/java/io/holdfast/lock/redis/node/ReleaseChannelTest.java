/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redis.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.TimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Who is woken by which message, and when. */
class ReleaseChannelTest {

  /** In which no one that was not named is woken. */
  private static final Duration TURN = Duration.ofMillis(100);

  /** Stands still. Its task runs when the test says so. */
  private static final class StandingTime implements TimeSource {
    long now;
    final List<Runnable> tasks = new ArrayList<>();
    Duration delay = Duration.ZERO;

    @Override
    public long nanos() {
      return now;
    }

    @Override
    public Timer schedule(Duration after, Runnable task) {
      delay = after;
      tasks.add(task);
      return () -> {};
    }

    @Override
    public void close() {}

    void passes(Duration time) {
      now += time.toNanos();
      tasks.remove(0).run();
    }
  }

  private final StandingTime time = new StandingTime();
  private final ReleaseChannel channel = new ReleaseChannel(time);
  private final List<String> woken = new ArrayList<>();

  ReleaseChannelTest() {
    for (String owner : List.of("a", "b")) {
      channel.waiters.put(owner, () -> woken.add(owner));
    }
  }

  @Test
  void aMessageThatNamesNobodyWakesAll() {
    channel.told("the-one-that-released");
    assertEquals(List.of("a", "b"), woken);
    assertEquals(0, time.tasks.size());
  }

  @Test
  void whoIsNamedIsWokenAlone() {
    channel.told("the-one-that-released b");
    assertEquals(List.of("b"), woken);
    assertEquals(0, time.tasks.size());
  }

  @Test
  void theOthersAreWokenWhenItsTurnIsOver() {
    channel.told("the-one-that-released of-another-client");
    assertEquals(List.of(), woken);
    assertTrue(time.delay.compareTo(TURN) >= 0, time.delay::toString);
    assertTrue(time.delay.compareTo(TURN.multipliedBy(2)) <= 0, time.delay::toString);
    time.passes(time.delay);
    assertEquals(List.of("a", "b"), woken);
    assertEquals(0, time.tasks.size());
  }

  @Test
  void aFurtherMessageBeginsAnotherTurn() {
    channel.told("the-one-that-released of-another-client");
    Duration first = time.delay;
    time.now += first.toNanos() - 1;
    channel.told("of-another-client another");
    assertEquals(1, time.tasks.size(), "one timer will do");
    time.passes(Duration.ofNanos(1));
    assertEquals(List.of(), woken);
    time.passes(time.delay);
    assertEquals(List.of("a", "b"), woken);
    channel.told("another of-another-client");
    assertEquals(1, time.tasks.size());
    time.passes(time.delay);
    assertEquals(List.of("a", "b", "a", "b"), woken);
  }
}
