/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.rules;

import io.holdfast.lock.Capabilities;
import io.holdfast.lock.DistributedLock;
import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockException;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.LockRejectedException;
import io.holdfast.lock.Locks;
import io.holdfast.lock.Loss;
import io.holdfast.lock.LossReason;
import io.holdfast.lock.servers.Server;
import io.holdfast.lock.tck.Bound;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** EX: at most one owner. */
public final class ExclusionRules {

  /** So long that a client which reads it is busy with nothing else. */
  private static final int FAR_TOO_LONG = 8 << 20;

  /** More than a server works on at a time. */
  private static final int MANY_LOCKS = 40;

  /** When a server goes on, what it asks of others may wait for so long, and then take effect. */
  private static final Duration LATE_REQUESTS = Duration.ofSeconds(8);

  @Rule(value = "EX-1", lookAt = "attempt(): whether it compares claims, not clients or sessions")
  public void exclusiveAmongThreadsOfOneClient(RuleContext context) throws InterruptedException {
    LockClient client = context.client();
    try (Lease lease = client.lock(context.name(), context.options()).acquire()) {
      List<Optional<Lease>> others =
          context.together(8, () -> client.lock(context.name(), context.options()).tryAcquire());
      others.forEach(other -> Holders.refused(lease, other, "two threads hold at once"));
    }
  }

  @Rule(value = "EX-2", lookAt = "attempt(): whether it checks for an owner as it takes the lock")
  public void exclusiveAmongClients(RuleContext context) throws InterruptedException {
    try (Lease lease = context.client().lock(context.name(), context.options()).acquire()) {
      for (int i = 0; i < 4; i++) {
        Holders.refused(
            lease,
            context.client().lock(context.name(), context.options()).tryAcquire(),
            "two clients hold at once");
      }
      // A backend may ask its server in another way for a client that waits.
      Holders.refused(
          lease,
          context
              .client()
              .lock(context.name(), context.options())
              .tryAcquire(context.ttl().dividedBy(8)),
          "a client that waits is granted it while another holds it");
    }
    LockClient before = context.client();
    for (int i = 0; i < 8; i++) {
      before.lock(context.name(), context.options()).acquire().close();
    }
    try (Lease lease = context.client().lock(context.name(), context.options()).acquire()) {
      Holders.refused(
          lease,
          before.lock(context.name(), context.options()).tryAcquire(),
          "who had it again and again is granted it beside its owner");
    }
  }

  @Rule(value = "EX-3", lookAt = "attempt(): whether the server decides, not the process")
  public void exclusiveAmongProcesses(RuleContext context) throws InterruptedException {
    Worker worker = context.worker();
    String attempt = "try " + context.name() + " " + context.ttl().toMillis();
    try (Lease lease = context.client().lock(context.name(), context.options()).acquire()) {
      boolean busy = worker.ask(attempt).equals("busy");
      Holders.refused(
          lease::isValid,
          busy ? Optional.empty() : Optional.of(() -> isValid(worker)),
          "another process is granted what we hold");
      Holders.held(lease, "the holder lost its lease");
    }
    context.check(
        !worker.ask(attempt).equals("busy"),
        "expected a free lock to be granted to another process, but it is refused");
    Holders.refused(
        () -> isValid(worker),
        context
            .client()
            .lock(context.name(), context.options())
            .tryAcquire()
            .map(lease -> lease::isValid),
        "two processes hold at once");
  }

  private static boolean isValid(Worker worker) {
    return worker.ask("valid").equals("true");
  }

