/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.TimeSource;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import org.junit.jupiter.api.Test;

class BorrowedTimeTest {

  private final Lender lender = new Lender();
  private final List<String> ran = new ArrayList<>();
  private final TimeSource one = lent();
  private final TimeSource other = lent();

  @Test
  void aClosedTimeRunsNoTaskAndStopsNoTaskOfAnother() {
    one.schedule(Duration.ZERO, () -> ran.add("one"));
    other.schedule(Duration.ZERO, () -> ran.add("other"));
    one.close();
    one.schedule(Duration.ZERO, () -> ran.add("too late"));
    lender.run();
    assertEquals(List.of("other"), ran);
  }

  @Test
  void aTaskThatIsCalledOffDoesNotRun() {
    one.schedule(Duration.ZERO, () -> ran.add("one")).cancel();
    lender.run();
    assertEquals(List.of(), ran);
  }

  private TimeSource lent() {
    return BorrowedTime.of(ClientOptions.defaults().withTime(lender));
  }

  private static final class Lender implements TimeSource {

    private final Queue<Runnable> tasks = new ArrayDeque<>();

    void run() {
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
    public void close() {
      throw new AssertionError("the clock is not the client's");
    }
  }
}
