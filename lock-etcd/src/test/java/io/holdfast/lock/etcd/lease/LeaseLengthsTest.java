/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.etcd.lease;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Tests for how many seconds a lease is asked for, as etcd counts in whole ones. */
class LeaseLengthsTest {

  private static void is(long seconds, long ttlMillis) {
    assertEquals(seconds, Leases.seconds(Duration.ofMillis(ttlMillis)));
  }

  /** So it has the whole TTL before it when it has lain in stock for a while. */
  @Test
  void aLeaseIsATenthLongerThanTheTtl() {
    is(33, 30_000);
    is(34, 30_001);
    is(132, 120_000);
  }

  @Test
  void aLeaseIsAtLeastHalfASecondLonger() {
    is(1, 500);
    is(2, 501);
    is(2, 1_500);
    is(3, 2_000);
  }

  /** A holder believes in each part of a second that it was promised. */
  @Test
  void partsOfASecondAreRoundedUp() {
    assertEquals(2, Leases.wholeSeconds(Duration.ofSeconds(2)));
    assertEquals(3, Leases.wholeSeconds(Duration.ofSeconds(2).plusNanos(1)));
    assertEquals(1, Leases.wholeSeconds(Duration.ofMillis(1)));
  }
}
