/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.memory;

import static io.holdfast.lock.memory.MemoryHarness.granted;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.DistributedSemaphore;
import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockEvent;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.Renewal;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import jdk.jfr.consumer.RecordedEvent;
import org.junit.jupiter.api.Test;

/** Tests the flight recorder's events of leases while they are held. */
class JfrLeaseEventsTest extends JfrRecordings {

  @Test
  void modesAndPermits() throws IOException {
    LockClient client = scene.client();
    DistributedSemaphore exports = client.semaphore("jfr-g exports", 5, MemoryHarness.TEN_SECONDS);
    List<RecordedEvent> events =
        recorded(
            "jfr-g",
            Duration.ZERO,
            () -> {
              granted(client.readWriteLock("jfr-g read").readLock().acquireAsync()).release();
              granted(client.readWriteLock("jfr-g write").writeLock().acquireAsync()).release();
              granted(exports.permits(2).acquireAsync());
              scene.server.revoke("jfr-g exports");
              scene.time.advance(Duration.ofSeconds(10));
            });
    for (String type : List.of("LockWait", "LockHold")) {
      assertEquals(
          List.of("PERMITS", "READ", "WRITE"),
          strings(of(events, type), "mode").stream().sorted().toList(),
          type);
    }
    for (String type : List.of("LockWait", "LockHold", "LockLoss")) {
      for (RecordedEvent event : of(events, type)) {
        assertEquals(
            event.getString("mode").equals("PERMITS") ? 2 : 0, event.getInt("permits"), type);
      }
    }
    assertEquals(List.of("PERMITS"), strings(of(events, "LockLoss"), "mode"));
  }

  @Test
  void lossesAndRenewalsThatFail() throws IOException {
    LockClient client = scene.client();
    Duration left = Duration.ofSeconds(3);
    LockOptions warned = MemoryHarness.TEN_SECONDS.withEarlyWarning(left);
    List<RecordedEvent> events =
        recorded(
            "jfr-b",
            Duration.ZERO,
            () -> {
              // A lease that nobody has a reference to is released.
              Lease held = granted(client.lock("jfr-b\nforged", warned).acquireAsync());
              scene.server.goAway();
              scene.time.advance(Duration.ofSeconds(10));
              scene.server.comeBack();
              assertFalse(held.isValid());
            });
    List<RecordedEvent> failures = of(events, "RenewalFailure");
    assertEquals(scene.count(LockEvent.RenewalFailed.class), failures.size());
    assertTrue(failures.size() >= 3, events.toString());
    for (RecordedEvent failure : failures) {
      Duration remaining = failure.getDuration("remaining");
      assertTrue(remaining.toMillis() > 0 && remaining.toMillis() < 6_700, remaining::toString);
      assertCause(failure);
    }
    List<RecordedEvent> warnings = of(events, "EarlyWarning");
    assertEquals(
        List.of(left), warnings.stream().map(event -> event.getDuration("remaining")).toList());
    assertCause(warnings.get(0));
    List<RecordedEvent> losses = of(events, "LockLoss");
    assertEquals(List.of("UNREACHABLE"), strings(losses, "reason"));
    assertEquals(List.of("LOST"), strings(of(events, "LockHold"), "outcome"));
    assertEquals(List.of("jfr-b\\u000aforged"), strings(losses, "lockName"));
  }

  @Test
  void earlierEnds() throws IOException {
    LockOptions fixed = MemoryHarness.TEN_SECONDS.withRenewal(Renewal.none());
    LockClient client = scene.client();
    List<RecordedEvent> events =
        recorded(
            "jfr-h",
            Duration.ZERO,
            () -> {
              Lease lease = granted(client.lock("jfr-h", fixed).acquireAsync());
              lease.expireInAsync(Duration.ofSeconds(2));
              lease.expireInAsync(Duration.ofSeconds(3));
              scene.time.advance(Duration.ofSeconds(5));
            });
    List<RecordedEvent> ends = of(events, "EarlierEnd");
    assertEquals(1, ends.size(), "a later end is an extension");
    Duration remaining = ends.get(0).getDuration("remaining");
    assertTrue(remaining.compareTo(Duration.ofSeconds(2)) <= 0, remaining::toString);
    assertEquals(1, scene.count(LockEvent.EndsEarlier.class));
  }

  /** JDK 17 may lack a text that an earlier recording of the same JVM had. */
  private static void assertCause(RecordedEvent event) {
    String cause = event.getString("cause");
    if (cause != null || Runtime.version().feature() > 17) {
      assertEquals("The server is away", cause);
    }
  }
}
