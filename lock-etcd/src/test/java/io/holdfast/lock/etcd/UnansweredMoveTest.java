/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.etcd;

import static io.holdfast.lock.etcd.ClaimHarness.join;
import static io.holdfast.lock.etcd.EtcdHarness.until;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.etcd.lease.Leases;
import io.holdfast.lock.etcd.lease.QueuedKey;
import io.holdfast.lock.etcd.lease.ServerLease;
import io.holdfast.lock.spi.ReleaseAnswer;
import io.holdfast.lock.spi.RenewalAnswer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A move of the key to a longer lease was decided, and its request has not come to etcd. */
class UnansweredMoveTest {

  private static final Duration SOON = Duration.ofSeconds(5);
  private static final long LONGER_SECONDS = 60;

  private final ClaimHarness scene = new ClaimHarness(Duration.ofSeconds(10));

  @BeforeEach
  void decideAMove() {
    ServerLease longer =
        join(
            new Leases(scene.connection, scene.keys.base(), scene.time)
                .grant(LONGER_SECONDS, scene.connection.deadline()));
    QueuedKey.Place place = scene.claim.key().place().orElseThrow();
    assertEquals(
        Optional.of(longer),
        scene.claim.key().moving(place, longer, scene.claim.key().generation(), false));
  }

  @AfterEach
  void end() {
    scene.close();
  }

  @Test
  void anEarlierEndIsThatOfTheKey() {
    assertEquals(new RenewalAnswer.Extended(SOON), join(scene.claim.expireIn(SOON)));
    assertEndsSoon();
    assertEquals(ReleaseAnswer.FREED, join(scene.claim.release()));
    assertEquals(List.of(), scene.harness.keys());
  }

  @Test
  void aNameThatStaysTakenIsFreeInTime() {
    assertEquals(ReleaseAnswer.FREED, join(scene.claim.release(SOON)));
    assertEndsSoon();
  }

  @Test
  void aReleaseTellsThatTheKeyWasTakenThoughItsLeaseLived() {
    scene.harness.administrator.delete(scene.claim.key().name());
    assertEquals(ReleaseAnswer.NOT_OURS, join(scene.claim.release()));
  }

  @Test
  void aReleaseTellsThatItHasFreedTheKey() {
    assertEquals(ReleaseAnswer.FREED, join(scene.claim.release()));
    assertEquals(List.of(), scene.harness.keys());
  }

  @Test
  void anExtensionHasTheWholeTimeBeforeItThoughTheMoveIsOld() {
    scene.time.pass(Duration.ofSeconds(10));
    Duration asked = Duration.ofSeconds(LONGER_SECONDS - 2);
    assertEquals(new RenewalAnswer.Extended(asked), join(scene.renew(asked)));
  }

  /** It was granted for an end, and then the key went to that of the earlier move first. */
  @Test
  void aLeaseThatTheKeyWasNotMovedToIsGone() {
    Duration later = Duration.ofSeconds(2 * LONGER_SECONDS);
    assertEquals(new RenewalAnswer.Extended(later), join(scene.claim.expireIn(later)));
    assertEquals(ReleaseAnswer.FREED, join(scene.claim.release()));
    // A stock that nobody takes from is emptied.
    scene.time.pass(Duration.ofSeconds(61));
    until("no lease is left", () -> scene.harness.leases() == 0);
  }

  private void assertEndsSoon() {
    assertTrue(scene.secondsLeft() <= SOON.toSeconds(), scene.secondsLeft() + " s are left");
  }
}
