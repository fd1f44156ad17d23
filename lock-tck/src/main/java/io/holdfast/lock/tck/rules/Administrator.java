/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.rules;

import io.holdfast.lock.Lease;
import io.holdfast.lock.tck.Revocation;

/** Takes locks away at the server. */
final class Administrator {

  private Administrator() {}

  /** Has an administrator take a lock away that is held. */
  static void revoke(RuleContext context, Lease held) {
    if (revoked(context, held.lockName()) == Revocation.NOTHING_THERE) {
      String what = "the server has no lock '" + held.lockName() + "' to take away";
      Holders.held(held, what);
      throw new AssertionError(
          "expected a lock whose lease is valid to be at the server, but "
              + what
              + context.atTheServer());
    }
  }

  /** Has an administrator take away what is at the server of a lock. */
  static void revoke(RuleContext context, String lockName) {
    context.check(
        revoked(context, lockName) == Revocation.DONE,
        "expected lock '%s' to be at the server, to be taken away, but nothing of it is there%s"
            .formatted(lockName, context.atTheServer()));
  }

  /** Waits for the end of a lease that was just revoked. */
  static void awaitEnd(RuleContext context, Lease lease) {
    LossReports.awaitEnd(
        context,
        lease,
        "expected a lease to end when its lock was taken away",
        () -> "so a renewal was answered with yes" + context.atTheServer());
  }

  private static Revocation revoked(RuleContext context, String lockName) {
    Revocation revocation = context.fixture().revoke(lockName);
    if (revocation == Revocation.NOT_POSSIBLE) {
      throw context.skipped("no administrator can delete a lock");
    }
    return revocation;
  }
}
