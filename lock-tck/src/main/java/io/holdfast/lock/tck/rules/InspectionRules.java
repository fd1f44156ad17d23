/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.rules;

import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockClosedException;
import io.holdfast.lock.LockEvent;
import io.holdfast.lock.LockException;
import io.holdfast.lock.LockHolder;
import io.holdfast.lock.LockInspector;
import io.holdfast.lock.LockRejectedException;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.Loss;
import io.holdfast.lock.LossReason;
import io.holdfast.lock.ReleaseOutcome;
import io.holdfast.lock.Renewal;
import io.holdfast.lock.servers.Direction;
import io.holdfast.lock.servers.TcpProxy;
import io.holdfast.lock.spi.Capabilities.Fencing;
import io.holdfast.lock.spi.Capabilities.Inspection;
import io.holdfast.lock.spi.Capabilities.Lifetime;
import io.holdfast.lock.tck.Bound;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

/** IN: what the server says about who holds a lock, and taking it away. */
public final class InspectionRules {

  @Rule("IN-1")
  public void whoCannotTellSaysSo(Bench bench) {
    LockClient client = bench.client();
    if (bench.promises().inspection() == Inspection.NONE) {
      bench.expect(UnsupportedOperationException.class, client::inspector);
      throw bench.notPromised("nobody can ask who holds a lock");
    }
    bench.checkEquals(
        Optional.empty(), client.inspector().holder(bench.name()), "the holder of a new name");
  }

  @Rule("IN-2")
  public void theHolderIsTheLeaseThatIsHeld(Bench bench) throws InterruptedException {
    LockInspector inspector = inspector(bench);
    LockClient client = bench.client();
    Lease lease = client.lock(bench.name(), bench.options()).acquire();
    CompletableFuture<Lease> waiter = waiter(bench, bench.name());
    checkTold(bench, inspector.holder(bench.name()), lease);
    checkTold(bench, client.inspector().holder(bench.name()), lease);
    bench.letPass(bench.ttl());
    Optional<LockHolder> later = inspector.holder(bench.name());
    Holders.held(lease, "it was asked about");
    checkTold(bench, later, lease);
    Holders.released(lease, "the first");
    Lease next = bench.get(waiter, bench.freeAfterDeath().plus(Bench.SLACK));
    Optional<LockHolder> then = inspector.holder(bench.name());
    Holders.held(next, "it was asked about");
    checkTold(bench, then, next);
  }

  /** One that has been refused. */
  private static CompletableFuture<Lease> waiter(Bench bench, String name) {
    LockClient client = bench.client();
    CompletableFuture<LockEvent> contended = Heard.next(client, LockEvent.Contended.class);
    CompletableFuture<Lease> waiting = client.lock(name, bench.options()).acquireAsync();
    bench.get(contended, Bench.SLACK);
    return waiting;
  }

  private static void checkTold(Bench bench, Optional<LockHolder> told, Lease lease) {
    bench.check(told.isPresent(), "nobody is told to hold a lock that is held");
    LockHolder holder = told.orElseThrow();
    bench.checkEquals(lease.lockName(), holder.lockName(), "the name");
    if (bench.promises().inspection() == Inspection.SESSION) {
      bench.check(
          holder.session().isPresent(),
          "expected the session of the holder to be told, as promised, but it is empty");
      bench.check(holder.ownerId().isEmpty(), "an owner id is told that is not promised");
    } else {
      bench.checkEquals(Optional.of(lease.ownerId()), holder.ownerId(), "the owner id");
    }
    boolean tellsTokens =
        bench.promises().inspection() == Inspection.OWNER_AND_TOKEN
            && bench.promises().fencing() != Fencing.NONE;
    bench.checkEquals(
        tellsTokens ? OptionalLong.of(lease.fencingToken()) : OptionalLong.empty(),
        holder.fencingToken(),
        "the token");
    if (bench.promises().lifetime() == Lifetime.TTL) {
      Duration left = holder.expiresIn().orElse(Duration.ofSeconds(-1));
      bench.check(
          !left.isNegative() && left.compareTo(longest(bench)) <= 0,
          "a lock of a TTL of " + bench.ttl() + " is told to expire in " + holder.expiresIn());
    }
  }

