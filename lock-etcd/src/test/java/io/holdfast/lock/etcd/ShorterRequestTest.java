/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.etcd;

import static io.holdfast.lock.etcd.ClaimHarness.join;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.LockRejectedException;
import io.holdfast.lock.etcd.lease.ServerLease;
import io.holdfast.lock.spi.RenewalAnswer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

/**
 * Renewals that ask for less than what the key has. The first one here finds a term of etcd that
 * was not known when the lock was granted, so the key moves to another lease.
 */
class ShorterRequestTest {

  private static final Duration SHORT = Duration.ofSeconds(5);
  private static final Duration SOON = Duration.ofSeconds(10);
  private static final Duration MIDDLE = Duration.ofSeconds(20);
  private static final Duration LONG = Duration.ofSeconds(60);

  @Test
  void grantedTimeIsNotTakenBack() {
    try (ClaimHarness scene = new ClaimHarness(LONG)) {
      assertEquals(new RenewalAnswer.Extended(SHORT), join(scene.renew(SHORT)));
      atLeast(LONG, scene);
    }
  }

  @Test
  void anEndThatWasSetIsNotBroughtForward() {
    try (ClaimHarness scene = new ClaimHarness(LONG)) {
      assertEquals(new RenewalAnswer.Extended(MIDDLE), join(scene.claim.expireIn(MIDDLE)));
      assertEquals(new RenewalAnswer.Extended(SHORT), join(scene.renew(SHORT)));
      atLeast(MIDDLE, scene);
      atMost(MIDDLE.plusSeconds(4), scene);
    }
  }

  @Test
  void timeAddedByAnExtensionEndsWithIt() {
    try (ClaimHarness scene = new ClaimHarness(SHORT)) {
      assertEquals(new RenewalAnswer.Extended(LONG), join(scene.renew(LONG)));
      assertEquals(new RenewalAnswer.Extended(SHORT), join(scene.renew(SHORT)));
      atLeast(LONG, scene);
      scene.time.pass(LONG);
      assertEquals(new RenewalAnswer.Extended(SHORT), join(scene.renew(SHORT)));
      atMost(SHORT.plusSeconds(1), scene);
    }
  }

  @Test
  void theKeyDoesNotMoveWithEachRenewalWhileAnExtensionRunsOut() {
    try (ClaimHarness scene = new ClaimHarness(SHORT)) {
      assertEquals(new RenewalAnswer.Extended(LONG), join(scene.renew(LONG)));
      ServerLease extended = scene.claim.key().lease();
      for (int i = 0; i < 5; i++) {
        scene.time.pass(Duration.ofSeconds(2));
        assertEquals(new RenewalAnswer.Extended(SHORT), join(scene.renew(SHORT)));
        assertEquals(extended, scene.claim.key().lease());
      }
    }
  }

  @Test
  void anEarlierEndStaysThoughAnExtensionIsAnsweredLater() {
    DelayedAnswers held = DelayedAnswers.grants(LONG.plus(LONG.dividedBy(10)).toSeconds());
    try (ClaimHarness scene = new ClaimHarness(SHORT, held)) {
      CompletableFuture<RenewalAnswer> extension = scene.renew(LONG);
      held.reached.join();
      assertEquals(new RenewalAnswer.Extended(MIDDLE), join(scene.claim.expireIn(MIDDLE)));
      held.release.complete(null);
      assertInstanceOf(RenewalAnswer.Unknown.class, extension.join());
      atMost(MIDDLE, scene);
    }
  }

  @Test
  void ofTwoEarlierEndsTheLaterStays() {
    DelayedAnswers held = DelayedAnswers.grants(MIDDLE.toSeconds());
    try (ClaimHarness scene = new ClaimHarness(LONG, held)) {
      CompletableFuture<RenewalAnswer> first = scene.claim.expireIn(MIDDLE).toCompletableFuture();
      held.reached.join();
      assertEquals(new RenewalAnswer.Extended(SOON), join(scene.claim.expireIn(SOON)));
      held.release.complete(null);
      // An answer: the engine extends nothing while it does not know which end the server has.
      CompletionException refused = assertThrows(CompletionException.class, first::join);
      assertInstanceOf(LockRejectedException.class, refused.getCause());
      atMost(SOON, scene);
    }
  }

  /** Etcd counts whole seconds, and a busy machine may take some before the look. */
  private static void atLeast(Duration time, ClaimHarness scene) {
    assertTrue(scene.secondsLeft() >= time.toSeconds() - 5, scene.secondsLeft() + " s are left");
  }

  private static void atMost(Duration time, ClaimHarness scene) {
    assertTrue(scene.secondsLeft() <= time.toSeconds(), scene.secondsLeft() + " s are left");
  }
}
