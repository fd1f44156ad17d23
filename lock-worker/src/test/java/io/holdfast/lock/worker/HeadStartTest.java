/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockEvent;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.Renewal;
import io.holdfast.lock.memory.MemoryServer;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** However long the head start, a lease is renewed before it begins. */
@Timeout(60)
class HeadStartTest {

  private static final WorkerOptions LONG =
      WorkerOptions.defaults()
          .withOptions(LockOptions.defaults().withTtl(Duration.ofSeconds(6)))
          .withHeadStart(Duration.ofSeconds(5));

  private static WorkerOptions renewed(Renewal renewal) {
    return LONG.withOptions(LONG.options().withRenewal(renewal)).withHeadStart(LONG.headStart());
  }

  private static void assertHeadStart(int expected, WorkerOptions options, int granted) {
    assertEquals(Duration.ofMillis(expected), options.headStart(Duration.ofMillis(granted)));
  }

  @Test
  void isAtMostAThirdOfWhatIsGranted() {
    assertHeadStart(2_000, LONG, 6_000);
    assertHeadStart(1_000, LONG, 3_000);
    assertHeadStart(5_000, LONG, 15_001);
    assertHeadStart(1_200, LONG.withHeadStart(Duration.ofMillis(1_200)), 6_000);
  }

  @Test
  void mayBeLongerTheMoreOftenTheLeaseIsRenewed() {
    assertHeadStart(4_000, renewed(Renewal.every(Duration.ofSeconds(1))), 6_000);
    assertHeadStart(5_000, renewed(Renewal.every(Duration.ofMillis(100))), 6_000);
    assertHeadStart(2_000, renewed(Renewal.every(Duration.ofSeconds(3))), 6_000);
    assertHeadStart(1_000, renewed(Renewal.every(Duration.ofSeconds(3))), 3_000);
  }

  @Test
  void isAsChosenIfTheLeaseIsNotRenewed() {
    assertHeadStart(5_000, renewed(Renewal.none()), 6_000);
  }

  /** A renewal is due after a third of the TTL, and may be late by as much. */
  @Test
  void endsNoWorkWhoseRenewalsAreAnswered() throws Exception {
    WorkerOptions longer =
        LONG.withOptions(LockOptions.defaults().withTtl(Duration.ofSeconds(9)))
            .withHeadStart(Duration.ofSeconds(8));
    RecordedWork recorder = new RecordedWork();
    BlockingQueue<LockEvent.Renewed> renewals = new LinkedBlockingQueue<>();
    try (LockClient client = new MemoryServer().open();
        LockWorker worker = new LockWorker(client, "nightly", recorder, longer)) {
      client.addListener(
          event -> {
            if (event instanceof LockEvent.Renewed renewed) {
              renewals.add(renewed);
            }
          });
      worker.start();
      String owner = recorder.started.take().ownerId();
      for (int i = 0; i < 2; i++) {
        LockEvent.Renewed renewed = renewals.poll(Patience.SECONDS, TimeUnit.SECONDS);
        assertEquals(owner, Objects.requireNonNull(renewed, "no renewal").ownerId());
        assertEquals(List.of(), recorder.stopped);
      }
    }
    assertEquals(List.of(StopReason.STOPPED), recorder.stopped);
  }
}
