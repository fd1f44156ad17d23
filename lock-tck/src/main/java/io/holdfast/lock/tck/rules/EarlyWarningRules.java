/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.rules;

import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockEvent;
import io.holdfast.lock.servers.Direction;
import io.holdfast.lock.servers.TcpProxy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** TB: a holder is warned while renewals fail, before its lease is lost. */
public final class EarlyWarningRules {

  @Rule(value = "TB-7", lookAt = "renew(): whether its stage fails in time without an answer")
  public void aWarningIsGivenOnceWhileRenewalsFail(RuleContext context)
      throws InterruptedException {
    TcpProxy link = context.link();
    LockClient client = context.client(link);
    Lease first = client.lock(context.name(), context.oftenRenewed()).acquire();
    Duration left = first.remaining().dividedBy(2);
    Holders.released(first, "a lease whose validity was asked for");
    Lease lease =
        client.lock(context.name(), context.oftenRenewed().withEarlyWarning(left)).acquire();
    List<LockEvent.RenewalFailed> told = new CopyOnWriteArrayList<>();
    List<LockEvent.EarlyWarning> heard = new CopyOnWriteArrayList<>();
    client.addListener(
        event -> {
          if (event instanceof LockEvent.EarlyWarning warning) {
            heard.add(warning);
          }
        });
    List<Boolean> valid = new CopyOnWriteArrayList<>();
    lease.onRenewalFailing(
        warning -> {
          valid.add(lease.isValid());
          told.add(warning);
        });
    context.letPass(context.ttl());
    context.checkInTime(
        told.isEmpty() && heard.isEmpty(),
        "expected no warning while renewals succeed, but found "
            + RuleChecks.text(told)
            + RuleChecks.text(heard));
    link.stall(Direction.TO_CLIENT);
    context.await(
        "a warning", context.freeAfterDeath().plus(RuleContext.SLACK), () -> !told.isEmpty());
    context.checkAtMost(left, told.get(0).remaining(), "what remains when the holder is warned");
    context.checkInTime(
        valid.get(0), "expected a warning while the lease is valid, but it came after its end");
    context.await("a warning of listeners", RuleContext.SLACK, () -> !heard.isEmpty());
    context.checkAtMost(left, heard.get(0).remaining(), "what remains when listeners are warned");
    context.checkInTime(
        !heard.get(0).remaining().isZero(),
        "expected listeners to be warned while the lease is valid, but nothing remained");
    context.await(
        "the loss", context.freeAfterDeath().plus(RuleContext.SLACK), () -> !lease.isValid());
    context.checkEquals(1, told.size(), "the number of warnings");
    context.checkEquals(1, heard.size(), "the number of warnings that listeners heard");
    link.heal();
  }
}
