/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.rules;

import io.holdfast.lock.Capabilities;
import io.holdfast.lock.Capabilities.Retention;
import io.holdfast.lock.DistributedLock;
import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.Loss;
import io.holdfast.lock.LossReason;
import io.holdfast.lock.Renewal;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;

/** TB: a lease of fixed time whose end is set by its holder. */
public final class EarlierEndRules {

  @Rule(value = "TB-8", lookAt = "expireIn(): whether the server ends the lease then")
  public void aLeaseOfFixedTimeEndsEarlierIfItIsToldTo(RuleContext context) throws Exception {
    LockOptions minute = context.longTtl();
    LockClient client = context.client();
    DistributedLock rival = context.client().lock(context.name(), context.options());
    Lease renewed = client.lock(context.name(), minute).acquire();
    context.expect(
        IllegalStateException.class,
        () -> {
          renewed.expireIn(context.ttl());
          return "no exception";
        });
    Holders.released(renewed, "the renewed");
    Lease lease = client.lock(context.name(), minute.withRenewal(Renewal.none())).acquire();
    lease.expireIn(context.ttl());
    Future<Long> lastValid = context.lastValid(lease);
    context.checkAtMost(
        context.ttl(), lease.remaining(), "what remains after an earlier end was set");
    Duration atMost = context.ttl().plus(context.freeAfterDeath()).plus(RuleContext.SLACK);
    Lease next = Holders.free(context, rival, atMost, "after its earlier end");
    long granted = System.nanoTime();
    long last = context.get(lastValid, RuleContext.SLACK);
    Holders.endedBefore(granted, last, "a lease whose end was set earlier");
    context.checkEquals(
        LossReason.EXPIRED,
        context.get(lease.loss(), RuleContext.SLACK).reason(),
        "the reason of the loss");
    next.release();
    boolean endsWithoutItsClient =
        context.promises().retention() == Retention.SERVER
            || context.promises().lifetime() != Capabilities.Lifetime.TTL;
    if (endsWithoutItsClient && context.fixture().settings().isPresent()) {
      Worker worker = context.worker();
      worker.ask("fixed %s %d".formatted(context.name(), minute.ttl().toMillis()));
      worker.ask("expire " + context.ttl().toMillis());
      worker.jvm().kill();
      Holders.free(context, rival, atMost, "after its earlier end, though its process died");
    }
  }

  @Rule(value = "TB-10", lookAt = Rule.ENGINE)
  public void aMaximumHoldIsToldInTimeThoughTheEndWasSet(RuleContext context)
      throws InterruptedException {
    Duration maximum = context.ttl().multipliedBy(2);
    LockOptions options = context.longTtl().withRenewal(Renewal.none()).withMaxHold(maximum);
    LockClient client = context.client();
    Lease lease = client.lock(context.name(), options).acquire();
    CompletableFuture<Loss> told = lease.loss();
    lease.expireIn(options.ttl().dividedBy(2));
    context.checkAtMost(maximum, lease.remaining(), "what remains until the maximum hold");
    Lease renewed =
        client.lock(context.name() + "-renewed", context.options().withMaxHold(maximum)).acquire();
    context.get(renewed.loss(), maximum.plus(RuleContext.SLACK));
    // Nobody looks at the lease meanwhile: a look would make it lost. The renewed one may have been
    // lost before its maximum, if its renewals were not answered.
    context.check(
        RuleContext.comesTrue(maximum.plus(RuleContext.SLACK), told::isDone),
        "expected the loss to be told at the maximum hold, as that of a renewed lease is, but it was not");
    context.checkEquals(
        LossReason.MAX_HOLD_REACHED, told.join().reason(), "the reason of the loss");
    Holders.free(
        context,
        context.client().lock(context.name(), context.options()),
        context.freeAfterDeath(),
        "after the maximum hold");
  }
}
