/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.rules;

import io.holdfast.lock.Capabilities.Inspection;
import io.holdfast.lock.Capabilities.Sharing;
import io.holdfast.lock.DistributedLock;
import io.holdfast.lock.DistributedSemaphore;
import io.holdfast.lock.HandOver;
import io.holdfast.lock.Lease;
import io.holdfast.lock.LockCapacityException;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.LockHolder;
import io.holdfast.lock.LockInspector;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.ReleaseOutcome;
import io.holdfast.lock.Renewal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** PM: semaphores. */
public final class PermitRules {

  private static final int CAPACITY = 3;

  @Rule("PM-1")
  public void thePermitsThatAreHeldNeverExceedTheCapacity(RuleContext context)
      throws InterruptedException {
    List<DistributedSemaphore> semaphores = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      semaphores.add(semaphore(context, context.client()));
    }
    Counted counted = new Counted(context);
    AtomicBoolean enough = new AtomicBoolean();
    List<Future<Boolean>> threads = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      DistributedSemaphore semaphore = semaphores.get(i % 4);
      int permits = 1 + i % CAPACITY;
      threads.add(
          context.start(
              () -> {
                while (!enough.get()) {
                  counted.hold(semaphore.permits(permits).acquire(), permits);
                }
                return true;
              }));
    }
    context.letPass(Duration.ofSeconds(1));
    enough.set(true);
    threads.forEach(thread -> context.get(thread, RuleContext.SLACK.multipliedBy(3)));
    context.check(counted.most() > 1, "nobody held a permit while another did");
    // Waiters come one after another, and the order that keeps them apart could hide that a grant
    // does not look at the others: so all of them ask at once, when everything is free.
    for (int round = 0; round < 40 && counted.most() <= CAPACITY; round++) {
      AtomicInteger number = new AtomicInteger();
      context.together(
          semaphores.size(),
          () -> {
            DistributedSemaphore semaphore = semaphores.get(number.getAndIncrement());
            Optional<Lease> lease = semaphore.permits(CAPACITY - 1).tryAcquire();
            lease.ifPresent(granted -> counted.hold(granted, CAPACITY - 1));
            return lease.isPresent();
          });
    }
    if (counted.most() > CAPACITY) {
      throw new Overlap(
          "expected at most %d permits to be held at once, but %d were"
              .formatted(CAPACITY, counted.most()));
    }
  }

  /** Counts the permits that are held at once by valid leases. */
  private static final class Counted {

    private final RuleContext context;
    private final AtomicInteger held = new AtomicInteger();
    private final AtomicInteger most = new AtomicInteger();

    Counted(RuleContext context) {
      this.context = context;
    }

    int most() {
      return most.get();
    }

    /** Holds for a few milliseconds, then releases. */
    void hold(Lease lease, int permits) {
      int now = held.addAndGet(permits);
      context.letPass(Duration.ofMillis(ThreadLocalRandom.current().nextInt(1, 6)));
      if (lease.isValid()) {
        most.accumulateAndGet(now, Math::max);
      }
      held.addAndGet(-permits);
      lease.release();
    }
  }

  @Rule("PM-2")
  public void ofManyAttemptsAsManySucceedAsFit(RuleContext context) {
    List<DistributedSemaphore> semaphores =
        List.of(semaphore(context, context.client()), semaphore(context, context.client()));
    for (int round = 0; round < 5; round++) {
      AtomicInteger number = new AtomicInteger();
      List<Optional<Lease>> answers =
          context.together(
              2 * CAPACITY + 2,
              () -> semaphores.get(number.getAndIncrement() % 2).permit().tryAcquire());
      List<Lease> granted = answers.stream().flatMap(Optional::stream).toList();
      List<Lease> valid = granted.stream().filter(Lease::isValid).toList();
      if (valid.size() > CAPACITY && valid.stream().allMatch(Lease::isValid)) {
        throw new Overlap("more permits are held than there are: " + valid);
      }
      context.checkInTime(
          valid.size() == granted.size(), "leases had ended before all attempts were answered");
      context.checkEquals(CAPACITY, granted.size(), "how many of many attempts were granted");
      granted.forEach(lease -> Holders.released(lease, "one of many"));
    }
  }

  @Rule("PM-3")
  public void aBigRequestIsServedThoughSmallOnesKeepComing(RuleContext context)
      throws InterruptedException {
    List<DistributedLock> small = new ArrayList<>();
    for (int i = 0; i < CAPACITY + 1; i++) {
      small.add(semaphore(context, context.client()).permit());
    }
    DistributedSemaphore big = semaphore(context, context.client());
    new ContinuousHolders(context, small)
        .serve(
            big.permits(CAPACITY),
            "a request for all permits waits for ever, as others keep passing it");
  }

  @Rule("PM-4")
  public void thePermitsOfAKilledProcessComeBack(RuleContext context) throws InterruptedException {
    DistributedSemaphore semaphore = semaphore(context, context.client());
    LockClient client = context.client();
    LockOptions once = context.longTtl().withRenewal(Renewal.none());
    Worker worker = context.worker();
    worker.ask("as 2/" + CAPACITY);
    Lease one = semaphore(context, client).with(once).permit().acquire();
    worker.ask("acquire " + context.name() + " " + context.ttl().toMillis());
    Holders.refused(
        () -> worker.ask("valid").equals("true"),
        semaphore.permit().tryAcquire().map(lease -> lease::isValid),
        "one permit more than there are");
    // It has renewed what it holds.
    context.letPass(context.ttl());
    worker.jvm().kill();
    // Nobody asks meanwhile: that could put right what the dead one has written of the name.
    context.letPass(context.freeAfterDeath());
    context.expect(
        LockCapacityException.class,
        () -> context.client().lock(context.name(), options(context)).tryAcquire());
    Holders.refused(one, semaphore.permits(CAPACITY).tryAcquire(), "all permits next to one");
    Lease others =
        Holders.free(
            context,
            semaphore.permits(CAPACITY - 1),
            RuleContext.SLACK,
            "for the permits of a process that died");
    Holders.held(one, "after another holder has died");
    Holders.released(one, "a holder that outlived another");
    others.release();
  }

  @Rule("PM-5")
  public void aReleaseGivesBackItsOwnPermits(RuleContext context) throws InterruptedException {
    LockClient client = context.client();
    DistributedSemaphore semaphore = semaphore(context, client);
    DistributedSemaphore other = semaphore(context, context.client());
    Lease one = semaphore.permit().acquire();
    Lease two = semaphore.permits(2).acquire();
    context.check(!one.ownerId().equals(two.ownerId()), "two leases of a client have one owner");
    Holders.refused(two, other.permit().tryAcquire(), "more than there are");
    Holders.released(one, "the holder of one");
    context.checkEquals(ReleaseOutcome.ALREADY_RELEASED, one.release(), "a second release");
    Holders.held(two, "after another lease of its client was released");
    Lease next = Holders.free(context, other.permit(), RuleContext.SLACK, "for one");
    Holders.refused(two, other.permit().tryAcquire(), "more than were given back");
    Holders.released(two, "the holder of two");
    Lease more = Holders.free(context, other.permits(2), RuleContext.SLACK, "for two");
    context.letPass(context.ttl().multipliedBy(2));
    Holders.held(next, "for twice its TTL");
    Holders.held(more, "for twice its TTL");
    next.release();
    more.release();
  }

  @Rule("PM-6")
  public void aCapacityBelongsToTheName(RuleContext context) throws InterruptedException {
    LockClient client = context.client();
    DistributedSemaphore semaphore = semaphore(context, client);
    LockClient elsewhere = context.client();
    DistributedSemaphore larger =
        elsewhere.semaphore(context.name(), CAPACITY + 2, options(context));
    Lease held = semaphore.permits(CAPACITY).acquire();
    for (LockClient either : List.of(client, elsewhere)) {
      LockCapacityException told =
          context.expect(
              LockCapacityException.class,
              () ->
                  either
                      .semaphore(context.name(), CAPACITY + 2, options(context))
                      .permit()
                      .tryAcquire());
      context.checkEquals(CAPACITY + 2, told.askedFor(), "the capacity asked for");
      context.checkEquals(CAPACITY, told.inUse(), "the capacity in use");
      String message = RuleContext.message(told);
      context.check(message.contains(context.name()), "the name is not named: " + message);
      context.expect(
          LockCapacityException.class,
          () -> either.lock(context.name(), options(context)).tryAcquire());
    }
    Holders.held(held, "after another capacity was refused");
    if (context.promises().sharing() == Sharing.FIXED_PERMITS) {
      LockConfigurationException told =
          context.expect(
              LockConfigurationException.class,
              () -> elsewhere.inspector().changeCapacity(context.name(), CAPACITY, CAPACITY + 2));
      String message = RuleContext.message(told);
      context.check(message.contains(context.name()), "the name is not named: " + message);
      Holders.held(held, "after a change of the capacity was refused");
    } else if (context.promises().inspection() != Inspection.NONE) {
      LockInspector inspector = elsewhere.inspector();
      context.check(
          !inspector.changeCapacity(context.name(), CAPACITY + 1, CAPACITY + 2),
          "changed from a capacity that it does not have");
      LockClient waiter = context.client();
      CompletableFuture<Lease> waiting =
          RecordedEvents.contended(context, waiter, semaphore(context, waiter).permit());
      context.check(
          inspector.changeCapacity(context.name(), CAPACITY, CAPACITY + 2), "not changed");
      // Otherwise a waiter would wait for ever for a capacity that is gone.
      context.expect(
          LockCapacityException.class,
          () -> context.get(waiting, context.freeAfterDeath().plus(RuleContext.SLACK)));
      Lease more = Holders.free(context, larger.permits(2), RuleContext.SLACK, "for two more");
      Holders.refused(more, larger.permit().tryAcquire(), "more than there are now");
      more.release();
      // The client that holds of the old capacity has no other way to learn of the new one.
      DistributedSemaphore changed =
          client.semaphore(context.name(), CAPACITY + 2, options(context));
      Lease here =
          Holders.free(context, changed.permit(), RuleContext.SLACK, "for the old holder's client");
      context.expect(
          LockCapacityException.class, () -> semaphore(context, client).permit().tryAcquire());
      Holders.held(here, "of the new capacity");
      Holders.released(here, "one of the new capacity");
      Holders.held(held, "after the capacity was changed");
      LockClient third = context.client();
      context.expect(
          LockCapacityException.class, () -> semaphore(context, third).permit().tryAcquire());
    }
    Holders.released(held, "all of the first capacity");
    Holders.free(context, larger.permits(CAPACITY + 2), RuleContext.SLACK, "with its capacity")
        .release();
  }

  @Rule("PM-7")
  public void inspectionTellsWhoHoldsHowMany(RuleContext context) throws InterruptedException {
    DistributedSemaphore semaphore = semaphore(context, context.client());
    LockClient client = context.client();
    if (context.promises().inspection() == Inspection.NONE) {
      throw context.notPromised("nothing can be asked");
    }
    DistributedSemaphore other = semaphore(context, client);
    Lease one = semaphore.permit().acquire();
    Lease two = other.permits(2).acquire();
    List<LockHolder> holders = client.inspector().holders(context.name());
    long listed =
        client.inspector().held(1000).stream()
            .filter(holder -> holder.lockName().equals(context.name()))
            .count();
    Holders.held(one, "the holder of one permit was asked about");
    Holders.held(two, "the holder of two permits was asked about");
    Map<Integer, LockHolder> byPermits = new HashMap<>();
    holders.forEach(holder -> byPermits.put(holder.share().permits(), holder));
    context.checkEquals(2, holders.size(), "how many hold");
    context.checkEquals(2L, listed, "how many are listed");
    for (Lease lease : List.of(one, two)) {
      LockHolder holder =
          Holders.told(Optional.ofNullable(byPermits.get(lease.share().permits())), lease);
      context.checkEquals(lease.share(), holder.share(), "what is held");
      context.check(
          holder.ownerId().map(lease.ownerId()::equals).orElse(true), "another owner is told");
    }
    LockHolder away = Holders.told(Optional.ofNullable(byPermits.get(2)), two);
    if (!client.inspector().evict(away)) {
      Holders.held(two, "the holder that was told was not found");
      throw new AssertionError("a holder that was told was not found, though its lease is valid");
    }
    context.check(!client.inspector().evict(away), "a holder was taken away twice");
    Holders.free(context, semaphore.permits(2), RuleContext.SLACK, "for what was taken away");
    Administrator.awaitEnd(context, two);
    Holders.held(one, "after another holder was taken away");
  }

  @Rule("PM-8")
  public void aWaitThatEndsLeavesNothingBehind(RuleContext context) throws InterruptedException {
    LockOptions options = context.longTtl().withHandOver(HandOver.none());
    DistributedSemaphore semaphore = semaphore(context, context.client()).with(options);
    DistributedSemaphore other = semaphore(context, context.client()).with(options);
    Lease one = semaphore.permit().acquire();
    CompletableFuture<Lease> waiting = other.permits(CAPACITY).acquireAsync();
    context.check(
        other.permits(CAPACITY).tryAcquire(Duration.ofMillis(200)).isEmpty(),
        "more was granted than there is");
    waiting.cancel(true);
    Lease two =
        Holders.free(
            context, semaphore.permits(2), RuleContext.SLACK, "when nobody waits ahead any more");
    Holders.released(two, "the holder of two");
    Holders.released(one, "the holder of one");
    Holders.free(context, other.permits(CAPACITY), RuleContext.SLACK, "for all").release();
    context.awaitNothingLeft(context.freeAfterDeath().plus(RuleContext.SLACK));
  }

  private static LockOptions options(RuleContext context) {
    return context.options().withHandOver(HandOver.none());
  }

  /** Ends the rule where that is not promised, once it has been refused. */
  private static DistributedSemaphore semaphore(RuleContext context, LockClient client) {
    if (context.promises().sharing().hasSemaphores()) {
      return client.semaphore(context.name(), CAPACITY, options(context));
    }
    DistributedLock single = client.semaphore(context.name(), 1, options(context)).permit();
    context.check(
        single.share().equals(client.lock(context.name(), options(context)).share()),
        "a semaphore of one is not a lock");
    LockConfigurationException told =
        context.expect(
            LockConfigurationException.class,
            () -> client.semaphore(context.name(), CAPACITY, options(context)));
    throw refused(context, told);
  }

  static RuntimeException refused(RuleContext context, LockConfigurationException told) {
    String message = RuleContext.message(told);
    context.check(message.contains(context.name()), "the lock is not named: " + message);
    context.check(message.contains("can"), "no backend is named that can: " + message);
    return context.notPromised("it is refused, and backends are named that can");
  }
}
