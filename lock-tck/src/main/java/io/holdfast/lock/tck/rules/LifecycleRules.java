/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.rules;

import io.holdfast.lock.DistributedLock;
import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockClosedException;
import io.holdfast.lock.LockEvent;
import io.holdfast.lock.LockLostException;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.Locks;
import io.holdfast.lock.Loss;
import io.holdfast.lock.LossReason;
import io.holdfast.lock.servers.DeadAddress;
import io.holdfast.lock.servers.TcpProxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Future;
import java.util.stream.Collectors;

/** LC: opening a client, and closing it. */
public final class LifecycleRules {

  private static final int CLOSES = 12;
  private static final int MOST_CLOSES = 40;

  /** Shorter than any operation may take. */
  private static final Duration BREAK = Duration.ofMillis(300);

  @Rule(value = "LC-1", lookAt = "release(): whether the lock is free when it answers")
  public void closeFreesWhatIsHeldAtOnce(RuleContext context) throws InterruptedException {
    LockClient client = context.client();
    Lease lease = client.lock(context.name(), context.longTtl()).acquire();
    client.close();
    Holders.ended(lease, "with the close of its client");
    Holders.free(
        context,
        context.client().lock(context.name(), context.longTtl()),
        Duration.ZERO,
        "after the close of its holder's client");
  }

  @Rule(value = "LC-2", lookAt = "release(): what it leaves of a claim that has waited")
  public void closeEndsWaitsAndSaysSo(RuleContext context) throws InterruptedException {
    Lease held = context.client().lock(context.name(), context.longTtl()).acquire();
    LockClient client = context.client();
    CompletableFuture<LockEvent> contended = RecordedEvents.next(client, LockEvent.Contended.class);
    CompletableFuture<Lease> first = client.lock(context.name(), context.longTtl()).acquireAsync();
    CompletableFuture<Lease> second = client.lock(context.name(), context.longTtl()).acquireAsync();
    context.get(contended, RuleContext.SLACK);
    context.check(
        !first.isDone() && !second.isDone(),
        "expected waits to last until the client is closed, but one has ended");
    client.close();
    for (CompletableFuture<Lease> waiting : List.of(first, second)) {
      Throwable told =
          context.expect(
              CompletionException.class,
              () -> {
                context.await("the end of a wait", RuleContext.SLACK, waiting::isDone);
                return waiting.join();
              });
      context.check(
          told.getCause() instanceof LockClosedException,
          "expected a wait to end with LockClosedException when its client is closed, but it ended with "
              + told.getCause());
    }
    held.release();
    context.awaitNothingLeft(RuleContext.SLACK);
  }

  @Rule(value = "LC-3", lookAt = Rule.ENGINE)
  public void aClosedClientRefusesAndMayBeClosedAgain(RuleContext context) {
    LockClient client = context.client();
    DistributedLock lock = client.lock(context.name(), context.options());
    client.close();
    client.close();
    context.expect(LockClosedException.class, () -> client.lock(context.name()));
    context.expect(LockClosedException.class, lock::tryAcquire);
    context.expect(LockClosedException.class, lock::acquireAsync);
  }

  @Rule(value = "LC-4", lookAt = "requests that are sent when close() has begun")
  public void nothingIsWrittenAfterClose(RuleContext context) {
    Optional<TcpProxy> far = context.farLink();
    RandomMoments moments = new RandomMoments();
    for (int i = 0; i < CLOSES || (moments.hits() < CLOSES / 4 && i < MOST_CLOSES); i++) {
      LockClient client = context.client(far);
      List<CompletableFuture<Lease>> asked = new ArrayList<>();
      for (int j = 0; j < 5; j++) {
        asked.add(client.lock(context.name() + "-" + j, context.longTtl()).acquireAsync());
      }
      moments.await();
      moments.was(asked.stream().anyMatch(one -> !one.isDone()));
      client.close();
      context.checkEquals(List.of(), context.residue(), "what is at the server after close");
    }
    context.checkInTime(
        moments.hits() > 0 || far.isEmpty(),
        "expected some request to be under way when a client was closed, but none was");
  }

