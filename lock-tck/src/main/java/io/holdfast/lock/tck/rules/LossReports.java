/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.rules;

import io.holdfast.lock.Lease;
import io.holdfast.lock.Loss;
import io.holdfast.lock.LossReason;
import io.holdfast.lock.text.TimeText;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * Judges whether a loss is reported, and why. One that comes late is a matter of time. A lease that
 * stays valid for longer than any is without a renewal is not, nor is silence about a loss that is
 * known while others run.
 */
final class LossReports {

  /** Threads that begin after the loss is known, one after another. */
  private static final int OTHERS = 10;

  private static final Duration PAUSE = RuleContext.SLACK.dividedBy(OTHERS);

  private LossReports() {}

  /**
   * A loss is reported with its reason. Where the machine stood still, the lease may have ended by
   * its own clock before.
   */
  static void checkReason(Set<LossReason> expected, Loss loss) {
    if (!expected.contains(loss.reason())) {
      String what =
          "expected a loss to be reported as one of %s, but it was reported as %s"
              .formatted(expected, loss.reason());
      throw Holders.isByTime(loss.reason()) ? new DeadlineMissed(what) : new AssertionError(what);
    }
  }

  /**
   * Waits for the report of a lease that can be renewed no more: its lock was taken away, or its
   * client is cut off.
   */
  static Loss await(RuleContext context, Lease lease, Duration within) {
    CompletableFuture<Loss> loss = lease.loss();
    await(context, lease, within, loss::isDone);
    return loss.join();
  }

  /**
   * The same.
   *
   * @param reported whether it was
   */
  static void await(RuleContext context, Lease lease, Duration within, BooleanSupplier reported) {
    // Without a look at the lease, which would find the end of its validity.
    if (RuleContext.comesTrue(within, reported)) {
      return;
    }
    String what =
        "expected the loss of a lease to be reported within %s".formatted(TimeText.of(within));
    awaitEnd(context, lease, what, () -> "though it cannot be renewed");
    for (int i = 0; i < OTHERS && !reported.getAsBoolean(); i++) {
      context.letPass(PAUSE);
      context.get(context.start(() -> true), RuleContext.SLACK);
    }
    if (reported.getAsBoolean()) {
      throw new DeadlineMissed(what + ", but it was reported later");
    }
    throw new AssertionError(
        what
            + ", but it is not, though the lease says that it is not valid, and %d threads that began since have run"
                .formatted(OTHERS));
  }

  /**
   * Waits for the end of a lease that can be renewed no more. One that is valid for longer than any
   * lease is without a renewal was renewed since; no slowness explains that.
   *
   * @param expected begins the message if it does not end
   * @param conclusion ends that message
   */
  static void awaitEnd(
      RuleContext context, Lease lease, String expected, Supplier<String> conclusion) {
    Duration longest = context.freeAfterDeath().plus(RuleContext.SLACK);
    if (!RuleContext.comesTrue(longest, () -> !lease.isValid()) && lease.isValid()) {
      throw new AssertionError(
          "%s, but the lease is valid %s later, %s"
              .formatted(expected, TimeText.of(longest), conclusion.get()));
    }
  }
}
