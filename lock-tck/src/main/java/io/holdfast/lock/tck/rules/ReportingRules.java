/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.rules;

import io.holdfast.lock.ClientStatus.LockStatus;
import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockEvent;
import io.holdfast.lock.text.TimeText;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Pattern;

/** LC: what a client reports, as events and as its status. */
public final class ReportingRules {

  /** Of somebody who waits, holds for longer than a renewal takes to come, and releases. */
  private static final Pattern STEPS =
      Pattern.compile("(Attempted Contended )+Attempted Granted( Renewed)+ Released");

  /** Steps that belong to no such life, and to a server or a client that stands still. */
  private static final Set<String> LATE = Set.of("AttemptFailed", "RenewalFailed", "Lost");

  @Rule(value = "LC-6", lookAt = "attempt() and ClaimSignals: what is told twice")
  public void eventsTellEveryStepInOrder(RuleContext context) throws InterruptedException {
    Lease held = context.client().lock(context.name(), context.options()).acquire();
    LockClient client = context.client();
    List<String> steps = new CopyOnWriteArrayList<>();
    CompletableFuture<LockEvent> contended = RecordedEvents.next(client, LockEvent.Contended.class);
    CompletableFuture<LockEvent> released = RecordedEvents.next(client, LockEvent.Released.class);
    client.addListener(event -> steps.add(event.getClass().getSimpleName()));
    CompletableFuture<Lease> waiting =
        client.lock(context.name(), context.slowPolls().withTtl(context.ttl())).acquireAsync();
    context.get(contended, RuleContext.SLACK);
    held.release();
    Lease lease = context.get(waiting, Duration.ofSeconds(30));
    CompletableFuture<LockEvent> renewed = RecordedEvents.next(client, LockEvent.Renewed.class);
    context.get(renewed, context.freeAfterDeath().plus(RuleContext.SLACK));
    lease.release();
    context.get(released, RuleContext.SLACK);
    // For one that is told again.
    context.letPass(Duration.ofMillis(100));
    String told = String.join(" ", steps);
    context.checkInTime(
        steps.stream().noneMatch(LATE::contains),
        "expected no steps of a late server or client, but found: " + told);
    context.check(
        STEPS.matcher(told).matches(),
        "expected steps like 'Attempted Contended Attempted Granted Renewed Released', but found: "
            + told);
  }

  @Rule(value = "LC-8", lookAt = Rule.ENGINE)
  public void aListenerThatWasTakenAwayHearsNothing(RuleContext context)
      throws InterruptedException {
    LockClient client = context.client();
    List<LockEvent> heard = new CopyOnWriteArrayList<>();
    LockClient.Subscription subscription = client.addListener(heard::add);
    client.lock(context.name(), context.options()).acquire().release();
    context.await("events", RuleContext.SLACK, () -> heard.size() >= 3);
    subscription.close();
    subscription.close();
    int before = heard.size();
    client.lock(context.name(), context.options()).acquire().release();
    context.letPass(Duration.ofMillis(100));
    context.checkEquals(before, heard.size(), "the number of events heard");
  }

  @Rule(value = "LC-24", lookAt = Rule.ENGINE)
  public void theStatusSaysWhatIsHeldAndWaitedFor(RuleContext context) throws InterruptedException {
    LockClient client = context.client();
    context.checkEquals(
        List.of(), client.status().locks(), "the locks in the status of a new client");
    Lease lease = client.lock(context.name(), context.longTtl()).acquire();
    CompletableFuture<Lease> waiting =
        client.lock(context.name(), context.longTtl()).acquireAsync();
    context.await("a waiter", RuleContext.SLACK, () -> waiters(client) == 1);
    Duration most = lease.remaining();
    List<LockStatus> held = client.status().locks();
    Duration least = lease.remaining();
    context.checkEquals(
        List.of(context.name()),
        held.stream().map(LockStatus::lockName).toList(),
        "the names in the status");
    Duration validity = held.get(0).validity().orElse(Duration.ZERO);
    context.check(
        validity.compareTo(most) <= 0 && validity.compareTo(least) >= 0,
        "expected a validity from %s to %s in the status, but found %s"
            .formatted(TimeText.of(least), TimeText.of(most), TimeText.of(validity)));
    waiting.cancel(false);
    context.await("no waiter", RuleContext.SLACK, () -> waiters(client) == 0);
    lease.release();
    context.await("nothing", RuleContext.SLACK, () -> client.status().locks().isEmpty());
  }

  private static int waiters(LockClient client) {
    return client.status().locks().stream().mapToInt(LockStatus::waiters).sum();
  }
}
