/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.rules;

import io.holdfast.lock.Capabilities.Inspection;
import io.holdfast.lock.Capabilities.Retention;
import io.holdfast.lock.DistributedLock;
import io.holdfast.lock.HandOver;
import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.LockEvent;
import io.holdfast.lock.LockHolder;
import io.holdfast.lock.LockInspector;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.Loss;
import io.holdfast.lock.LossReason;
import io.holdfast.lock.Renewal;
import io.holdfast.lock.servers.Direction;
import io.holdfast.lock.servers.TcpProxy;
import io.holdfast.lock.text.TimeText;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Future;

/** TB: for how long a name is held at least and at most, and stays taken after a loss. */
public final class TimeBoundRules {

  private static final HandOver LONG = new HandOver(1024, Duration.ofMinutes(1));
  private static final int EXTENDED = 8;

  @Rule("TB-1")
  public void aNameThatIsReleasedEarlyStaysTakenForItsMinimumHold(RuleContext context)
      throws InterruptedException {
    Duration minimum = context.ttl().multipliedBy(2);
    LockOptions options = context.options().withMinHold(minimum).withHandOver(LONG);
    LockClient client = context.client();
    refuseWithout(context, retention(context) != Retention.NONE, client, options);
    DistributedLock lock = client.lock(context.name(), options);
    DistributedLock rival = context.client().lock(context.name(), context.options());
    long asked = System.nanoTime();
    Lease lease = lock.acquire();
    CompletableFuture<Lease> local = lock.acquireAsync();
    CompletableFuture<Lease> remote = rival.acquireAsync();
    Holders.released(lease, "an early release");
    context.check(!lease.isValid(), "valid after its release");
    Optional<Lease> atOnce = lock.tryAcquire();
    if (atOnce.isPresent()) {
      notBefore(context, asked, minimum, "granted in its client at once");
      atOnce.get().release();
    }
    CompletableFuture<Object> next = CompletableFuture.anyOf(local, remote);
    context.get(next, minimum.plus(context.freeAfterDeath()).plus(RuleContext.SLACK));
    notBefore(context, asked, minimum, "granted before the minimum hold had passed");
    context.check(!lease.loss().isDone(), "the release was told as a loss");
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
    freeNotBefore(context, rival, asked, minimum, "after its end was set").release();
  }

  @Rule("TB-2")
  public void theMinimumHoldOutlivesItsClient(RuleContext context) throws InterruptedException {
    Duration minimum = context.ttl().multipliedBy(2);
    LockOptions options = context.options().withMinHold(minimum);
    LockClient client = context.client();
    refuseWithout(context, retention(context) != Retention.NONE, client, options);
    DistributedLock rival = context.client().lock(context.name(), context.options());
    long asked = System.nanoTime();
    Holders.released(client.lock(context.name(), options).acquire(), "an early release");
    client.close();
    if (retention(context) == Retention.CLIENT) {
      Holders.free(context, rival, RuleContext.SLACK, "after the close of the client that kept it");
      throw context.notPromised("the client keeps the name, so its close frees it");
    }
    freeNotBefore(context, rival, asked, minimum, "after its client was closed").release();
    if (context.fixture().settings().isEmpty()) {
      return;
    }
    Worker worker = context.worker();
    asked = System.nanoTime();
    worker.ask(
        "acquire %s %d %d".formatted(context.name(), context.ttl().toMillis(), minimum.toMillis()));
    context.checkEquals("Optional[RELEASED]", worker.ask("release"), "an early release");
    worker.jvm().kill();
    freeNotBefore(context, rival, asked, minimum, "after its process was killed").release();
  }

