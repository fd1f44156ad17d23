/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.memory;

import static io.holdfast.lock.memory.MemoryHarness.granted;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockEvent;
import io.holdfast.lock.LockOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Callbacks of a lease that are told when renewals fail and little of it is left. */
class RenewalFailingTest {

  private static final Duration MINUTE = Duration.ofMinutes(1);

  private final MemoryHarness scene = new MemoryHarness();

  @AfterEach
  void close() {
    scene.close();
  }

  @Test
  void aWarningComesWhileLittleIsLeftAndRenewalsFail() {
    Lease lease = granted(scene.client().lock("a", MemoryHarness.TEN_SECONDS).acquireAsync());
    List<LockEvent.RenewalFailed> told = new ArrayList<>();
    lease.onRenewalFailing(Duration.ofSeconds(3), told::add);
    scene.time.advance(Duration.ofMinutes(5));
    assertEquals(List.of(), told, "warned though renewals succeed");
    scene.server.goAway();
    scene.time.advance(lease.remaining().minusMillis(3_001));
    assertEquals(List.of(), told, "warned too early");
    scene.time.advance(Duration.ofMillis(1));
    assertEquals(1, told.size());
    assertEquals(Duration.ofSeconds(3), told.get(0).remaining());
    assertTrue(lease.isValid());
    scene.server.comeBack();
    scene.time.advance(Duration.ofMinutes(5));
    assertEquals(1, told.size(), "warned again without another episode");
    scene.server.goAway();
    scene.time.advance(Duration.ofMinutes(5));
    assertEquals(2, told.size(), "an episode of its own, told once");
  }

  @Test
  void aServerThatIsSilentIsWarnedOfToo() {
    LockOptions shorter = MemoryHarness.TEN_SECONDS.withTtl(Duration.ofMillis(1_200));
    Lease lease = granted(scene.client().lock("a", shorter).acquireAsync());
    List<LockEvent.RenewalFailed> told = new ArrayList<>();
    // The time-out of a request, a second, is over after the validity.
    scene.server.delayAnswers(MINUTE);
    lease.onRenewalFailing(Duration.ofMillis(400), told::add);
    scene.time.advance(lease.remaining().minusMillis(401));
    assertEquals(List.of(), told);
    scene.time.advance(Duration.ofMillis(2));
    assertEquals(1, told.size());
    scene.server.delayAnswers(Duration.ZERO);
  }

  @Test
  void aSilenceIsNotTheCauseOfWhatHasFailedBefore() {
    LockOptions shorter = MemoryHarness.TEN_SECONDS.withTtl(Duration.ofMillis(1_200));
    Lease lease = granted(scene.client().lock("a", shorter).acquireAsync());
    List<LockEvent.RenewalFailed> told = new ArrayList<>();
    lease.onRenewalFailing(Duration.ofMillis(400), told::add);
    scene.server.goAway();
    // The first renewal is sent after 400 ms.
    scene.time.advance(Duration.ofMillis(500));
    scene.server.comeBack();
    scene.server.delayAnswers(MINUTE);
    scene.time.advance(lease.remaining().minusMillis(400));
    scene.server.delayAnswers(Duration.ZERO);
    assertEquals(
        List.of("The server is away"), told.stream().map(it -> it.cause().getMessage()).toList());
  }

  /** It has come in time, and waits for a step of the lock that takes long. */
  @Test
  void anAnswerThatHasNotBeenLookedAtYetIsNoSilence() {
    LockClient client = scene.client();
    Lease lease = granted(client.lock("a", MemoryHarness.TEN_SECONDS).acquireAsync());
    List<LockEvent.RenewalFailed> told = new ArrayList<>();
    lease.onRenewalFailing(Duration.ofSeconds(9), told::add);
    List<LockEvent> renewed = new ArrayList<>();
    client.addListener(
        event -> {
          if (event instanceof LockEvent.Renewed && renewed.isEmpty()) {
            renewed.add(event);
            // Renewals are sent after 3.33 s and after 5.52 s.
            scene.time.advance(Duration.ofSeconds(6));
          }
        });
    lease.extend(Duration.ofSeconds(10));
    assertEquals(1, renewed.size());
    assertEquals(3, scene.count(LockEvent.Renewed.class));
    assertEquals(List.of(), told);
  }

  @Test
  void aLateCallbackIsWarnedAtOnceAndAReleasedLeaseNever() {
    Lease lease = granted(scene.client().lock("a", MemoryHarness.TEN_SECONDS).acquireAsync());
    scene.server.goAway();
    scene.time.advance(Duration.ofSeconds(8));
    List<LockEvent.RenewalFailed> told = new ArrayList<>();
    lease.onRenewalFailing(Duration.ofSeconds(5), told::add);
    assertEquals(1, told.size());
    lease.onRenewalFailing(Duration.ofMillis(500), told::add);
    lease.release();
    scene.time.advance(Duration.ofSeconds(5));
    assertEquals(1, told.size());
    scene.server.comeBack();
  }
}