  private static Duration longest(Bench bench) {
    return bench.ttl().plus(bench.freeAfterDeath()).plus(Duration.ofSeconds(1));
  }

  @Rule("IN-3")
  public void afterTheEndOfALeaseNobodyHolds(Bench bench) throws InterruptedException {
    LockInspector inspector = inspector(bench);
    LockClient client = bench.client();
    Lease released = client.lock(bench.name(), bench.options()).acquire();
    checkTold(bench, inspector.holder(bench.name()), released);
    Holders.released(released, "the first");
    bench.checkEquals(Optional.empty(), inspector.holder(bench.name()), "the holder after release");
    Lease fixed = client.lock(bench.name(), bench.options().withRenewal(Renewal.none())).acquire();
    checkTold(bench, inspector.holder(bench.name()), fixed);
    bench.await(
        "nobody holds what has expired",
        bench.freeAfterDeath().plus(bench.ttl()).plus(Bench.SLACK),
        () -> isFree(inspector, bench.name()));
  }

  /** Servers that have to agree may not, while a lock that they keep expires. */
  private static boolean isFree(LockInspector inspector, String name) {
    try {
      return inspector.holder(name).isEmpty();
    } catch (LockUnavailableException e) {
      return false;
    }
  }

  @Rule("IN-4")
  public void allThatAreHeldAreListed(Bench bench) throws InterruptedException {
    LockInspector inspector = inspector(bench);
    LockClient client = bench.client();
    List<String> held =
        Stream.of("", "%2F", "*", ".a", "/b", "Z", "a?[z]", "z", "é", "\uFF5E", "\uD83D\uDD12")
            .map(suffix -> bench.name() + suffix)
            .toList();
    List<Lease> leases = new ArrayList<>();
    for (String name : held) {
      leases.add(client.lock(name, bench.options()).acquire());
    }
    client.lock(bench.name() + "-free", bench.options()).acquire().release();
    CompletableFuture<Lease> waiter = waiter(bench, held.get(1));
    List<LockHolder> all = inspector.held(Integer.MAX_VALUE);
    leases.forEach(lease -> Holders.held(lease, "it was listed"));
    List<LockHolder> ours =
        all.stream().filter(holder -> holder.lockName().startsWith(bench.name())).toList();
    bench.checkEquals(
        held, ours.stream().map(LockHolder::lockName).toList(), "the names of those held");
    for (int i = 0; i < leases.size(); i++) {
      checkTold(bench, Optional.of(ours.get(i)), leases.get(i));
    }
    bench.checkEquals(3, inspector.held(3).size(), "how many are listed at most");
    bench.expect(IllegalArgumentException.class, () -> inspector.held(0));
    waiter.cancel(true);
  }

  @Rule("IN-5")
  public void whatIsTakenAwayIsFreeAndItsHolderLearnsIt(Bench bench) throws InterruptedException {
    LockInspector inspector = evicting(bench);
    Lease lease = bench.client().lock(bench.name(), bench.options()).acquire();
    CompletableFuture<Lease> waiter =
        bench.client().lock(bench.name(), bench.wakeable()).acquireAsync();
    LockHolder holder = inspector.holder(bench.name()).orElseThrow();
    bench.check(inspector.evict(holder), "the holder that was told had the lock, it is said");
    long evicted = System.nanoTime();
    Loss loss = bench.get(lease.loss(), bench.ttl().plus(Bench.SLACK));
    bench.measured(Bound.LOSS_WHEN_TAKEN_AWAY, evicted, bench.ttl());
    bench.check(
        Set.of(LossReason.REVOKED, LossReason.SESSION_ENDED).contains(loss.reason()),
        "taken away, and told " + loss.reason());
    bench.check(
        !lease.isValid(),
        "expected a lease to have ended when its loss is told, but it says that it is valid");
    Lease next = bench.get(waiter, bench.freeAfterDeath().plus(Bench.SLACK));
    bench.checkEquals(ReleaseOutcome.ALREADY_LOST, lease.release(), "release by the old holder");
    bench.checkTokenGrows(lease, next);
    Holders.released(next, "the next");
  }

