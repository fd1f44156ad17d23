/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.rules;

import io.holdfast.lock.Capabilities.Lifetime;
import io.holdfast.lock.Capabilities.Retention;
import io.holdfast.lock.DistributedLock;
import io.holdfast.lock.JavaLock;
import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockClosedException;
import io.holdfast.lock.LockEvent;
import io.holdfast.lock.LockLostException;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.Loss;
import io.holdfast.lock.LossReason;
import io.holdfast.lock.ReleaseOutcome;
import io.holdfast.lock.Renewal;
import io.holdfast.lock.Share;
import io.holdfast.lock.text.TimeText;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

/** SV: several locks that are held together; how that ends, and the forms. */
public final class MultiLockEndRules {

  private static final int CANCELLED = 40;

  @Rule(value = "SV-6", lookAt = "renew(): whether it answers for each lock by itself")
  public void aLossOfOneIsALossOfAll(RuleContext context) throws InterruptedException {
    LockClient client = context.client();
    List<String> names = MultiLockRules.names(context, 3);
    Lease lease = client.allOf(names, context.options()).acquire();
    AtomicInteger times = new AtomicInteger();
    lease.onLoss(loss -> times.incrementAndGet());
    Administrator.revoke(context, names.get(1));
    Administrator.awaitEnd(context, lease);
    Loss loss = context.get(lease.loss(), context.ttl().plus(RuleContext.SLACK));
    if (context.isBoundToConnection()) {
      LossReports.checkReason(Set.of(LossReason.SESSION_ENDED), loss);
      context.check(
          names.contains(loss.lockName()),
          "expected the loss of one of %s, but it was told of %s"
              .formatted(names, loss.lockName()));
    } else {
      LossReports.checkReason(Set.of(LossReason.REVOKED), loss);
      context.checkEquals(names.get(1), loss.lockName(), "the name of the lock that was lost");
    }
    Holders.ended(lease, "when its loss is told");
    context.expect(
        LockLostException.class,
        () -> {
          lease.ensureValid();
          return "valid";
        });
    MultiLockRules.checkFree(
        context, context.client(), names, context.freeAfterDeath(), "after a loss of one");
    context.checkEquals(
        ReleaseOutcome.ALREADY_LOST, lease.release(), "the answer to a release after the loss");
    context.letPass(Duration.ofMillis(100));
    context.checkEquals(1, times.get(), "the number of times that the loss was told");
  }

  @Rule(value = "SV-7", lookAt = "release(): how it undoes an attempt that is under way")
  public void givingUpOrClosingLeavesNothing(RuleContext context) throws Exception {
    LockClient rival = context.client();
    List<String> names = MultiLockRules.names(context, 3);
    LockClient client = context.client(context.farLink());
    RandomMoments moments = new RandomMoments();
    for (int i = 0; i < CANCELLED; i++) {
      CompletableFuture<Lease> asked = client.allOf(names, context.longTtl()).acquireAsync();
      moments.await();
      boolean cancelled = asked.cancel(true);
      if (!cancelled) {
        asked.join().release();
      }
      moments.was(cancelled);
    }
    context.awaitNothingLeft(RuleContext.SLACK);
    Lease busy = rival.lock(names.get(2), context.longTtl()).acquire();
    Throwable told =
        CancellationRules.interruptedWait(context, client, client.allOf(names, context.longTtl()));
    context.check(
        told instanceof InterruptedException,
        "expected InterruptedException from a wait that was interrupted, but it ended with "
            + told);
    List<String> others = names.subList(0, 2);
    MultiLockRules.checkFree(context, rival, others, RuleContext.SLACK, "after an interrupt");

    LockClient closing = context.client();
    CompletableFuture<Lease> waiting =
        RecordedEvents.contended(context, closing, closing.allOf(names, context.longTtl()));
    closing.close();
    context.expect(LockClosedException.class, () -> context.get(waiting, RuleContext.SLACK));
    MultiLockRules.checkFree(
        context, rival, others, RuleContext.SLACK, "after the close of the client");
    context.expect(LockClosedException.class, () -> closing.allOf(names));
    Holders.released(busy, "the holder of the busy one");
    context.awaitNothingLeft(RuleContext.SLACK);
  }

