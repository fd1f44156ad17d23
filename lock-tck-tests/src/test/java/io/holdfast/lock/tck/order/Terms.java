/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.order;

import io.holdfast.lock.Capabilities;
import io.holdfast.lock.HandOver;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.Renewal;
import io.holdfast.lock.Retry;
import io.holdfast.lock.memory.MemoryLockProvider;
import io.holdfast.lock.testsupport.Records;
import java.time.Duration;

/** The terms of the leases of a {@link TenureScene}, and what keeps them alive at the server. */
enum Terms {
  /** With a TTL, and handed on to the next waiter of the same client. */
  RENEWED,
  /** With a TTL, which ends it. */
  FIXED,
  /** A session keeps it alive, and the client ends it. */
  FIXED_ON_SESSION;

  static final Duration TTL = Duration.ofSeconds(10);

  LockOptions options() {
    LockOptions renewed =
        LockOptions.defaults()
            .withTtl(TTL)
            .withRetry(Retry.defaults().withJitter(0))
            .withHandOver(new HandOver(1024, Duration.ofMinutes(1)));
    return isFixed() ? renewed.withRenewal(Renewal.none()) : renewed;
  }

  boolean isFixed() {
    return this != RENEWED;
  }

  Capabilities capabilities() {
    Capabilities all = new MemoryLockProvider().capabilities();
    return this != FIXED_ON_SESSION
        ? all
        : Records.with(all, Capabilities.Lifetime.SESSION, Capabilities.Retention.CLIENT);
  }
}
