/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.rules;

import static io.holdfast.lock.tck.rules.Semaphores.CAPACITY;

import io.holdfast.lock.Capabilities.Fencing;
import io.holdfast.lock.Capabilities.Inspection;
import io.holdfast.lock.DistributedLock;
import io.holdfast.lock.DistributedSemaphore;
import io.holdfast.lock.HandOver;
import io.holdfast.lock.Lease;
import io.holdfast.lock.LockCapacityException;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHolder;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.ReleaseOutcome;
import io.holdfast.lock.Renewal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** PM: semaphores. Their capacity is in {@link CapacityRules}. */
public final class PermitRules {

  @Rule(value = "PM-1", lookAt = "attempt(): how it adds up permits")
  public void thePermitsThatAreHeldNeverExceedTheCapacity(RuleContext context)
      throws InterruptedException {
    List<DistributedSemaphore> semaphores = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      semaphores.add(Semaphores.of(context, context.client()));
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
                  counted.hold(semaphore.permits(permits).acquire());
                }
                return true;
              }));
    }
    context.letPass(Duration.ofSeconds(1));
    enough.set(true);
    threads.forEach(thread -> context.get(thread, RuleContext.SLACK.multipliedBy(3)));
    context.check(
        counted.most() > 1,
        "expected more than one permit to be held at once, but found " + counted.most());
    // Waiters come one after another, and the order that keeps them apart could hide that a grant
    // does not look at the others: so all of them ask at once, when everything is free.
    for (int round = 0; round < 40 && counted.most() <= CAPACITY; round++) {
      AtomicInteger number = new AtomicInteger();
      context.together(
          semaphores.size(),
          () -> {
            DistributedSemaphore semaphore = semaphores.get(number.getAndIncrement());
            Optional<Lease> lease = semaphore.permits(CAPACITY - 1).tryAcquire();
            lease.ifPresent(counted::hold);
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
    private final Set<Lease> held = ConcurrentHashMap.newKeySet();
    private final AtomicInteger most = new AtomicInteger();

    Counted(RuleContext context) {
      this.context = context;
    }

    int most() {
      return most.get();
    }

    /** Holds for a few milliseconds, then releases. */
    void hold(Lease lease) {
      held.add(lease);
      most.accumulateAndGet(valid(), Math::max);
      context.letPass(Duration.ofMillis(ThreadLocalRandom.current().nextInt(1, 6)));
      held.remove(lease);
      lease.release();
    }

    /** Those that are valid at the second look were all valid after the first. */
    private int valid() {
      List<Lease> once = held.stream().filter(Lease::isValid).toList();
      return once.stream().filter(Lease::isValid).mapToInt(one -> one.share().permits()).sum();
    }
  }

  @Rule(value = "PM-2", lookAt = "attempt(): whether check and set are one atomic step")
  public void ofManyAttemptsAsManySucceedAsFit(RuleContext context) {
    List<DistributedSemaphore> semaphores =
        List.of(Semaphores.of(context, context.client()), Semaphores.of(context, context.client()));
    for (int round = 0; round < 5; round++) {
      AtomicInteger number = new AtomicInteger();
      List<Optional<Lease>> answers =
          context.together(
              2 * CAPACITY + 2,
              () -> semaphores.get(number.getAndIncrement() % 2).permit().tryAcquire());
      List<Lease> granted = answers.stream().flatMap(Optional::stream).toList();
      List<Lease> valid = granted.stream().filter(Lease::isValid).toList();
      if (valid.size() > CAPACITY && valid.stream().allMatch(Lease::isValid)) {
        throw new Overlap(
            "expected at most %d permits to be held at once, but found %s"
                .formatted(CAPACITY, valid));
      }
      context.checkInTime(
          valid.size() == granted.size(),
          "expected all leases to be valid when each attempt was answered, but some had ended");
      context.checkEquals(CAPACITY, granted.size(), "the number of attempts that were granted");
      granted.forEach(lease -> Holders.released(lease, "one of many"));
    }
  }

  @Rule(value = "PM-3", lookAt = "attempt(): whether newcomers overtake a claim that waits")
  public void aBigRequestIsServedThoughSmallOnesKeepComing(RuleContext context)
      throws InterruptedException {
    List<DistributedLock> small = new ArrayList<>();
    for (int i = 0; i < CAPACITY + 1; i++) {
      small.add(Semaphores.of(context, context.client()).permit());
    }
    DistributedSemaphore big = Semaphores.of(context, context.client());
    new ContinuousHolders(context, small).serve(big.permits(CAPACITY), "a request for all permits");
  }

  @Rule(value = "PM-4", lookAt = "the TTL or session that frees the permits of a dead holder")
  public void thePermitsOfAKilledProcessComeBack(RuleContext context) throws InterruptedException {
    DistributedSemaphore semaphore = Semaphores.of(context, context.client());
    LockClient client = context.client();
    LockOptions once = context.longTtl().withRenewal(Renewal.none());
    Worker worker = context.worker();
    worker.ask("as 2/" + CAPACITY);
    Lease one = Semaphores.of(context, client).with(once).permit().acquire();
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
        () -> context.client().lock(context.name(), Semaphores.options(context)).tryAcquire());
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

  @Rule(value = "PM-5", lookAt = "release(): whether it removes the permits of its claim alone")
  public void aReleaseGivesBackItsOwnPermits(RuleContext context) throws InterruptedException {
    LockClient client = context.client();
    DistributedSemaphore semaphore = Semaphores.of(context, client);
    DistributedSemaphore other = Semaphores.of(context, context.client());
    Lease one = semaphore.permit().acquire();
    Lease two = semaphore.permits(2).acquire();
    context.check(
        !one.ownerId().equals(two.ownerId()),
        "expected an owner id of its own for each lease, but two have " + one.ownerId());
    Holders.refused(two, other.permit().tryAcquire(), "more than there are");
    Holders.released(one, "the holder of one");
    context.checkEquals(
        ReleaseOutcome.ALREADY_RELEASED, one.release(), "the answer to a second release");
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

  @Rule(value = "PM-7", lookAt = "inspection(): what holders() and evict() read of permits")
  public void inspectionTellsWhoHoldsHowMany(RuleContext context) throws InterruptedException {
    DistributedSemaphore semaphore = Semaphores.of(context, context.client());
    LockClient client = context.client();
    if (context.promises().inspection() == Inspection.NONE) {
      throw context.notPromised("nothing can be asked");
    }
    DistributedSemaphore other = Semaphores.of(context, client);
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
    context.checkEquals(2, holders.size(), "the number of holders");
    context.checkEquals(2L, listed, "the number of holders that are listed");
    for (Lease lease : List.of(one, two)) {
      LockHolder holder =
          Holders.told(Optional.ofNullable(byPermits.get(lease.share().permits())), lease);
      context.checkEquals(lease.share(), holder.share(), "the share of a holder");
      context.check(
          holder.ownerId().map(lease.ownerId()::equals).orElse(true),
          "expected the owner id %s, but found %s"
              .formatted(lease.ownerId(), RuleChecks.text(holder.ownerId())));
    }
    LockHolder away = Holders.told(Optional.ofNullable(byPermits.get(2)), two);
    if (!client.inspector().evict(away)) {
      Holders.held(two, "the holder that was told was not found");
      throw new AssertionError(
          "expected a holder that was told to be taken away, but it was not found");
    }
    context.check(
        !client.inspector().evict(away),
        "expected a holder that is gone not to be found, but it was taken away again");
    Holders.free(context, semaphore.permits(2), RuleContext.SLACK, "for what was taken away");
    Administrator.awaitEnd(context, two);
    Holders.held(one, "after another holder was taken away");
  }

  @Rule(value = "PM-8", lookAt = "release(): what it leaves of a claim that has waited")
  public void aWaitThatEndsLeavesNothingBehind(RuleContext context) throws InterruptedException {
    LockOptions options = context.longTtl().withHandOver(HandOver.none());
    DistributedSemaphore semaphore = Semaphores.of(context, context.client()).with(options);
    DistributedSemaphore other = Semaphores.of(context, context.client()).with(options);
    Lease one = semaphore.permit().acquire();
    CompletableFuture<Lease> waiting = other.permits(CAPACITY).acquireAsync();
    context.check(
        other.permits(CAPACITY).tryAcquire(Duration.ofMillis(200)).isEmpty(),
        "expected all permits to be refused while one is held, but they were granted");
    waiting.cancel(true);
    Lease two =
        Holders.free(
            context, semaphore.permits(2), RuleContext.SLACK, "when nobody waits ahead any more");
    Holders.released(two, "the holder of two");
    Holders.released(one, "the holder of one");
    Holders.free(context, other.permits(CAPACITY), RuleContext.SLACK, "for all").release();
    context.awaitNothingLeft(context.freeAfterDeath().plus(RuleContext.SLACK));
  }

  @Rule(value = "PM-9", lookAt = "attempt(): the tokens of permits")
  public void tokensGrowWhereLeasesDoNotFitTogether(RuleContext context)
      throws InterruptedException {
    DistributedSemaphore here = Semaphores.of(context, context.client());
    DistributedSemaphore there = Semaphores.of(context, context.client());
    if (context.promises().fencing() == Fencing.NONE) {
      throw context.notPromised("no tokens");
    }
    Lease all = here.permits(CAPACITY).acquire();
    for (int round = 0; round < 5; round++) {
      Holders.released(all, "the holder of all permits");
      // Of one client and of another, at once: a server may make a number for each request.
      AtomicInteger number = new AtomicInteger();
      List<Lease> singles =
          context.together(
              CAPACITY, () -> (number.getAndIncrement() == 0 ? there : here).permit().acquire());
      Set<Long> tokens = new HashSet<>();
      for (Lease single : singles) {
        context.checkTokenGrows(all, single);
        context.check(
            tokens.add(single.fencingToken()),
            "expected a token of its own for each lease, but two have " + single.fencingToken());
      }
      Lease stays = singles.get(0);
      singles.subList(1, CAPACITY).forEach(lease -> Holders.released(lease, "one of three"));
      // The name stays in use, and these fit beside the one that stays, but not beside each other.
      Lease first = here.permits(CAPACITY - 1).acquire();
      Holders.released(first, "the holder of two");
      Lease second = there.permits(CAPACITY - 1).acquire();
      context.checkTokenGrows(first, second);
      Holders.released(second, "the holder of two");
      Holders.released(stays, "one of three");
      Lease next = (round % 2 == 0 ? there : here).permits(CAPACITY).acquire();
      List<Lease> before = new ArrayList<>(singles);
      before.addAll(List.of(all, first, second));
      before.forEach(lease -> context.checkTokenGrows(lease, next));
      all = next;
    }
    all.release();
  }
}