  @Rule("TB-3")
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
          "%s remain, and %s of the maximum".formatted(remaining, most));
      context.checkInTime(
          System.nanoTime() - granted < maximum.plus(RuleContext.SLACK).toNanos(),
          "no loss was told at the maximum hold");
      context.letPass(Duration.ofMillis(5));
    }
    LossReason reason = context.get(lost, RuleContext.SLACK).reason();
    // Where renewals are late, a lease ends by its own clock long before.
    context.checkInTime(
        !Holders.isByTime(reason)
            || System.nanoTime() - asked > maximum.multipliedBy(9).dividedBy(10).toNanos(),
        "the lease was not renewed until its maximum hold, but lost as " + reason);
    context.checkEquals(LossReason.MAX_HOLD_REACHED, reason, "the reason told");
    notBefore(context, asked, maximum, "lost before the maximum hold had passed");
    context.check(!lease.isValid(), "valid after its maximum hold");
    Holders.free(
        context,
        context.client().lock(context.name(), context.options()),
        context.freeAfterDeath(),
        "after the maximum hold");
  }

  @Rule("TB-4")
  public void afterALossNobodyIsGrantedTheLockForTheDelay(RuleContext context)
      throws InterruptedException {
    Duration delay = context.ttl().multipliedBy(2);
    LockOptions options = context.options().withLockDelay(delay);
    LockClient client = context.client();
    refuseWithout(context, retention(context) == Retention.SERVER, client, options);
    DistributedLock rival = context.client().lock(context.name(), context.options());
    Lease fixed = client.lock(context.name(), options.withRenewal(Renewal.none())).acquire();
    long ends = System.nanoTime() + fixed.remaining().toNanos();
    context.check(
        fixed.remaining().compareTo(context.ttl()) <= 0,
        "the delay counts as validity: " + TimeText.of(fixed.remaining()));
    context.get(fixed.loss(), context.ttl().plus(RuleContext.SLACK));
    // The loss may be told later than it came.
    freeNotBefore(context, rival, ends, delay, "after a loss by time").release();
    Lease renewed = client.lock(context.name(), options).acquire();
    context.letPass(context.ttl());
    Holders.held(renewed, "a lease with a lock delay is not renewed");
    long closed = System.nanoTime();
    client.close();
    context.check(!renewed.isValid(), "valid after the close of its client");
    freeNotBefore(context, rival, closed, delay, "after a loss by close").release();
    if (context.fixture().settings().isPresent()) {
      Worker worker = context.worker();
      worker.ask(
          "acquire %s %d 0 %d"
              .formatted(context.name(), context.ttl().toMillis(), delay.toMillis()));
      long killed = System.nanoTime();
      worker.jvm().kill();
      freeNotBefore(context, rival, killed, delay, "after the death of its holder").release();
    }
  }

  @Rule("TB-5")
  public void aReleaseAndAnEvictionFreeAtOnceInSpiteOfALockDelay(RuleContext context)
      throws InterruptedException {
    LockOptions options = context.longTtl().withLockDelay(Duration.ofMinutes(1));
    LockClient client = context.client();
    refuseWithout(context, retention(context) == Retention.SERVER, client, options);
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
    context.check(inspector.evict(holder), "the holder that was told had the lock, it is said");
    Lease next = Holders.free(context, rival, Duration.ZERO, "after an eviction");
    held.release();
    Holders.held(next, "the release of the evicted holder took the next one's lock");
  }

  @Rule("TB-6")
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
    boolean delays = retention(context) == Retention.SERVER;
    boolean keeps = retention(context) != Retention.NONE;
    refused(context, !delays, client, options.withLockDelay(ttl));
    refused(context, !keeps, client, options.withMinHold(ttl));
    client.lock(context.name(), options.withMaxHold(ttl)).acquire().release();
  }

  @Rule("TB-7")
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

  @Rule("TB-9")
  public void anExtensionUnderWayLeavesAMinimumHoldAlone(RuleContext context)
      throws InterruptedException {
    Duration minimum = context.ttl().multipliedBy(2);
    LockOptions options = context.options().withMinHold(minimum);
    Optional<TcpProxy> link = context.farLink();
    LockClient client = context.client(link);
    refuseWithout(context, retention(context) != Retention.NONE, client, options);
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
    context.checkInTime(free > 0, "not free in time after an early release");
    context.check(
        free == EXTENDED,
        "%d of %d names are free after an early release, but not the others%s"
            .formatted(free, EXTENDED, context.atTheServer()));
  }

  private static Optional<Lease> grantedNotBefore(
      RuleContext context, DistributedLock lock, long since, Duration taken, Duration limit)
      throws InterruptedException {
    Optional<Lease> lease = lock.tryAcquire(limit);
    notBefore(context, since, taken, "granted too early after an early release");
    return lease;
  }

  private static Retention retention(RuleContext context) {
    return context.promises().retention();
  }

  /** Ends the rule where that is not promised, once it has been refused. */
  private static void refuseWithout(
      RuleContext context, boolean promised, LockClient client, LockOptions options) {
    if (!promised) {
      refused(context, true, client, options);
      throw context.notPromised("it is refused, and backends are named that can");
    }
  }

  private static void refused(
      RuleContext context, boolean refused, LockClient client, LockOptions options) {
    if (!refused) {
      context.check(
          client.lock(context.name(), options).options().equals(options), "other options");
      return;
    }
    LockConfigurationException told =
        context.expect(
            LockConfigurationException.class, () -> client.lock(context.name(), options));
    String message = RuleContext.message(told);
    context.check(message.contains(context.name()), "the lock is not named: " + message);
    context.check(message.contains("can"), "no backend is named that can: " + message);
  }

  /** A lock that stays taken for a time, and no longer than a dead holder's beyond it. */
  private static Lease freeNotBefore(
      RuleContext context, DistributedLock lock, long since, Duration taken, String when)
      throws InterruptedException {
    Optional<Lease> lease =
        lock.tryAcquire(taken.plus(context.freeAfterDeath()).plus(RuleContext.SLACK));
    context.checkInTime(lease.isPresent(), "not free in time " + when + context.atTheServer());
    notBefore(context, since, taken, "granted too early " + when);
    return lease.orElseThrow();
  }

  /** Servers count in milliseconds, by clocks that differ a little from ours. */
  private static void notBefore(RuleContext context, long since, Duration time, String otherwise) {
    long passed = System.nanoTime() - since;
    context.check(
        passed >= time.toNanos() - time.toNanos() / 50,
        "%s: %d ms of %d".formatted(otherwise, passed / 1_000_000, time.toMillis()));
  }
}