  @Rule("IN-6")
  public void whoHasGoneIsNotTakenAwayFromHisSuccessor(Bench bench) throws InterruptedException {
    LockInspector inspector = evicting(bench);
    LockClient client = bench.client();
    Lease first = client.lock(bench.name(), bench.options()).acquire();
    LockHolder gone = inspector.holder(bench.name()).orElseThrow();
    Holders.released(first, "the first");
    bench.check(!inspector.evict(gone), "a lock that is free was taken from its last holder");
    // Where a session is all that is told, it is its leases all together that are the holder.
    LockClient successor =
        bench.promises().inspection() == Inspection.SESSION ? bench.client() : client;
    Lease next = successor.lock(bench.name(), bench.options()).acquire();
    bench.check(!inspector.evict(gone), "the lock was taken away from another than was told");
    bench.letPass(bench.ttl());
    Holders.held(next, "its predecessor was to be taken away");
    Holders.released(next, "the successor");
  }

  @Rule("IN-7")
  public void nothingElseIsTakenAway(Bench bench) throws InterruptedException {
    LockInspector inspector = evicting(bench);
    LockClient client = bench.client();
    Lease lease = client.lock(bench.name(), bench.options()).acquire();
    Lease other = client.lock(bench.name() + "-other", bench.options()).acquire();
    LockHolder holder = inspector.holder(bench.name()).orElseThrow();
    try {
      bench.check(inspector.evict(holder), "the holder that was told had the lock, it is said");
      bench.get(lease.loss(), bench.ttl().plus(Bench.SLACK));
    } catch (LockRejectedException refused) {
      bench.check(
          bench.promises().inspection() == Inspection.SESSION,
          "refused for the sake of another lock: " + refused);
      bench.check(Bench.message(refused).contains(bench.name()), "does not name it: " + refused);
      bench.letPass(bench.ttl());
      Holders.released(lease, "who was not to be taken away");
    }
    Holders.held(other, "another lock was to be taken away");
    Holders.released(other, "the other");
  }

  @Rule("IN-8")
  public void aQuestionEndsInTime(Bench bench) throws InterruptedException {
    inspector(bench);
    TcpProxy link = bench.link();
    LockClient client = bench.client(link);
    LockInspector inspector = client.inspector();
    Lease lease = bench.client().lock(bench.name(), bench.options()).acquire();
    bench.expect(IllegalArgumentException.class, () -> inspector.holder(""));
    LockHolder holder = inspector.holder(bench.name()).orElseThrow();
    link.stall(Direction.TO_SERVER, Direction.TO_CLIENT);
    bench.expect(LockUnavailableException.class, () -> inspector.holder(bench.name()));
    bench.expect(LockUnavailableException.class, () -> inspector.held(1));
    bench.expect(LockUnavailableException.class, () -> inspector.evict(holder));
    link.heal();
    bench.await(
        "it is answered again",
        bench.freeAfterDeath().plus(Bench.SLACK),
        () -> answers(() -> inspector.held(1)));
    client.close();
    bench.expect(LockClosedException.class, () -> inspector.holder(bench.name()));
    bench.expect(LockClosedException.class, client::inspector);
    lease.release();
  }

  private static boolean answers(Runnable question) {
    try {
      question.run();
      return true;
    } catch (LockException e) {
      return false;
    }
  }

  private static LockInspector evicting(Bench bench) {
    LockInspector inspector = inspector(bench);
    if (!bench.fixture().allowsEviction()) {
      throw bench.skipped("to take locks away is not allowed here");
    }
    return inspector;
  }

  private static LockInspector inspector(Bench bench) {
    if (bench.promises().inspection() == Inspection.NONE) {
      throw bench.notPromised("nobody can ask who holds a lock");
    }
    return bench.client().inspector();
  }
}
