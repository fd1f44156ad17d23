/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.rules;

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
import io.holdfast.lock.spi.Capabilities;
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

  @Rule("EX-1")
  public void exclusiveAmongThreadsOfOneClient(Bench bench) throws InterruptedException {
    LockClient client = bench.client();
    try (Lease lease = client.lock(bench.name(), bench.options()).acquire()) {
      List<Optional<Lease>> others =
          bench.together(8, () -> client.lock(bench.name(), bench.options()).tryAcquire());
      others.forEach(other -> Holders.refused(lease, other, "two threads hold at once"));
    }
  }

  @Rule("EX-2")
  public void exclusiveAmongClients(Bench bench) throws InterruptedException {
    try (Lease lease = bench.client().lock(bench.name(), bench.options()).acquire()) {
      for (int i = 0; i < 4; i++) {
        Holders.refused(
            lease,
            bench.client().lock(bench.name(), bench.options()).tryAcquire(),
            "two clients hold at once");
      }
    }
    LockClient before = bench.client();
    for (int i = 0; i < 8; i++) {
      before.lock(bench.name(), bench.options()).acquire().close();
    }
    try (Lease lease = bench.client().lock(bench.name(), bench.options()).acquire()) {
      Holders.refused(
          lease,
          before.lock(bench.name(), bench.options()).tryAcquire(),
          "who had it again and again is granted it beside its owner");
    }
  }

  @Rule("EX-3")
  public void exclusiveAmongProcesses(Bench bench) throws InterruptedException {
    Worker worker = bench.worker();
    String attempt = "try " + bench.name() + " " + bench.ttl().toMillis();
    try (Lease lease = bench.client().lock(bench.name(), bench.options()).acquire()) {
      boolean busy = worker.ask(attempt).equals("busy");
      Holders.refused(
          lease::isValid,
          busy ? Optional.empty() : Optional.of(() -> isValid(worker)),
          "another process is granted what we hold");
      Holders.held(lease, "the holder lost its lease");
    }
    bench.check(!worker.ask(attempt).equals("busy"), "another process does not get a free lock");
    Holders.refused(
        () -> isValid(worker),
        bench
            .client()
            .lock(bench.name(), bench.options())
            .tryAcquire()
            .map(lease -> lease::isValid),
        "two processes hold at once");
  }

  private static boolean isValid(Worker worker) {
    return worker.ask("valid").equals("true");
  }

  @Rule("EX-4")
  public void noUpdateIsLost(Bench bench) {
    List<LockClient> clients = List.of(bench.client(), bench.client(), bench.client());
    AtomicInteger next = new AtomicInteger();
    int[] unguarded = new int[1];
    bench.together(
        6,
        () -> {
          LockClient client = clients.get(next.getAndIncrement() % clients.size());
          for (int i = 0; i < 8; i++) {
            client
                .lock(bench.name(), bench.options())
                .run(
                    lease -> {
                      int read = unguarded[0];
                      LockSupport.parkNanos(500_000);
                      unguarded[0] = read + 1;
                    });
          }
          return true;
        });
    bench.checkEquals(48, unguarded[0], "increments under the lock");
  }

  @Rule("EX-5")
  public void ofManyAtOnceOneSucceeds(Bench bench) {
    List<LockClient> clients = List.of(bench.client(), bench.client(), bench.client());
    for (int round = 0; round < 15; round++) {
      AtomicInteger next = new AtomicInteger();
      String name = bench.name() + "-" + round;
      List<Optional<Lease>> granted =
          bench.together(
              9,
              () ->
                  clients
                      .get(next.getAndIncrement() % clients.size())
                      .lock(name, bench.options())
                      .tryAcquire());
      List<Lease> leases = granted.stream().flatMap(Optional::stream).toList();
      Holders.atMostOne(leases);
      bench.check(!leases.isEmpty(), "nobody got a free lock in round " + round);
      bench.checkInTime(leases.size() == 1, leases.size() + " got it one after the other");
      granted.forEach(lease -> lease.ifPresent(Lease::close));
    }
  }

  @Rule("EX-6")
  public void differentNamesAreDifferentLocks(Bench bench) throws InterruptedException {
    LockClient client = bench.client();
    List<Lease> held = new ArrayList<>();
    for (String name : Names.hostile(bench.name())) {
      Optional<Lease> lease = client.lock(name, bench.options()).tryAcquire();
      bench.check(lease.isPresent(), "a free name was taken for another that is held: " + name);
      bench.checkEquals(name, lease.orElseThrow().lockName(), "the lease's name");
      held.add(lease.orElseThrow());
    }
    LockClient other = bench.client();
    for (Lease lease : held) {
      Holders.refused(
          lease,
          other.lock(lease.lockName(), bench.options()).tryAcquire(),
          "granted to another client while it is held: " + lease);
    }
    held.forEach(Lease::close);
    bench.awaitNothingLeft(Bench.SLACK);
  }

  @Rule("EX-7")
  public void aReleasedLockIsFreeAtOnce(Bench bench) throws InterruptedException {
    LockClient one = bench.client();
    LockClient two = bench.client();
    for (int i = 0; i < 20; i++) {
      long asked = System.nanoTime();
      Lease first = one.lock(bench.name(), bench.options()).acquire();
      bench.measured(Bound.GRANT, asked);
      Holders.released(first, "one");
      DistributedLock other = two.lock(bench.name(), bench.options());
      Lease next = Holders.free(bench, other, Duration.ZERO, "after its release");
      Holders.released(next, "the other");
    }
  }

  @Rule("EX-8")
  public void whatIsNoLockIsLeftAlone(Bench bench) {
    BooleanSupplier untouched =
        bench
            .fixture()
            .occupy(bench.name())
            .orElseThrow(() -> bench.skipped("nothing else can sit at a lock's place"));
    LockException failure =
        bench.expect(
            LockException.class,
            () -> bench.client().lock(bench.name(), bench.options()).tryAcquire());
    bench.check(
        failure instanceof LockRejectedException,
        "expected LockRejectedException, which says that the value must be removed, but found "
            + failure);
    bench.check(Bench.message(failure).contains(bench.name()), "the lock is not named: " + failure);
    bench.check(untouched.getAsBoolean(), "the foreign value was touched");
  }

  @Rule("EX-12")
  public void whatIsFarTooLongIsRefusedAndHarmsNoOther(Bench bench) throws InterruptedException {
    LockClient client = bench.client();
    Lease other = client.lock(bench.name() + "-other", bench.oftenRenewed()).acquire();
    BooleanSupplier untouched =
        bench
            .fixture()
            .occupyWith(bench.name(), FAR_TOO_LONG)
            .orElseThrow(() -> bench.skipped("nothing so long can sit at a lock's place"));
    for (int i = 0; i < 3; i++) {
      LockRejectedException told =
          bench.expect(
              LockRejectedException.class,
              () -> client.lock(bench.name(), bench.options()).tryAcquire());
      bench.check(Bench.message(told).contains(bench.name()), "the lock is not named: " + told);
    }
    if (bench.promises().inspection() != Capabilities.Inspection.NONE) {
      bench.checkEquals(
          Optional.empty(),
          client.inspector().holder(bench.name()),
          "the holder of what is no lock");
    }
    bench.check(untouched.getAsBoolean(), "the foreign value was touched");
    Holders.released(other, "the holder of another lock");
  }

  @Rule("EX-9")
  public void namespacesAreApart(Bench bench) throws InterruptedException {
    Map<String, String> settings = new HashMap<>(bench.settings());
    settings.merge("namespace", "tck-other", (own, other) -> own + "-other");
    LockClient elsewhere = bench.closing(openElsewhere(bench, settings));
    try (Lease here = bench.client().lock(bench.name(), bench.options()).acquire();
        Lease there = elsewhere.lock(bench.name(), bench.options()).acquire(Bench.SLACK)) {
      Holders.held(here, "one namespace shuts out another");
      Holders.held(there, "one namespace shuts out another");
    }
  }

  /** It may have been replaced meanwhile, and act on what it knew before it learns of that. */
  @Rule(value = "EX-13", alone = true)
  public void exclusiveThoughAServerWasSuspended(Bench bench) throws InterruptedException {
    Server server = bench.oneOfSeveral();
    LockOptions options = bench.options().withTtl(bench.ttl().multipliedBy(3));
    LockClient holder = bench.client();
    LockClient other = bench.client();
    List<Lease> held = new ArrayList<>();
    List<CompletableFuture<Void>> waiting = new ArrayList<>();
    for (int i = 0; i < MANY_LOCKS; i++) {
      Lease lease = holder.lock(bench.name() + i, options).acquire();
      held.add(lease);
      waiting.add(
          other
              .lock(lease.lockName(), options)
              .acquireAsync()
              .thenAccept(next -> Holders.over(lease, "two hold after a server went on")));
    }
    server.suspend();
    try {
      bench.letPass(options.ttl().plus(bench.freeAfterDeath()));
    } finally {
      server.resume();
    }
    bench.letPass(LATE_REQUESTS);
    for (int i = 0; i < MANY_LOCKS; i++) {
      if (waiting.get(i).isDone()) {
        bench.get(waiting.get(i), Duration.ZERO);
      }
      Optional<Loss> loss = Optional.ofNullable(held.get(i).loss().getNow(null));
      bench.check(
          loss.isEmpty() || loss.get().reason() != LossReason.REVOKED,
          "the lock was taken from its holder: " + loss);
    }
  }

  /** To whom one namespace is all that is allowed, that is no broken rule. */
  private static LockClient openElsewhere(Bench bench, Map<String, String> settings) {
    try {
      return Locks.open(settings);
    } catch (LockRejectedException e) {
      throw bench.skipped(
          "this user may not use the namespace '%s': %s"
              .formatted(settings.get("namespace"), e.getMessage()));
    }
  }
}
