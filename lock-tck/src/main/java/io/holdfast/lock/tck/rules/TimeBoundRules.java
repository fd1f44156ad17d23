/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.rules;

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
import io.holdfast.lock.spi.Capabilities.Inspection;
import io.holdfast.lock.spi.Capabilities.Retention;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Future;

/** TB: for how long a name is held at least and at most, and stays taken after a loss. */
public final class TimeBoundRules {

  private static final HandOver LONG = new HandOver(1024, Duration.ofMinutes(1));

  @Rule("TB-1")
  public void aNameThatIsReleasedEarlyStaysTakenForItsMinimumHold(Bench bench)
      throws InterruptedException {
    Duration minimum = bench.ttl().multipliedBy(2);
    LockOptions options = bench.options().withMinHold(minimum).withHandOver(LONG);
    LockClient client = bench.client();
    refuseWithout(bench, retention(bench) != Retention.NONE, client, options);
    DistributedLock lock = client.lock(bench.name(), options);
    DistributedLock rival = bench.client().lock(bench.name(), bench.options());
    long asked = System.nanoTime();
    Lease lease = lock.acquire();
    CompletableFuture<Lease> local = lock.acquireAsync();
    CompletableFuture<Lease> remote = rival.acquireAsync();
    Holders.released(lease, "an early release");
    bench.check(!lease.isValid(), "valid after its release");
    bench.check(lock.tryAcquire().isEmpty(), "granted in its client at once");
    CompletableFuture<Object> next = CompletableFuture.anyOf(local, remote);
    bench.get(next, minimum.plus(bench.freeAfterDeath()).plus(Bench.SLACK));
    notBefore(bench, asked, minimum, "granted before the minimum hold had passed");
    bench.check(!lease.loss().isDone(), "the release was told as a loss");
    local.cancel(true);
    remote.cancel(true);
  }

  @Rule("TB-2")
  public void theMinimumHoldOutlivesItsClient(Bench bench) throws InterruptedException {
    Duration minimum = bench.ttl().multipliedBy(2);
    LockOptions options = bench.options().withMinHold(minimum);
    LockClient client = bench.client();
    refuseWithout(bench, retention(bench) != Retention.NONE, client, options);
    DistributedLock rival = bench.client().lock(bench.name(), bench.options());
    long asked = System.nanoTime();
    Holders.released(client.lock(bench.name(), options).acquire(), "an early release");
    client.close();
    if (retention(bench) == Retention.CLIENT) {
      Holders.free(bench, rival, Bench.SLACK, "after the close of the client that kept it");
      throw bench.notPromised("the client keeps the name, so its close frees it");
    }
    freeNotBefore(bench, rival, asked, minimum, "after its client was closed").release();
    if (bench.fixture().settings().isEmpty()) {
      return;
    }
    Worker worker = bench.worker();
    asked = System.nanoTime();
    worker.ask(
        "acquire %s %d %d".formatted(bench.name(), bench.ttl().toMillis(), minimum.toMillis()));
    bench.checkEquals("Optional[RELEASED]", worker.ask("release"), "an early release");
    worker.jvm().kill();
    freeNotBefore(bench, rival, asked, minimum, "after its process was killed").release();
  }

  @Rule("TB-3")
  public void aRenewedLeaseEndsAtItsMaximumHold(Bench bench) throws InterruptedException {
    Duration maximum = bench.ttl().multipliedBy(2);
    LockOptions options = bench.options().withMaxHold(maximum);
    long asked = System.nanoTime();
    Lease lease = bench.client().lock(bench.name(), options).acquire();
    long granted = System.nanoTime();
    CompletableFuture<Loss> lost = lease.loss();
    while (!lost.isDone()) {
      Duration most = maximum.plusNanos(granted - System.nanoTime());
      Duration remaining = lease.remaining();
      bench.check(
          remaining.isZero() || remaining.compareTo(most) <= 0,
          "%s remain, and %s of the maximum".formatted(remaining, most));
      bench.checkInTime(
          System.nanoTime() - granted < maximum.plus(Bench.SLACK).toNanos(),
          "no loss was told at the maximum hold");
      bench.letPass(Duration.ofMillis(5));
    }
    bench.checkEquals(
        LossReason.MAX_HOLD_REACHED, bench.get(lost, Bench.SLACK).reason(), "the reason told");
    notBefore(bench, asked, maximum, "lost before the maximum hold had passed");
    bench.check(!lease.isValid(), "valid after its maximum hold");
    Holders.free(
        bench,
        bench.client().lock(bench.name(), bench.options()),
        bench.freeAfterDeath(),
        "after the maximum hold");
  }

