/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.rules;

import io.holdfast.lock.Capabilities.Inspection;
import io.holdfast.lock.Capabilities.Retention;
import io.holdfast.lock.DistributedLock;
import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHolder;
import io.holdfast.lock.LockInspector;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.Loss;
import io.holdfast.lock.LossReason;
import io.holdfast.lock.Renewal;
import io.holdfast.lock.text.TimeText;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** TB: for how long a name is held at most, and stays taken after a loss. */
public final class TimeBoundRules {

  @Rule(value = "TB-3", lookAt = "renew(): whether it answers more time than was asked for")
  public void aRenewedLeaseEndsAtItsMaximumHold(RuleContext context) throws InterruptedException {
    Duration maximum = context.ttl().multipliedBy(2);
    LockOptions options = context.options().withMaxHold(maximum);
    long asked = System.nanoTime();
    Lease lease = context.client().lock(context.name(), options).acquire();
    long granted = System.nanoTime();
    CompletableFuture<Loss> lost = lease.loss();
    while (!lost.isDone()) {
      Duration most = maximum.plusNanos(granted - System.nanoTime());
      Duration remaining = lease.remaining();
      context.check(
          remaining.isZero() || remaining.compareTo(most) <= 0,
          "expected at most %s to remain until the maximum hold, but found %s"
              .formatted(TimeText.of(most), TimeText.of(remaining)));
      context.checkInTime(
          System.nanoTime() - granted < maximum.plus(RuleContext.SLACK).toNanos(),
          "expected a loss to be told at the maximum hold of %s, but none was"
              .formatted(TimeText.of(maximum)));
      context.letPass(Duration.ofMillis(5));
    }
    LossReason reason = context.get(lost, RuleContext.SLACK).reason();
    // Where renewals are late, a lease ends by its own clock long before.
    context.checkInTime(
        !Holders.isByTime(reason)
            || System.nanoTime() - asked > maximum.multipliedBy(9).dividedBy(10).toNanos(),
        "expected the lease to be renewed until its maximum hold, but it was lost as " + reason);
    context.checkEquals(LossReason.MAX_HOLD_REACHED, reason, "the reason of the loss");
    TimeBounds.notBefore(context, asked, maximum, "the lease was lost");
    Holders.ended(lease, "at its maximum hold");
    Holders.free(
        context,
        context.client().lock(context.name(), context.options()),
        context.freeAfterDeath(),
        "after the maximum hold");
  }

  @Rule(value = "TB-4", lookAt = "the lock delay: what the server keeps when a lease ends")
  public void afterALossNobodyIsGrantedTheLockForTheDelay(RuleContext context)
      throws InterruptedException {
    Duration delay = context.ttl().multipliedBy(2);
    LockOptions options = context.options().withLockDelay(delay);
    LockClient client = context.client();
    TimeBounds.refuseWithout(
        context, TimeBounds.retention(context) == Retention.SERVER, client, options);
    DistributedLock rival = context.client().lock(context.name(), context.options());
    Lease fixed = client.lock(context.name(), options.withRenewal(Renewal.none())).acquire();
    long ends = System.nanoTime() + fixed.remaining().toNanos();
    context.checkAtMost(context.ttl(), fixed.remaining(), "what remains, without the lock delay,");
    context.get(fixed.loss(), context.ttl().plus(RuleContext.SLACK));
    // The loss may be told later than it came.
    TimeBounds.freeNotBefore(context, rival, ends, delay, "after a loss by time").release();
    Lease renewed = client.lock(context.name(), options).acquire();
    context.letPass(context.ttl());
    Holders.held(renewed, "a lease with a lock delay is not renewed");
    long closed = System.nanoTime();
    client.close();
    Holders.ended(renewed, "with the close of its client");
    TimeBounds.freeNotBefore(context, rival, closed, delay, "after a loss by close").release();
    if (context.fixture().settings().isPresent()) {
      Worker worker = context.worker();
      worker.ask(
          "acquire %s %d 0 %d"
              .formatted(context.name(), context.ttl().toMillis(), delay.toMillis()));
      long killed = System.nanoTime();
      worker.jvm().kill();
      TimeBounds.freeNotBefore(context, rival, killed, delay, "after the death of its holder")
          .release();
    }
  }

  @Rule(value = "TB-5", lookAt = "release() and evict(): what they leave of a lock delay")
  public void aReleaseAndAnEvictionFreeAtOnceInSpiteOfALockDelay(RuleContext context)
      throws InterruptedException {
    LockOptions options = context.longTtl().withLockDelay(Duration.ofMinutes(1));
    LockClient client = context.client();
    TimeBounds.refuseWithout(
        context, TimeBounds.retention(context) == Retention.SERVER, client, options);
    DistributedLock lock = client.lock(context.name(), options);
    LockClient other = context.client();
    DistributedLock rival = other.lock(context.name(), context.options());
    Holders.released(lock.acquire(), "the holder");
    Holders.free(context, rival, Duration.ZERO, "after a release with a lock delay").release();
    if (context.promises().inspection() == Inspection.NONE || !context.fixture().allowsEviction()) {
      return;
    }
    Lease held = lock.acquire();
    LockInspector inspector = other.inspector();
    LockHolder holder = Holders.told(inspector.holder(context.name()), held);
    context.check(
        inspector.evict(holder),
        "expected the holder that was told to be taken away, but it was not found");
    Lease next = Holders.free(context, rival, Duration.ZERO, "after an eviction");
    held.release();
    Holders.held(next, "the release of the evicted holder took the next one's lock");
  }

  @Rule(value = "TB-6", lookAt = "capabilities(): the retention that they state")
  public void boundsThatCannotBeKeptAreRefused(RuleContext context) throws InterruptedException {
    LockOptions options = context.options();
    Duration ttl = context.ttl();
    context.expect(
        IllegalArgumentException.class,
        () -> options.withMaxHold(ttl).withMinHold(ttl.plusMillis(1)));
    context.expect(
        IllegalArgumentException.class,
        () -> options.withRenewal(Renewal.none()).withMinHold(ttl.plusMillis(1)));
    context.expect(IllegalArgumentException.class, () -> options.withLockDelay(ttl.negated()));
    LockClient client = context.client();
    boolean delays = TimeBounds.retention(context) == Retention.SERVER;
    boolean keeps = TimeBounds.retention(context) != Retention.NONE;
    TimeBounds.refused(context, !delays, client, options.withLockDelay(ttl));
    TimeBounds.refused(context, !keeps, client, options.withMinHold(ttl));
    client.lock(context.name(), options.withMaxHold(ttl)).acquire().release();
  }
}