  @Rule(value = "SV-8", lookAt = "renew(): whether it tells a loss while others are waited for")
  public void oneThatIsLostWhileOthersAreWaitedForIsTakenAgain(RuleContext context)
      throws InterruptedException {
    LockClient rival = context.client();
    LockClient client = context.client();
    List<String> names = MultiLockRules.names(context, 2);
    Lease busy = rival.lock(names.get(1), context.options()).acquire();
    CompletableFuture<LockEvent> granted = RecordedEvents.next(client, LockEvent.Granted.class);
    CompletableFuture<LockEvent> lost = RecordedEvents.next(client, LockEvent.Lost.class);
    CompletableFuture<Lease> asked = client.allOf(names, context.options()).acquireAsync();
    context.get(granted, RuleContext.SLACK);
    Administrator.revoke(context, names.get(0));
    context.get(lost, context.freeAfterDeath().plus(RuleContext.SLACK));
    Duration within = context.freeAfterDeath().plus(RuleContext.SLACK);
    Lease between = rival.lock(names.get(0), context.options()).acquire(within);
    granted = RecordedEvents.next(client, LockEvent.Granted.class);
    busy.release();
    context.get(granted, within);
    // It has the greater one now, and must not wait for the other without giving that back.
    Holders.free(
            context,
            context.client().lock(names.get(1), context.options()),
            within,
            "while the other one is waited for")
        .release();
    between.release();
    Lease lease = context.get(asked, within);
    Holders.held(lease, "granted after one of its locks was taken away and taken again");
    for (String name : names) {
      Holders.refused(lease, context.client().lock(name, context.options()).tryAcquire(), name);
    }
    Holders.released(lease, "the holder of several locks");
  }

  @Rule(value = "SV-9", lookAt = "attempt() and expireIn(): the TTL of each lock")
  public void itIsValidForAsLongAsTheShortestOfItsLocks(RuleContext context)
      throws InterruptedException {
    LockClient rival = context.client();
    LockClient client = context.client();
    List<String> names = MultiLockRules.names(context, 2);
    Lease busy = rival.lock(names.get(1), context.longTtl()).acquire();
    LockOptions minute = context.longTtl().withRenewal(Renewal.none());
    CompletableFuture<LockEvent> granted = RecordedEvents.next(client, LockEvent.Granted.class);
    CompletableFuture<Lease> asked = client.allOf(names, minute).acquireAsync();
    context.get(granted, RuleContext.SLACK);
    Duration apart = Duration.ofMillis(500);
    context.letPass(apart);
    Lease since = client.lock(context.name(), minute).acquire();
    Holders.released(busy, "the holder of the busy one");
    Lease lease = context.get(asked, RuleContext.SLACK);
    Duration ofFirst = since.remaining().minus(apart);
    Duration remaining = lease.remaining();
    // A session keeps all of its leases for the same time.
    context.check(
        remaining.compareTo(ofFirst) <= 0 || context.promises().lifetime() != Lifetime.TTL,
        "expected at most %s to remain, as of its first lock, but found %s"
            .formatted(TimeText.of(ofFirst), TimeText.of(remaining)));
    since.release();
    lease.expireIn(context.ttl());
    Future<Long> lastValid = context.lastValid(lease);
    Duration atMost = context.ttl().plus(context.freeAfterDeath()).plus(RuleContext.SLACK);
    for (String name : names) {
      Lease next =
          Holders.free(context, rival.lock(name, context.options()), atMost, "after its end");
      long begun = System.nanoTime();
      long last = context.get(lastValid, RuleContext.SLACK);
      Holders.endedBefore(begun, last, "a lease of several locks, " + name + " among them,");
      next.release();
    }
    context.checkEquals(
        LossReason.EXPIRED,
        context.get(lease.loss(), RuleContext.SLACK).reason(),
        "the reason of the loss");
  }

