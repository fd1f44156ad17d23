/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.servers.ChildJvm;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Several processes ask as fast as they can, and the server's own record is judged, with the
 * server's own times: no window has more than the limit, and nobody was refused what there was.
 */
class RateLimiterWindowTest {

  private static final int PROCESSES = 3;
  private static final Duration START = Duration.ofSeconds(60);

  private final RedisHarness scene = new RedisHarness();

  @AfterEach
  void end() {
    scene.close();
  }

  @Test
  void oneAtATime() throws Exception {
    judge(20, Duration.ofMillis(150), 1, List.of("a"));
  }

  @Test
  void severalAtOnceForTwoKeys() throws Exception {
    judge(10, Duration.ofMillis(300), 4, List.of("a", "{b}"));
  }

  private void judge(int limit, Duration window, int most, List<String> keys) throws Exception {
    List<String> args = new ArrayList<>();
    args.add("redis://" + scene.server.host() + ":" + scene.server.port());
    args.addAll(List.of("" + limit, window.toString(), "" + most));
    args.addAll(keys);
    List<ChildJvm> children =
        IntStream.range(0, PROCESSES)
            .mapToObj(
                i -> scene.closing(ChildJvm.start(LimiterMain.class, args.toArray(String[]::new))))
            .toList();
    children.forEach(child -> child.awaitLine("ready"::equals, START));
    long told = 0;
    List<MonitoredCall> calls;
    try (CallMonitor monitor = CallMonitor.of(scene.server)) {
      children.forEach(child -> child.send(""));
      monitor.awaitCalls(4_000);
      long enough = System.nanoTime() + window.multipliedBy(12).toNanos();
      RedisHarness.until("some windows", () -> System.nanoTime() - enough > 0);
      for (ChildJvm child : children) {
        child.send("");
        String line = child.awaitLine(one -> one.startsWith("granted "), START);
        told += Long.parseLong(line.substring("granted ".length()));
      }
      calls = monitor.end();
    }
    long counted = 0;
    for (String key : keys) {
      List<MonitoredCall> ofKey =
          calls.stream().filter(call -> call.key().equals("lock#rate:" + key)).toList();
      counted += judge(limit, window.toNanos() / 1000, ofKey);
    }
    assertEquals(counted, told, "what the processes were told, and what the server has granted");
  }

  private static long judge(int limit, long window, List<MonitoredCall> calls) {
    Deque<MonitoredCall> inWindow = new ArrayDeque<>();
    int used = 0;
    long granted = 0;
    long refused = 0;
    for (MonitoredCall call : calls) {
      long now = call.grantedAt().orElse(call.begunAt());
      while (!inWindow.isEmpty() && inWindow.getFirst().grantedAt().orElseThrow() + window <= now) {
        used -= inWindow.removeFirst().permits();
      }
      if (call.grantedAt().isPresent()) {
        inWindow.add(call);
        used += call.permits();
        granted += call.permits();
        assertTrue(used <= limit, used + " within a window, at " + call);
      } else {
        refused++;
        assertTrue(used + call.permits() > limit, "refused with only " + used + ", at " + call);
      }
    }
    assertTrue(granted > 5L * limit, "granted only " + granted);
    assertTrue(refused > 500, "refused only " + refused);
    return granted;
  }
}