  @Rule(value = "EX-4", lookAt = "attempt(): whether check and set are one atomic step")
  public void noUpdateIsLost(RuleContext context) {
    List<LockClient> clients = List.of(context.client(), context.client(), context.client());
    AtomicInteger next = new AtomicInteger();
    int[] unguarded = new int[1];
    context.together(
        6,
        () -> {
          LockClient client = clients.get(next.getAndIncrement() % clients.size());
          for (int i = 0; i < 8; i++) {
            client
                .lock(context.name(), context.options())
                .run(
                    lease -> {
                      int read = unguarded[0];
                      LockSupport.parkNanos(500_000);
                      unguarded[0] = read + 1;
                    });
          }
          return true;
        });
    context.checkEquals(48, unguarded[0], "the number of increments under the lock");
  }

  @Rule(value = "EX-5", lookAt = "attempt(): whether check and set are one atomic step")
  public void ofManyAtOnceOneSucceeds(RuleContext context) {
    List<LockClient> clients = List.of(context.client(), context.client(), context.client());
    for (int round = 0; round < 15; round++) {
      AtomicInteger next = new AtomicInteger();
      String name = context.name() + "-" + round;
      List<Optional<Lease>> granted =
          context.together(
              9,
              () ->
                  clients
                      .get(next.getAndIncrement() % clients.size())
                      .lock(name, context.options())
                      .tryAcquire());
      List<Lease> leases = granted.stream().flatMap(Optional::stream).toList();
      Holders.atMostOne(leases);
      context.check(
          !leases.isEmpty(),
          "expected one of 9 attempts on a free lock to succeed, but none did in round " + round);
      context.checkInTime(
          leases.size() == 1,
          "expected one of 9 attempts to succeed, but %d did, one after another"
              .formatted(leases.size()));
      granted.forEach(lease -> lease.ifPresent(Lease::close));
    }
  }

  @Rule(value = "EX-6", lookAt = "how a name becomes a key: encoding, upper case, length")
  public void differentNamesAreDifferentLocks(RuleContext context) throws InterruptedException {
    LockClient client = context.client();
    List<Lease> held = new ArrayList<>();
    for (String name : TrickyNames.hostile(context.name())) {
      Optional<Lease> lease = client.lock(name, context.options()).tryAcquire();
      context.check(
          lease.isPresent(),
          "expected a name that is free to be granted, but it is refused while others are held: "
              + name);
      context.checkEquals(name, lease.orElseThrow().lockName(), "the name of the lease");
      held.add(lease.orElseThrow());
    }
    LockClient other = context.client();
    for (Lease lease : held) {
      Holders.refused(
          lease,
          other.lock(lease.lockName(), context.options()).tryAcquire(),
          "granted to another client while it is held: " + lease);
    }
    held.forEach(Lease::close);
    context.awaitNothingLeft(RuleContext.SLACK);
  }

  @Rule(value = "EX-7", lookAt = "release(): whether the lock is free when it answers")
  public void aReleasedLockIsFreeAtOnce(RuleContext context) throws InterruptedException {
    LockClient one = context.client();
    LockClient two = context.client();
    for (int i = 0; i < 20; i++) {
      long asked = System.nanoTime();
      Lease first = one.lock(context.name(), context.options()).acquire();
      context.measured(Bound.GRANT, asked);
      Holders.released(first, "one");
      DistributedLock other = two.lock(context.name(), context.options());
      Lease next = Holders.free(context, other, Duration.ZERO, "after its release");
      Holders.released(next, "the other");
    }
  }

  @Rule(value = "EX-8", lookAt = "attempt(): what it does with a value that is not a lock")
  public void anEntryThatIsNotALockIsLeftAlone(RuleContext context) {
    BooleanSupplier untouched =
        context
            .fixture()
            .occupy(context.name())
            .orElseThrow(() -> context.skipped("nothing else can sit at a lock's place"));
    LockException failure =
        context.expect(
            LockException.class,
            () -> context.client().lock(context.name(), context.options()).tryAcquire());
    context.check(
        failure instanceof LockRejectedException,
        "expected LockRejectedException, which says that the value must be removed, but found "
            + failure);
    context.checkSays(failure, context.name());
    context.check(
        untouched.getAsBoolean(),
        "expected the foreign value to be left alone, but it was changed");
  }

