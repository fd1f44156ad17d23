/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.rules;

import io.holdfast.lock.Capabilities.Retention;
import io.holdfast.lock.DistributedLock;
import io.holdfast.lock.HandOver;
import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.Renewal;
import io.holdfast.lock.servers.Direction;
import io.holdfast.lock.servers.TcpProxy;
import io.holdfast.lock.text.TimeText;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;

/** TB: a name stays taken for its minimum hold, though its lease was released. */
public final class MinimumHoldRules {

  private static final HandOver LONG = new HandOver(1024, Duration.ofMinutes(1));
  private static final int EXTENDED = 8;

  @Rule(value = "TB-1", lookAt = "release(Duration): when the server frees the name")
  public void aNameThatIsReleasedEarlyStaysTakenForItsMinimumHold(RuleContext context)
      throws InterruptedException {
    Duration minimum = context.ttl().multipliedBy(2);
    LockOptions options = context.options().withMinHold(minimum).withHandOver(LONG);
    LockClient client = context.client();
    TimeBounds.refuseWithout(
        context, TimeBounds.retention(context) != Retention.NONE, client, options);
    DistributedLock lock = client.lock(context.name(), options);
    DistributedLock rival = context.client().lock(context.name(), context.options());
    long asked = System.nanoTime();
    Lease lease = lock.acquire();
    CompletableFuture<Lease> local = lock.acquireAsync();
    CompletableFuture<Lease> remote = rival.acquireAsync();
    Holders.released(lease, "an early release");
    Holders.ended(lease, "with its release");
    Optional<Lease> atOnce = lock.tryAcquire();
    if (atOnce.isPresent()) {
      TimeBounds.notBefore(context, asked, minimum, "granted to the same client at once");
      atOnce.get().release();
    }
    CompletableFuture<Object> next = CompletableFuture.anyOf(local, remote);
    context.get(next, minimum.plus(context.freeAfterDeath()).plus(RuleContext.SLACK));
    TimeBounds.notBefore(context, asked, minimum, "granted to a waiter");
    context.check(
        !lease.loss().isDone(), "expected a release not to be told as a loss, but it was");
    local.cancel(true);
    remote.cancel(true);
    anEarlierEndIsNotThatOfTheMinimumHold(context, client, minimum);
  }

  private static void anEarlierEndIsNotThatOfTheMinimumHold(
      RuleContext context, LockClient client, Duration minimum) throws InterruptedException {
    String name = context.name() + "-fixed";
    LockOptions fixed = context.longTtl().withRenewal(Renewal.none()).withMinHold(minimum);
    long asked = System.nanoTime();
    Lease lease = client.lock(name, fixed).acquire();
    lease.expireIn(context.ttl());
    Holders.released(lease, "a release before its earlier end");
    DistributedLock rival = context.client().lock(name, context.options());
    TimeBounds.freeNotBefore(context, rival, asked, minimum, "after its end was set").release();
  }

  @Rule(value = "TB-2", lookAt = "release(Duration): whether the server ends the hold by itself")
  public void theMinimumHoldOutlivesItsClient(RuleContext context) throws InterruptedException {
    Duration minimum = context.ttl().multipliedBy(2);
    LockOptions options = context.options().withMinHold(minimum);
    LockClient client = context.client();
    TimeBounds.refuseWithout(
        context, TimeBounds.retention(context) != Retention.NONE, client, options);
    DistributedLock rival = context.client().lock(context.name(), context.options());
    long asked = System.nanoTime();
    Holders.released(client.lock(context.name(), options).acquire(), "an early release");
    client.close();
    if (TimeBounds.retention(context) == Retention.CLIENT) {
      Holders.free(context, rival, RuleContext.SLACK, "after the close of the client that kept it");
      throw context.notPromised("the client keeps the name, so its close frees it");
    }
    TimeBounds.freeNotBefore(context, rival, asked, minimum, "after its client was closed")
        .release();
    if (context.fixture().settings().isEmpty()) {
      return;
    }
    Worker worker = context.worker();
    asked = System.nanoTime();
    worker.ask(
        "acquire %s %d %d".formatted(context.name(), context.ttl().toMillis(), minimum.toMillis()));
    context.checkEquals(
        "Optional[RELEASED]", worker.ask("release"), "the answer to an early release");
    worker.jvm().kill();
    TimeBounds.freeNotBefore(context, rival, asked, minimum, "after its process was killed")
        .release();
  }

  @Rule(value = "TB-9", lookAt = "release(Duration) and renew(): their order at the server")
  public void anExtensionUnderWayLeavesAMinimumHoldAlone(RuleContext context)
      throws InterruptedException {
    Duration minimum = context.ttl().multipliedBy(2);
    LockOptions options = context.options().withMinHold(minimum);
    Optional<TcpProxy> link = context.farLink();
    LockClient client = context.client(link);
    TimeBounds.refuseWithout(
        context, TimeBounds.retention(context) != Retention.NONE, client, options);
    List<CompletableFuture<Lease>> granted = new ArrayList<>();
    long asked = System.nanoTime();
    for (int i = 0; i < EXTENDED; i++) {
      granted.add(client.lock(context.name() + "-" + i, options).acquireAsync());
    }
    List<Lease> leases =
        granted.stream().map(lease -> context.get(lease, RuleContext.SLACK)).toList();
    // Without answers all but the first wait for their turn in the client, where a release may
    // overtake them. One that is late would end the hold with its TTL, or keep the name for its
    // longer one.
    link.ifPresent(slow -> slow.stall(Direction.TO_CLIENT));
    for (int i = 0; i < EXTENDED; i++) {
      leases.get(i).extendAsync(i % 2 == 0 ? context.ttl() : context.longTtl().ttl());
    }
    leases.forEach(Lease::releaseAsync);
    context.letPass(context.ttl().dividedBy(10));
    link.ifPresent(TcpProxy::heal);
    LockClient other = context.client();
    Duration limit = minimum.plus(context.freeAfterDeath()).plus(RuleContext.SLACK);
    List<Future<Optional<Lease>>> next = new ArrayList<>();
    for (int i = 0; i < EXTENDED; i++) {
      DistributedLock rival = other.lock(context.name() + "-" + i, context.options());
      next.add(context.start(() -> grantedNotBefore(context, rival, asked, minimum, limit)));
    }
    long free =
        next.stream()
            .filter(lease -> context.get(lease, limit.plus(RuleContext.SLACK)).isPresent())
            .count();
    context.checkInTime(
        free > 0,
        "expected %d names to be free within %s after an early release, but none is"
            .formatted(EXTENDED, TimeText.of(limit)));
    context.check(
        free == EXTENDED,
        "expected %d names to be free after an early release, but only %d are%s"
            .formatted(EXTENDED, free, context.atTheServer()));
  }

  private static Optional<Lease> grantedNotBefore(
      RuleContext context, DistributedLock lock, long since, Duration taken, Duration limit)
      throws InterruptedException {
    Optional<Lease> lease = lock.tryAcquire(limit);
    TimeBounds.notBefore(context, since, taken, "granted after an early release");
    return lease;
  }
}