  @Rule("TB-4")
  public void afterALossNobodyIsGrantedTheLockForTheDelay(Bench bench) throws InterruptedException {
    Duration delay = bench.ttl().multipliedBy(2);
    LockOptions options = bench.options().withLockDelay(delay);
    LockClient client = bench.client();
    refuseWithout(bench, retention(bench) == Retention.SERVER, client, options);
    DistributedLock rival = bench.client().lock(bench.name(), bench.options());
    Lease fixed = client.lock(bench.name(), options.withRenewal(Renewal.none())).acquire();
    bench.check(
        fixed.remaining().compareTo(bench.ttl()) <= 0,
        "the delay counts as validity: " + fixed.remaining());
    bench.get(fixed.loss(), bench.ttl().plus(Bench.SLACK));
    freeNotBefore(bench, rival, System.nanoTime(), delay, "after a loss by time").release();
    Lease renewed = client.lock(bench.name(), options).acquire();
    bench.letPass(bench.ttl());
    Holders.held(renewed, "a lease with a lock delay is not renewed");
    long closed = System.nanoTime();
    client.close();
    bench.check(!renewed.isValid(), "valid after the close of its client");
    freeNotBefore(bench, rival, closed, delay, "after a loss by close").release();
    if (bench.fixture().settings().isPresent()) {
      Worker worker = bench.worker();
      worker.ask(
          "acquire %s %d 0 %d".formatted(bench.name(), bench.ttl().toMillis(), delay.toMillis()));
      long killed = System.nanoTime();
      worker.jvm().kill();
      freeNotBefore(bench, rival, killed, delay, "after the death of its holder").release();
    }
  }

  @Rule("TB-5")
  public void aReleaseAndAnEvictionFreeAtOnceInSpiteOfALockDelay(Bench bench)
      throws InterruptedException {
    LockOptions options = bench.longTtl().withLockDelay(Duration.ofMinutes(1));
    LockClient client = bench.client();
    refuseWithout(bench, retention(bench) == Retention.SERVER, client, options);
    DistributedLock lock = client.lock(bench.name(), options);
    LockClient other = bench.client();
    DistributedLock rival = other.lock(bench.name(), bench.options());
    Holders.released(lock.acquire(), "the holder");
    Holders.free(bench, rival, Duration.ZERO, "after a release with a lock delay").release();
    if (bench.promises().inspection() == Inspection.NONE || !bench.fixture().allowsEviction()) {
      return;
    }
    Lease held = lock.acquire();
    LockInspector inspector = other.inspector();
    LockHolder holder = inspector.holder(bench.name()).orElseThrow();
    bench.check(inspector.evict(holder), "the holder that was told had the lock, it is said");
    Lease next = Holders.free(bench, rival, Duration.ZERO, "after an eviction");
    held.release();
    Holders.held(next, "the release of the evicted holder took the next one's lock");
  }

  @Rule("TB-6")
  public void boundsThatCannotBeKeptAreRefused(Bench bench) throws InterruptedException {
    LockOptions options = bench.options();
    Duration ttl = bench.ttl();
    bench.expect(
        IllegalArgumentException.class,
        () -> options.withMaxHold(ttl).withMinHold(ttl.plusMillis(1)));
    bench.expect(
        IllegalArgumentException.class,
        () -> options.withRenewal(Renewal.none()).withMinHold(ttl.plusMillis(1)));
    bench.expect(IllegalArgumentException.class, () -> options.withLockDelay(ttl.negated()));
    LockClient client = bench.client();
    boolean delays = retention(bench) == Retention.SERVER;
    boolean keeps = retention(bench) != Retention.NONE;
    refused(bench, !delays, client, options.withLockDelay(ttl));
    refused(bench, !keeps, client, options.withMinHold(ttl));
    client.lock(bench.name(), options.withMaxHold(ttl)).acquire().release();
  }

