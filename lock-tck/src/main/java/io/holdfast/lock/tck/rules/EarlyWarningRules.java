/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.rules;

import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockEvent;
import io.holdfast.lock.servers.Direction;
import io.holdfast.lock.servers.TcpProxy;
import io.holdfast.lock.text.TimeText;
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
        told.isEmpty() && heard.isEmpty(), "warned while renewals succeed: " + told + heard);
    link.stall(Direction.TO_CLIENT);
    context.await(
        "a warning", context.freeAfterDeath().plus(RuleContext.SLACK), () -> !told.isEmpty());
    context.check(
        told.get(0).remaining().compareTo(left) <= 0,
        "warned with %s left, which is more than %s"
            .formatted(TimeText.of(told.get(0).remaining()), TimeText.of(left)));
    context.checkInTime(valid.get(0), "warned after the end of validity");
    context.await("a warning of listeners", RuleContext.SLACK, () -> !heard.isEmpty());
    context.check(
        heard.get(0).remaining().compareTo(left) <= 0,
        "listeners were warned with %s left of %s"
            .formatted(TimeText.of(heard.get(0).remaining()), TimeText.of(left)));
    context.checkInTime(
        !heard.get(0).remaining().isZero(), "listeners were warned after the end of validity");
    context.await(
        "the loss", context.freeAfterDeath().plus(RuleContext.SLACK), () -> !lease.isValid());
    context.checkEquals(1, told.size(), "warnings of one episode");
    context.checkEquals(1, heard.size(), "warnings of listeners in one episode");
    link.heal();
  }
}
