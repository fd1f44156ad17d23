/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.etcd;

import static io.holdfast.lock.etcd.ClaimHarness.join;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.holdfast.lock.etcd.lock.EtcdClaim;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.ReleaseAnswer;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A claim that had the lock asks again, and finds that an administrator has deleted its key. */
class LostPlaceTest {

  private static final Duration TTL = Duration.ofMinutes(2);

  /** It waits behind the next owner then, and gives back a place in the queue. */
  @Test
  void itsReleaseFreesNoLock() {
    try (ClaimHarness scene = new ClaimHarness(TTL)) {
      EtcdClaim next =
          scene.backend.claim(new ClaimRequest("moved", "next", TTL), ClaimHarness.DEAF);
      scene.harness.administrator.delete(scene.claim.key().name());
      assertInstanceOf(Attempt.Granted.class, join(next.attempt()));
      assertInstanceOf(Attempt.Contended.class, join(scene.claim.attempt()));
      assertEquals(ReleaseAnswer.NOT_OURS, join(scene.claim.release()));
      assertEquals(ReleaseAnswer.FREED, join(next.release()));
    }
  }
}