  @Rule("TB-7")
  public void aWarningIsGivenOnceWhileRenewalsFail(Bench bench) throws InterruptedException {
    TcpProxy link = bench.link();
    Lease lease = bench.client(link).lock(bench.name(), bench.oftenRenewed()).acquire();
    Duration left = lease.remaining().dividedBy(2);
    List<LockEvent.RenewalFailed> told = new CopyOnWriteArrayList<>();
    List<Boolean> valid = new CopyOnWriteArrayList<>();
    lease.onRenewalFailing(
        left,
        warning -> {
          valid.add(lease.isValid());
          told.add(warning);
        });
    bench.letPass(bench.ttl());
    bench.checkInTime(told.isEmpty(), "warned while renewals succeed: " + told);
    link.stall(Direction.TO_CLIENT);
    bench.await("a warning", bench.freeAfterDeath().plus(Bench.SLACK), () -> !told.isEmpty());
    bench.check(
        told.get(0).remaining().compareTo(left) <= 0,
        "warned with " + told.get(0).remaining() + " left, which is more than " + left);
    bench.checkInTime(valid.get(0), "warned after the end of validity");
    bench.await("the loss", bench.freeAfterDeath().plus(Bench.SLACK), () -> !lease.isValid());
    bench.checkEquals(1, told.size(), "warnings of one episode");
    link.heal();
  }

  @Rule("TB-8")
  public void aLeaseOfFixedTimeEndsEarlierIfItIsToldTo(Bench bench) throws Exception {
    LockOptions minute = bench.longTtl();
    LockClient client = bench.client();
    DistributedLock rival = bench.client().lock(bench.name(), bench.options());
    Lease renewed = client.lock(bench.name(), minute).acquire();
    bench.expect(
        IllegalStateException.class,
        () -> {
          renewed.expireIn(bench.ttl());
          return "no exception";
        });
    Holders.released(renewed, "the renewed");
    Lease lease = client.lock(bench.name(), minute.withRenewal(Renewal.none())).acquire();
    lease.expireIn(bench.ttl());
    Future<Long> lastValid = bench.lastValid(lease);
    bench.check(
        lease.remaining().compareTo(bench.ttl()) <= 0,
        "more remains than was set: " + lease.remaining());
    Duration atMost = bench.ttl().plus(bench.freeAfterDeath()).plus(Bench.SLACK);
    Lease next = Holders.free(bench, rival, atMost, "after its earlier end");
    long granted = System.nanoTime();
    if (bench.get(lastValid, Bench.SLACK) - granted >= 0) {
      throw new Overlap("valid beyond the earlier end, next to the following lease");
    }
    bench.checkEquals(
        LossReason.EXPIRED, bench.get(lease.loss(), Bench.SLACK).reason(), "the reason told");
    next.release();
    if (bench.fixture().settings().isPresent()) {
      Worker worker = bench.worker();
      worker.ask("fixed %s %d".formatted(bench.name(), minute.ttl().toMillis()));
      worker.ask("expire " + bench.ttl().toMillis());
      worker.jvm().kill();
      Holders.free(bench, rival, atMost, "after its earlier end, though its process died");
    }
  }

  private static Retention retention(Bench bench) {
    return bench.promises().retention();
  }

  /** Ends the rule where that is not promised, once it has been refused. */
  private static void refuseWithout(
      Bench bench, boolean promised, LockClient client, LockOptions options) {
    if (!promised) {
      refused(bench, true, client, options);
      throw bench.notPromised("it is refused, and backends are named that can");
    }
  }

  private static void refused(
      Bench bench, boolean refused, LockClient client, LockOptions options) {
    if (!refused) {
      bench.check(client.lock(bench.name(), options).options().equals(options), "other options");
      return;
    }
    LockConfigurationException told =
        bench.expect(LockConfigurationException.class, () -> client.lock(bench.name(), options));
    String message = Bench.message(told);
    bench.check(message.contains(bench.name()), "the lock is not named: " + message);
    bench.check(message.contains("can"), "no backend is named that can: " + message);
  }

  /** A lock that stays taken for a time, and no longer than a dead holder's beyond it. */
  private static Lease freeNotBefore(
      Bench bench, DistributedLock lock, long since, Duration taken, String when)
      throws InterruptedException {
    Optional<Lease> lease = lock.tryAcquire(taken.plus(bench.freeAfterDeath()).plus(Bench.SLACK));
    bench.checkInTime(lease.isPresent(), "not free in time " + when + bench.atTheServer());
    notBefore(bench, since, taken, "granted too early " + when);
    return lease.orElseThrow();
  }

  /** Servers count in milliseconds, by clocks that differ a little from ours. */
  private static void notBefore(Bench bench, long since, Duration time, String otherwise) {
    long passed = System.nanoTime() - since;
    bench.check(
        passed >= time.toNanos() - time.toNanos() / 50,
        "%s: %d ms of %d".formatted(otherwise, passed / 1_000_000, time.toMillis()));
  }
}
