/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.rules;

import io.holdfast.lock.ClientStatus.LockStatus;
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
import io.holdfast.lock.text.TimeText;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Future;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** LC: from open to close. */
public final class LifecycleRules {

  /** More than any table of locks would have places by chance. */
  private static final int NAMES = 600;

  private static final int FORGOTTEN_NAMES = 100;
  private static final int CLOSES = 12;
  private static final int MOST_CLOSES = 40;

  /** Of somebody who waits, holds for longer than a renewal takes to come, and releases. */
  private static final Pattern STEPS =
      Pattern.compile("(Attempted Contended )+Attempted Granted( Renewed)+ Released");

  /** Steps that belong to no such life, and to a server or a client that stands still. */
  private static final Set<String> LATE = Set.of("AttemptFailed", "RenewalFailed", "Lost");

  /** Shorter than any operation may take. */
  private static final Duration BREAK = Duration.ofMillis(300);

  /** The last ones may be in what is still under way. */
  private static final int FEW_NAMES = 10;

  @Rule("LC-1")
  public void closeFreesWhatIsHeldAtOnce(RuleContext context) throws InterruptedException {
    LockClient client = context.client();
    Lease lease = client.lock(context.name(), context.longTtl()).acquire();
    client.close();
    context.check(
        !lease.isValid(),
        "expected a lease to have ended with the close of its client, but it says that it is valid");
    Holders.free(
        context,
        context.client().lock(context.name(), context.longTtl()),
        Duration.ZERO,
        "after the close of its holder's client");
  }

  @Rule("LC-2")
  public void closeEndsWaitsAndSaysSo(RuleContext context) throws InterruptedException {
    Lease held = context.client().lock(context.name(), context.longTtl()).acquire();
    LockClient client = context.client();
    CompletableFuture<LockEvent> contended = RecordedEvents.next(client, LockEvent.Contended.class);
    CompletableFuture<Lease> first = client.lock(context.name(), context.longTtl()).acquireAsync();
    CompletableFuture<Lease> second = client.lock(context.name(), context.longTtl()).acquireAsync();
    context.get(contended, RuleContext.SLACK);
    context.check(!first.isDone() && !second.isDone(), "a wait ended before the client was closed");
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

  @Rule("LC-3")
  public void aClosedClientRefusesAndMayBeClosedAgain(RuleContext context) {
    LockClient client = context.client();
    io.holdfast.lock.DistributedLock lock = client.lock(context.name(), context.options());
    client.close();
    client.close();
    context.expect(LockClosedException.class, () -> client.lock(context.name()));
    context.expect(LockClosedException.class, lock::tryAcquire);
    context.expect(LockClosedException.class, lock::acquireAsync);
  }

  @Rule("LC-4")
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
        moments.hits() > 0 || far.isEmpty(), "nothing was under way when a client was closed");
  }

  @Rule(value = "LC-5", alone = true)
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

  @Rule("LC-6")
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
        steps.stream().noneMatch(LATE::contains), "what did not come in time is told: " + told);
    context.check(STEPS.matcher(told).matches(), "the steps: " + told);
  }

  @Rule("LC-24")
  public void theStatusSaysWhatIsHeldAndWaitedFor(RuleContext context) throws InterruptedException {
    LockClient client = context.client();
    context.checkEquals(List.of(), client.status().locks(), "of a new client");
    Lease lease = client.lock(context.name(), context.longTtl()).acquire();
    CompletableFuture<Lease> waiting =
        client.lock(context.name(), context.longTtl()).acquireAsync();
    context.await("a waiter", RuleContext.SLACK, () -> waiters(client) == 1);
    Duration most = lease.remaining();
    List<LockStatus> held = client.status().locks();
    Duration least = lease.remaining();
    context.checkEquals(
        List.of(context.name()), held.stream().map(LockStatus::lockName).toList(), "held");
    Duration validity = held.get(0).validity().orElse(Duration.ZERO);
    context.check(
        validity.compareTo(most) <= 0 && validity.compareTo(least) >= 0,
        "the validity is said to be %s, but is %s"
            .formatted(TimeText.of(validity), TimeText.of(most)));
    waiting.cancel(false);
    context.await("no waiter", RuleContext.SLACK, () -> waiters(client) == 0);
    lease.release();
    context.await("nothing", RuleContext.SLACK, () -> client.status().locks().isEmpty());
  }

  private static int waiters(LockClient client) {
    return client.status().locks().stream().mapToInt(LockStatus::waiters).sum();
  }

  @Rule("LC-7")
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
      context.check(!at.toString().contains("hunter2"), "a secret is told: " + at);
    }
    context.check(
        String.valueOf(told.getMessage()).contains(String.valueOf(port)),
        "the address is not named: " + told);
  }

  @Rule("LC-8")
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
    context.checkEquals(before, heard.size(), "events heard");
  }

  @Rule("LC-9")
  public void closeTellsTheHoldersOfItsLeases(RuleContext context) throws InterruptedException {
    LockClient client = context.client();
    Lease lease = client.lock(context.name(), context.longTtl()).acquire();
    client.close();
    Loss loss = context.get(lease.loss(), RuleContext.SLACK);
    context.checkEquals(LossReason.CLIENT_CLOSED, loss.reason(), "the reason");
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

  @Rule("LC-10")
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

  @Rule("LC-11")
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

  @Rule("LC-12")
  public void manyNamesLeaveNothingAndDisturbNobody(RuleContext context)
      throws InterruptedException {
    LockClient client = context.client();
    Lease held = client.lock(context.name(), context.longTtl()).acquire();
    for (int i = 0; i < NAMES; i++) {
      client.lock(context.name() + "-" + i, context.options()).acquire().release();
    }
    Holders.refused(
        held,
        client.lock(context.name(), context.options()).tryAcquire(),
        "granted to the holder's own client after many other names");
    Holders.refused(
        held,
        context.client().lock(context.name(), context.options()).tryAcquire(),
        "granted to another client after its holder's client used many other names");
    Holders.released(held, "the holder");
    context.awaitNothingLeft(RuleContext.SLACK);
  }

  @Rule("LC-13")
  public void aClientForgetsTheNamesThatItDoesNotHold(RuleContext context)
      throws InterruptedException {
    int remembered = context.fixture().namesRemembered();
    if (remembered > 0) {
      throw context.notPromised("its client remembers up to " + remembered + " names");
    }
    LockClient client = context.client();
    List<WeakReference<String>> names = new ArrayList<>();
    for (int i = 0; i < FORGOTTEN_NAMES; i++) {
      String name = context.name() + "-" + i;
      client.lock(name, context.options()).acquire().release();
      names.add(new WeakReference<>(name));
    }
    context.await(
        "almost all of " + FORGOTTEN_NAMES + " names are forgotten",
        Duration.ofSeconds(5),
        () -> {
          // Collecting costs a processor for as long as it lasts.
          context.letPass(Duration.ofMillis(250));
          System.gc();
          return names.stream().filter(name -> name.get() != null).count() < FEW_NAMES;
        });
  }
}
