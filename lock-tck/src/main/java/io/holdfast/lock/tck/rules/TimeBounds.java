/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.rules;

import io.holdfast.lock.Capabilities.Retention;
import io.holdfast.lock.DistributedLock;
import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.text.TimeText;
import java.time.Duration;
import java.util.Optional;

/** Shared parts of the rules about bounds on time. */
final class TimeBounds {

  private TimeBounds() {}

  static Retention retention(RuleContext context) {
    return context.promises().retention();
  }

  /** Ends the rule where that is not promised, once it has been refused. */
  static void refuseWithout(
      RuleContext context, boolean promised, LockClient client, LockOptions options) {
    if (!promised) {
      refused(context, true, client, options);
      throw context.notPromised("it is refused, and backends are named that can");
    }
  }

  static void refused(
      RuleContext context, boolean refused, LockClient client, LockOptions options) {
    if (!refused) {
      context.check(
          client.lock(context.name(), options).options().equals(options),
          "expected a lock with the options asked for, but it has others");
      return;
    }
    LockConfigurationException told =
        context.expect(
            LockConfigurationException.class, () -> client.lock(context.name(), options));
    // And which backends can.
    context.checkSays(told, context.name(), "can");
  }

  /** A lock that stays taken for a time, and no longer than a dead holder's beyond it. */
  static Lease freeNotBefore(
      RuleContext context, DistributedLock lock, long since, Duration taken, String when)
      throws InterruptedException {
    Optional<Lease> lease =
        lock.tryAcquire(taken.plus(context.freeAfterDeath()).plus(RuleContext.SLACK));
    context.checkInTime(
        lease.isPresent(),
        "expected the lock to be free in time %s, but it is refused%s"
            .formatted(when, context.atTheServer()));
    notBefore(context, since, taken, "granted " + when);
    return lease.orElseThrow();
  }

  /** Servers count in milliseconds, by clocks that differ a little from ours. */
  static void notBefore(RuleContext context, long since, Duration time, String otherwise) {
    long passed = System.nanoTime() - since;
    context.check(
        passed >= time.toNanos() - time.toNanos() / 50,
        "expected %s to pass before, but only %s have passed: %s"
            .formatted(
                TimeText.of(time), TimeText.of(Duration.ofMillis(passed / 1_000_000)), otherwise));
  }
}