  @Rule(value = "SV-10", lookAt = "release(Duration): the lock delay of the other locks")
  public void aLossOfOneDelaysAll(RuleContext context) throws InterruptedException {
    if (context.promises().retention() != Retention.SERVER) {
      throw context.notPromised("this backend refuses a lock delay, as TB-6 tests");
    }
    Duration delay = context.ttl().multipliedBy(2);
    List<String> names = MultiLockRules.names(context, 2);
    LockClient client = context.client();
    Lease lease = client.allOf(names, context.options().withLockDelay(delay)).acquire();
    Administrator.revoke(context, names.get(1));
    context.get(lease.loss(), context.freeAfterDeath().plus(RuleContext.SLACK));
    long told = System.nanoTime();
    DistributedLock rest = context.client().lock(names.get(0), context.longTtl());
    Optional<Lease> next =
        rest.tryAcquire(delay.plus(context.freeAfterDeath()).plus(RuleContext.SLACK));
    context.checkInTime(
        next.isPresent(),
        "expected the other lock to be free after the delay, but it is refused"
            + context.atTheServer());
    Duration passed = Duration.ofNanos(System.nanoTime() - told);
    // Told a moment after the server was asked to keep it.
    context.check(
        passed.compareTo(delay.dividedBy(2)) >= 0,
        "expected a delay of %s after the loss of another lock, but it was granted after %s"
            .formatted(TimeText.of(delay), TimeText.of(passed)));
  }

  @Rule(value = "SV-11", lookAt = Rule.ENGINE)
  public void everyFormOfALockIsOneOfSeveral(RuleContext context) throws Exception {
    LockClient client = context.client();
    List<String> names = MultiLockRules.names(context, 2);
    List<String> twice = List.of(names.get(1), names.get(0), names.get(1));
    DistributedLock all = client.allOf(twice, context.options());
    DistributedLock one = context.client().lock(names.get(1), context.options());
    new FormTrials(context, client, names, Share.LOCK, one, Optional.empty()).tryAll(all);
    JavaLock java = all.asJavaLock();
    context.check(
        java.tryLock(),
        "expected tryLock to be granted while all locks are free, but it was refused");
    context.check(
        client.allOf(names, context.options()).asJavaLock().tryLock(),
        "expected tryLock to be granted to the thread that holds the locks, but it was refused");
    context.checkEquals(2, java.holdCount(), "the hold count of this thread");
    context.check(
        !context.get(context.start(() -> java.tryLock()), RuleContext.SLACK),
        "expected tryLock to be refused to another thread, but it was granted");
    context.check(
        client.lock(String.join(", ", names), context.options()).asJavaLock().lease().isEmpty(),
        "expected no lease behind a lock of the joined names, but there is one");
    java.unlock();
    java.unlock();
    MultiLockRules.checkFree(context, client, names, Duration.ZERO, "after the last unlock");
    Lease single = client.allOf(names.subList(0, 1), context.options()).acquire();
    context.checkEquals(names.get(0), single.lockName(), "the name of a lease of one");
    Holders.released(single, "the holder of one");
    Lease prefixed = client.within(context.name()).allOf(List.of("x", "y")).acquire();
    context.checkEquals(
        List.of(context.name() + ":x", context.name() + ":y"),
        prefixed.lockNames(),
        "the names with their prefix");
    Holders.released(prefixed, "the holder of prefixed names");
    context.expect(IllegalArgumentException.class, () -> client.allOf(List.of()));
    context.expect(IllegalArgumentException.class, () -> client.allOf(List.of(names.get(0), "")));
  }
}
