/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.rules;

import io.holdfast.lock.Capabilities.Fencing;
import io.holdfast.lock.Capabilities.Inspection;
import io.holdfast.lock.Capabilities.Lifetime;
import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockClosedException;
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
import io.holdfast.lock.tck.Bound;
import io.holdfast.lock.text.TimeText;
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

  @Rule(value = "IN-1", lookAt = "inspection(), and what capabilities() say of it")
  public void aBackendThatCannotTellSaysSo(RuleContext context) {
    LockClient client = context.client();
    if (context.promises().inspection() == Inspection.NONE) {
      context.expect(UnsupportedOperationException.class, client::inspector);
      throw context.notPromised("nobody can ask who holds a lock");
    }
    context.checkEquals(
        Optional.empty(), client.inspector().holder(context.name()), "the holder of a new name");
  }

  @Rule(value = "IN-2", lookAt = "inspection(): what holder() reads at the server")
  public void theHolderIsTheLeaseThatIsHeld(RuleContext context) throws InterruptedException {
    LockInspector inspector = inspector(context);
    LockClient client = context.client();
    Lease lease = client.lock(context.name(), context.options()).acquire();
    CompletableFuture<Lease> waiter = waiter(context, context.name());
    checkTold(context, inspector.holder(context.name()), lease);
    checkTold(context, client.inspector().holder(context.name()), lease);
    context.letPass(context.ttl());
    Optional<LockHolder> later = inspector.holder(context.name());
    Holders.held(lease, "it was asked about");
    checkTold(context, later, lease);
    Holders.released(lease, "the first");
    Lease next = context.get(waiter, context.freeAfterDeath().plus(RuleContext.SLACK));
    Optional<LockHolder> then = inspector.holder(context.name());
    Holders.held(next, "it was asked about");
    checkTold(context, then, next);
  }

  /** One that has been refused. */
  private static CompletableFuture<Lease> waiter(RuleContext context, String name) {
    LockClient client = context.client();
    CompletableFuture<Lease> waiting =
        RecordedEvents.contended(context, client, client.lock(name, context.options()));
    return waiting;
  }

  private static void checkTold(RuleContext context, Optional<LockHolder> told, Lease lease) {
    LockHolder holder = Holders.told(told, lease);
    context.checkEquals(lease.lockName(), holder.lockName(), "the name of the lock that is told");
    if (context.promises().inspection() == Inspection.SESSION) {
      context.check(
          holder.session().isPresent(),
          "expected the session of the holder to be told, as promised, but it is empty");
      context.check(
          holder.ownerId().isEmpty(),
          "expected no owner id, as none is promised, but found "
              + RuleChecks.text(holder.ownerId()));
    } else {
      context.checkEquals(
          Optional.of(lease.ownerId()), holder.ownerId(), "the owner id that is told");
    }
    boolean tellsTokens =
        context.promises().inspection() == Inspection.OWNER_AND_TOKEN
            && context.promises().fencing() != Fencing.NONE;
    context.checkEquals(
        tellsTokens ? OptionalLong.of(lease.fencingToken()) : OptionalLong.empty(),
        holder.fencingToken(),
        "the token that is told");
    if (context.promises().lifetime() == Lifetime.TTL) {
      Duration left = holder.expiresIn().orElse(Duration.ofSeconds(-1));
      context.check(
          !left.isNegative() && left.compareTo(longest(context)) <= 0,
          "expected a lock with a TTL of %s to expire within %s, but it is told to expire in %s"
              .formatted(
                  TimeText.of(context.ttl()),
                  TimeText.of(longest(context)),
                  holder.expiresIn().map(TimeText::of).orElse("no known time")));
    }
  }

  private static Duration longest(RuleContext context) {
    return context.ttl().plus(context.freeAfterDeath()).plus(Duration.ofSeconds(1));
  }

  @Rule(value = "IN-3", lookAt = "inspection(): whether holder() looks at the end of a lease")
  public void afterTheEndOfALeaseNobodyHolds(RuleContext context) throws InterruptedException {
    LockInspector inspector = inspector(context);
    LockClient client = context.client();
    Lease released = client.lock(context.name(), context.options()).acquire();
    checkTold(context, inspector.holder(context.name()), released);
    Holders.released(released, "the first");
    context.checkEquals(
        Optional.empty(), inspector.holder(context.name()), "the holder after release");
    Lease fixed =
        client.lock(context.name(), context.options().withRenewal(Renewal.none())).acquire();
    checkTold(context, inspector.holder(context.name()), fixed);
    context.await(
        "nobody holds what has expired",
        context.freeAfterDeath().plus(context.ttl()).plus(RuleContext.SLACK),
        () -> isFree(inspector, context.name()));
  }

  /** Servers that have to agree may not, while a lock that they keep expires. */
  private static boolean isFree(LockInspector inspector, String name) {
    try {
      return inspector.holder(name).isEmpty();
    } catch (LockUnavailableException e) {
      return false;
    }
  }

  @Rule(value = "IN-4", lookAt = "inspection(): how names() finds and decodes names")
  public void allThatAreHeldAreListed(RuleContext context) throws InterruptedException {
    LockInspector inspector = inspector(context);
    LockClient client = context.client();
    List<String> held =
        Stream.of("", "%2F", "*", ".a", "/b", "Z", "a?[z]", "z", "é", "\uFF5E", "\uD83D\uDD12")
            .map(suffix -> context.name() + suffix)
            .toList();
    List<Lease> leases = new ArrayList<>();
    for (String name : held) {
      leases.add(client.lock(name, context.options()).acquire());
    }
    client.lock(context.name() + "-free", context.options()).acquire().release();
    CompletableFuture<Lease> waiter = waiter(context, held.get(1));
    List<LockHolder> all = inspector.held(Integer.MAX_VALUE);
    leases.forEach(lease -> Holders.held(lease, "it was listed"));
    List<LockHolder> ours =
        all.stream().filter(holder -> holder.lockName().startsWith(context.name())).toList();
    context.checkEquals(
        held, ours.stream().map(LockHolder::lockName).toList(), "the names of those held");
    for (int i = 0; i < leases.size(); i++) {
      checkTold(context, Optional.of(ours.get(i)), leases.get(i));
    }
    context.checkEquals(3, inspector.held(3).size(), "the number that is listed at most");
    context.expect(IllegalArgumentException.class, () -> inspector.held(0));
    waiter.cancel(true);
  }

  @Rule(value = "IN-5", lookAt = "inspection(): evict(), and what renew() answers then")
  public void aRevokedLockIsFreeAndItsHolderLearnsIt(RuleContext context)
      throws InterruptedException {
    LockInspector inspector = evicting(context);
    Lease lease = context.client().lock(context.name(), context.options()).acquire();
    CompletableFuture<Lease> waiter =
        context.client().lock(context.name(), context.wakeable()).acquireAsync();
    LockHolder holder = Holders.told(inspector.holder(context.name()), lease);
    context.check(
        inspector.evict(holder),
        "expected the holder that was told to be taken away, but it was not found");
    long evicted = System.nanoTime();
    Loss loss = context.get(lease.loss(), context.ttl().plus(RuleContext.SLACK));
    context.measured(Bound.LOSS_WHEN_TAKEN_AWAY, evicted, context.ttl());
    LossReports.checkReason(Set.of(LossReason.REVOKED, LossReason.SESSION_ENDED), loss);
    Holders.ended(lease, "when its loss is told");
    Lease next = context.get(waiter, context.freeAfterDeath().plus(RuleContext.SLACK));
    context.checkEquals(
        ReleaseOutcome.ALREADY_LOST,
        lease.release(),
        "the answer to the release by the old holder");
    context.checkTokenGrows(lease, next);
    Holders.released(next, "the next");
  }

  @Rule(value = "IN-6", lookAt = "evict(): whether compare and delete are one atomic step")
  public void revokingAFormerHolderSparesItsSuccessor(RuleContext context)
      throws InterruptedException {
    LockInspector inspector = evicting(context);
    LockClient client = context.client();
    Lease first = client.lock(context.name(), context.options()).acquire();
    LockHolder gone = Holders.told(inspector.holder(context.name()), first);
    Holders.released(first, "the first");
    context.check(
        !inspector.evict(gone),
        "expected a holder that has released not to be found, but it was taken away");
    // Where a session is all that is told, it is its leases all together that are the holder.
    LockClient successor =
        context.promises().inspection() == Inspection.SESSION ? context.client() : client;
    Lease next = successor.lock(context.name(), context.options()).acquire();
    context.check(
        !inspector.evict(gone),
        "expected the successor to be spared, but the lock was taken from it");
    context.letPass(context.ttl());
    Holders.held(next, "its predecessor was to be taken away");
    Holders.released(next, "the successor");
  }

  @Rule(value = "IN-7", lookAt = "evict(): what else the same session keeps")
  public void nothingElseIsTakenAway(RuleContext context) throws InterruptedException {
    LockInspector inspector = evicting(context);
    LockClient client = context.client();
    Lease lease = client.lock(context.name(), context.options()).acquire();
    Lease other = client.lock(context.name() + "-other", context.options()).acquire();
    LockHolder holder = Holders.told(inspector.holder(context.name()), lease);
    try {
      context.check(
          inspector.evict(holder),
          "expected the holder that was told to be taken away, but it was not found");
      context.get(lease.loss(), context.ttl().plus(RuleContext.SLACK));
    } catch (LockRejectedException refused) {
      context.check(
          context.promises().inspection() == Inspection.SESSION,
          "expected one lock to be taken away alone, but it was refused: " + refused);
      context.checkSays(refused, context.name());
      context.letPass(context.ttl());
      Holders.released(lease, "who was not to be taken away");
    }
    Holders.held(other, "another lock was to be taken away");
    Holders.released(other, "the other");
  }

  @Rule(value = "IN-8", lookAt = "inspection(): its time limit, and calls after close()")
  public void aQuestionEndsInTime(RuleContext context) throws InterruptedException {
    inspector(context);
    TcpProxy link = context.link();
    LockClient client = context.client(link);
    LockInspector inspector = client.inspector();
    Lease lease = context.client().lock(context.name(), context.options()).acquire();
    context.expect(IllegalArgumentException.class, () -> inspector.holder(""));
    LockHolder holder = Holders.told(inspector.holder(context.name()), lease);
    link.stall(Direction.TO_SERVER, Direction.TO_CLIENT);
    context.expect(LockUnavailableException.class, () -> inspector.holder(context.name()));
    context.expect(LockUnavailableException.class, () -> inspector.held(1));
    context.expect(LockUnavailableException.class, () -> inspector.evict(holder));
    link.heal();
    context.await(
        "it is answered again",
        context.freeAfterDeath().plus(RuleContext.SLACK),
        () -> answers(() -> inspector.held(1)));
    client.close();
    context.expect(LockClosedException.class, () -> inspector.holder(context.name()));
    context.expect(LockClosedException.class, client::inspector);
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

  private static LockInspector evicting(RuleContext context) {
    LockInspector inspector = inspector(context);
    if (!context.fixture().allowsEviction()) {
      throw context.skipped("to take locks away is not allowed here");
    }
    return inspector;
  }

  private static LockInspector inspector(RuleContext context) {
    if (context.promises().inspection() == Inspection.NONE) {
      throw context.notPromised("nobody can ask who holds a lock");
    }
    return context.client().inspector();
  }
}
