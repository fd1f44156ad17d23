/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.Locks;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** Tests what a server in memory leaves behind. */
@Isolated("counts the timers of the JVM")
class ServerEndTest {

  private final Set<Thread> before = timers();

  @Test
  void aClientOfTheProviderLeavesNoTimer() throws InterruptedException {
    try (LockClient client = Locks.open(Map.of("provider", "memory"))) {
      client.lock("a").acquire().release();
      assertFalse(started().isEmpty());
    }
    assertNoneStays();
  }

  @Test
  void aServerThatIsClosedLeavesNoTimer() throws InterruptedException {
    try (MemoryServer server = new MemoryServer();
        LockClient client = server.open()) {
      client.lock("a").acquire().release();
    }
    assertNoneStays();
  }

  @Test
  void aServerThatIsClosedStopsNoTimerOfItsClock() {
    ManualTime time = new ManualTime();
    List<String> ran = new ArrayList<>();
    time.schedule(Duration.ofSeconds(1), () -> ran.add("here"));
    new MemoryServer(time).close();
    time.advance(Duration.ofSeconds(1));
    assertEquals(List.of("here"), ran);
  }

  private void assertNoneStays() throws InterruptedException {
    for (Thread timer : started()) {
      timer.join(Duration.ofSeconds(10).toMillis());
      assertFalse(timer.isAlive(), timer::toString);
    }
  }

  private Set<Thread> started() {
    Set<Thread> started = timers();
    started.removeAll(before);
    return started;
  }

  private static Set<Thread> timers() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().equals("holdfast-timer"))
        .collect(Collectors.toSet());
  }
}
