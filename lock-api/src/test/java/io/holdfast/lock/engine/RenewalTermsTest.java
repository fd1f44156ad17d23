/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.Capabilities.Lifetime;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.Renewal;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RenewalTermsTest {

  private static final Duration TTL = Duration.ofSeconds(12);
  private static final LockOptions OPTIONS = LockOptions.defaults().withTtl(TTL);
  private static final RenewalTerms RENEWED = RenewalTerms.of(OPTIONS, Lifetime.TTL);
  private static final RenewalTerms FIXED =
      RenewalTerms.of(OPTIONS.withRenewal(Renewal.none()), Lifetime.TTL);
  private static final RenewalTerms FIXED_ON_A_SESSION =
      RenewalTerms.of(OPTIONS.withRenewal(Renewal.none()), Lifetime.SESSION);

  private static long millis(long millis) {
    return Duration.ofMillis(millis).toNanos();
  }

  private static RenewalTerms every(long millis) {
    return RenewalTerms.of(
        OPTIONS.withRenewal(Renewal.every(Duration.ofMillis(millis))), Lifetime.TTL);
  }

  @Test
  void aSessionIsRenewedThoughTheLeaseIsOfFixedTime() {
    assertTrue(RENEWED.renewing() && !RENEWED.fixed());
    assertTrue(!FIXED.renewing() && !FIXED.fixed());
    assertTrue(FIXED_ON_A_SESSION.renewing() && FIXED_ON_A_SESSION.fixed());
    assertFalse(RenewalTerms.of(OPTIONS, Lifetime.SESSION).fixed());
    assertEquals(Optional.empty(), RENEWED.interval());
    assertEquals(Optional.of(Duration.ofMillis(500)), every(500).interval());
    assertEquals(TTL, RENEWED.ttl());
  }

  @Test
  void onlyAFixedTimeOnASessionHasAnEndOfItsOwn() {
    assertEquals(TTL.toNanos(), FIXED_ON_A_SESSION.fixedNanos());
    assertTrue(FIXED.fixedNanos() > Duration.ofDays(1_000).toNanos());
    assertTrue(RENEWED.fixedNanos() > Duration.ofDays(1_000).toNanos());
  }

  @Test
  void aRenewalIsDueAfterAThirdOfWhatWasGranted() {
    assertEquals(100 + millis(3_000), RENEWED.nextDue(100, Duration.ofSeconds(9), millis(8_900)));
    assertEquals(millis(2_000), RENEWED.nextDue(100, Duration.ofSeconds(9), millis(2_000)));
  }

  @Test
  void anIntervalOfTheUserCountsUpToHalfOfWhatWasGranted() {
    assertEquals(
        100 + millis(1_000), every(1_000).nextDue(100, Duration.ofSeconds(9), millis(8_900)));
    assertEquals(
        100 + millis(4_500), every(5_000).nextDue(100, Duration.ofSeconds(9), millis(8_900)));
  }

  @Test
  void aLeaseThatIsNotRenewedIsCheckedWhenItEnds() {
    assertEquals(millis(8_900), FIXED.nextDue(100, Duration.ofSeconds(9), millis(8_900)));
    assertEquals(millis(8_900), FIXED.retryAt(100, millis(8_900)));
  }

  @Test
  void aRenewalMayComeAQuarterOfItsIntervalEarly() {
    assertEquals(millis(750), RENEWED.headroom(Duration.ofSeconds(9)));
    assertEquals(millis(250), every(1_000).headroom(Duration.ofSeconds(9)));
    assertEquals(0, FIXED.headroom(Duration.ofSeconds(9)));
  }

  @Test
  void twoMoreTriesFitWhileAnAnswerIsWaitedFor() {
    assertEquals(millis(2_000), RenewalTerms.answerTimeout(millis(1_000), millis(7_000)));
    assertEquals(millis(11), RenewalTerms.answerTimeout(millis(1_000), millis(1_033)));
    assertEquals(millis(10), RenewalTerms.answerTimeout(millis(1_000), millis(1_029)));
    assertEquals(millis(10), RenewalTerms.answerTimeout(millis(1_000), millis(900)));
  }

  @Test
  void aFailedRenewalIsRetriedTheSoonerTheLessTimeIsLeft() {
    assertEquals(millis(2_000), RENEWED.retryAt(millis(1_000), millis(9_000)));
    assertEquals(millis(1_500), RENEWED.retryAt(millis(1_000), millis(3_000)));
    assertEquals(millis(1_010), RENEWED.retryAt(millis(1_000), millis(1_030)));
    assertEquals(millis(1_005), RENEWED.retryAt(millis(1_000), millis(1_005)));
  }
}
