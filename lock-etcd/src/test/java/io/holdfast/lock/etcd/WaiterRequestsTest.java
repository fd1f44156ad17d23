/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.etcd;

import static io.holdfast.lock.etcd.ClaimHarness.join;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.etcd.jetcd.api.WatchRequest;
import io.holdfast.lock.etcd.lock.EtcdClaim;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.ReleaseAnswer;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Tests the requests of a waiter that looks again and again. */
class WaiterRequestsTest {

  private static final Duration TTL = Duration.ofMinutes(2);

  /** It polls several times a second, though it is woken. */
  @Test
  void aWaiterThatLooksAgainWatchesOnce() {
    SentMessages sent = new SentMessages();
    try (ClaimHarness scene = new ClaimHarness(TTL, sent)) {
      EtcdClaim waiter = scene.another("moved", TTL);
      for (int i = 0; i < 5; i++) {
        assertInstanceOf(Attempt.Contended.class, join(waiter.attempt()));
      }
      assertEquals(1, sent.of(WatchRequest.class).size());
      assertTrue(sent.of(WatchRequest.class).get(0).hasCreateRequest());
      assertEquals(ReleaseAnswer.NOT_OURS, join(waiter.release()));
    }
  }

  /** An attempt may be asked for when its waiter gives up. */
  @Test
  void anAttemptAfterTheReleaseTakesNoPlace() {
    try (ClaimHarness scene = new ClaimHarness(TTL)) {
      assertEquals(ReleaseAnswer.FREED, join(scene.claim.release()));
      assertInstanceOf(Attempt.Contended.class, join(scene.claim.attempt()));
      EtcdClaim unasked = scene.another("other", TTL);
      assertEquals(ReleaseAnswer.NOT_OURS, join(unasked.release()));
      assertInstanceOf(Attempt.Contended.class, join(unasked.attempt()));
      assertTrue(scene.harness.keys().isEmpty());
    }
  }
}