  @Rule(value = "EX-12", lookAt = "attempt() and inspection(): how much of a value they read")
  public void aNameFarTooLongIsRefusedAndHarmsNoOther(RuleContext context)
      throws InterruptedException {
    LockClient client = context.client();
    Lease other = client.lock(context.name() + "-other", context.oftenRenewed()).acquire();
    BooleanSupplier untouched =
        context
            .fixture()
            .occupyWith(context.name(), FAR_TOO_LONG)
            .orElseThrow(() -> context.skipped("nothing so long can sit at a lock's place"));
    for (int i = 0; i < 3; i++) {
      LockRejectedException told =
          context.expect(
              LockRejectedException.class,
              () -> client.lock(context.name(), context.options()).tryAcquire());
      context.checkSays(told, context.name());
    }
    if (context.promises().inspection() != Capabilities.Inspection.NONE) {
      context.checkEquals(
          Optional.empty(),
          client.inspector().holder(context.name()),
          "the holder of what is not a lock");
    }
    context.check(
        untouched.getAsBoolean(),
        "expected the foreign value to be left alone, but it was changed");
    Holders.released(other, "the holder of another lock");
  }

  @Rule(value = "EX-9", lookAt = "how the namespace becomes part of a key")
  public void namespacesAreApart(RuleContext context) throws InterruptedException {
    Map<String, String> settings = new HashMap<>(context.settings());
    settings.merge("namespace", "tck-other", (own, other) -> own + "-other");
    LockClient elsewhere = context.closing(openElsewhere(context, settings));
    try (Lease here = context.client().lock(context.name(), context.options()).acquire();
        Lease there =
            elsewhere.lock(context.name(), context.options()).acquire(RuleContext.SLACK)) {
      Holders.held(here, "one namespace shuts out another");
      Holders.held(there, "one namespace shuts out another");
    }
  }

  /** It may have been replaced meanwhile, and act on what it knew before it learns of that. */
  @Rule(value = "EX-13", alone = true, lookAt = "grants from old data by a server that resumes")
  public void exclusiveThoughAServerWasSuspended(RuleContext context) throws InterruptedException {
    Server server = context.oneOfSeveral();
    LockOptions options = context.options().withTtl(context.ttl().multipliedBy(3));
    LockClient holder = context.client();
    LockClient other = context.client();
    List<Lease> held = new ArrayList<>();
    List<CompletableFuture<Void>> waiting = new ArrayList<>();
    for (int i = 0; i < MANY_LOCKS; i++) {
      Lease lease = holder.lock(context.name() + i, options).acquire();
      held.add(lease);
      waiting.add(
          other
              .lock(lease.lockName(), options)
              .acquireAsync()
              .thenAccept(next -> Holders.over(lease, "two hold after a server went on")));
    }
    server.suspend();
    try {
      context.letPass(options.ttl().plus(context.freeAfterDeath()));
    } finally {
      server.resume();
    }
    context.letPass(LATE_REQUESTS);
    for (int i = 0; i < MANY_LOCKS; i++) {
      if (waiting.get(i).isDone()) {
        context.get(waiting.get(i), Duration.ZERO);
      }
      Optional<Loss> loss = Optional.ofNullable(held.get(i).loss().getNow(null));
      context.check(
          loss.isEmpty() || loss.get().reason() != LossReason.REVOKED,
          "expected the holder to keep its lock, but it was told as REVOKED: " + loss);
    }
  }

  /** To whom one namespace is all that is allowed, that is no broken rule. */
  private static LockClient openElsewhere(RuleContext context, Map<String, String> settings) {
    try {
      return Locks.open(settings);
    } catch (LockRejectedException e) {
      throw context.skipped(
          "this user may not use the namespace '%s': %s"
              .formatted(settings.get("namespace"), e.getMessage()));
    }
  }
}