  @Rule(value = "LC-5", alone = true, lookAt = "close(): threads that it does not end")
  public void noThreadIsLeft(RuleContext context) throws InterruptedException {
    // The first client may start what stays for the life of the JVM.
    useAndClose(context);
    Set<Thread> before = Set.copyOf(Thread.getAllStackTraces().keySet());
    for (int i = 0; i < 5; i++) {
      useAndClose(context);
    }
    context.await(
        "no more threads than the " + before.size() + " before, but for one",
        Duration.ofSeconds(20),
        () -> {
          Set<Thread> now =
              Thread.getAllStackTraces().keySet().stream()
                  .filter(thread -> !before.contains(thread))
                  .filter(thread -> !thread.getName().startsWith("tck"))
                  .filter(thread -> !thread.getName().startsWith("process reaper"))
                  .collect(Collectors.toSet());
          return now.size() <= 1;
        });
  }

  private static void useAndClose(RuleContext context) throws InterruptedException {
    LockClient client = context.client();
    client.addListener(event -> {});
    client.lock(context.name(), context.options()).acquire();
    client.close();
  }

  @Rule(value = "LC-7", lookAt = "open(): its time limit, and what its exception says")
  public void openFailsInTimeIfNobodyAnswers(RuleContext context) {
    try (DeadAddress nobody = DeadAddress.take()) {
      openFailsInTime(context, nobody.port());
    }
  }

  private static void openFailsInTime(RuleContext context, int port) {
    Map<String, String> settings =
        context
            .fixture()
            .unreachable(port, "hunter2-secret")
            .orElseThrow(() -> context.skipped("no address that nobody listens at"));
    long begun = System.nanoTime();
    LockUnavailableException told =
        context.expect(LockUnavailableException.class, () -> Locks.open(settings));
    context.checkInTime(
        System.nanoTime() - begun < Duration.ofSeconds(20).toNanos(),
        "expected opening to fail within 20 s where nobody listens, but it took longer");
    for (Throwable at = told; at != null; at = at.getCause()) {
      context.check(
          !at.toString().contains("hunter2"),
          "expected no secret in an exception, but found: " + at);
    }
    context.checkSays(told, String.valueOf(port));
  }

  @Rule(value = "LC-9", lookAt = Rule.ENGINE)
  public void closeTellsTheHoldersOfItsLeases(RuleContext context) throws InterruptedException {
    LockClient client = context.client();
    Lease lease = client.lock(context.name(), context.longTtl()).acquire();
    client.close();
    Loss loss = context.get(lease.loss(), RuleContext.SLACK);
    context.checkEquals(LossReason.CLIENT_CLOSED, loss.reason(), "the reason of the loss");
    LockClient other = context.client();
    context.expect(
        LockLostException.class,
        () ->
            other
                .lock(context.name(), context.longTtl())
                .call(
                    held -> {
                      other.close();
                      return held;
                    }));
  }

  @Rule(value = "LC-10", lookAt = "release(): whether its stage fails, so that it is repeated")
  public void closeFreesWhatIsHeldThroughAShortBreak(RuleContext context)
      throws InterruptedException {
    TcpProxy link = context.link();
    LockClient client = context.client(link);
    client.lock(context.name(), context.longTtl()).acquire();
    link.refuse();
    Future<Boolean> closing =
        context.start(
            () -> {
              client.close();
              return true;
            });
    // So long that what is sent once and not again is lost.
    context.letPass(BREAK);
    link.heal();
    context.get(closing, Duration.ofSeconds(20));
    // It does not wait for its server longer than for some of its time-outs.
    context.checkInTime(
        context.client().lock(context.name(), context.longTtl()).tryAcquire().isPresent(),
        "expected the lock to be free after the close of its holder's client, but it is refused to another client"
            + context.atTheServer());
  }

  @Rule(value = "LC-11", lookAt = "close(): whether it waits for the answers to releases")
  public void aProcessThatIsToldToEndFreesItsLocks(RuleContext context)
      throws InterruptedException {
    Worker worker = context.worker();
    worker.ask("hook");
    worker.ask("acquire " + context.name() + " " + context.longTtl().ttl().toMillis());
    worker.jvm().terminate();
    context.checkInTime(
        context.client().lock(context.name(), context.options()).tryAcquire().isPresent(),
        "expected the lock to be free after its holder's process was told to end, and closed its client in a shutdown hook, but it is refused"
            + context.atTheServer());
  }
}
