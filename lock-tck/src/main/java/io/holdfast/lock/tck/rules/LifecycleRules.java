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

  /** Shorter than any operation may take. */
  private static final Duration BREAK = Duration.ofMillis(300);

  /** The last ones may be in what is still under way. */
  private static final int FEW_NAMES = 10;

  @Rule("LC-1")
  public void closeFreesWhatIsHeldAtOnce(Bench bench) throws InterruptedException {
    LockClient client = bench.client();
    Lease lease = client.lock(bench.name(), bench.longTtl()).acquire();
    client.close();
    bench.check(
        !lease.isValid(),
        "expected a lease to have ended with the close of its client, but it says that it is valid");
    Holders.free(
        bench,
        bench.client().lock(bench.name(), bench.longTtl()),
        Duration.ZERO,
        "after the close of its holder's client");
  }

  @Rule("LC-2")
  public void closeEndsWaitsAndSaysSo(Bench bench) throws InterruptedException {
    Lease held = bench.client().lock(bench.name(), bench.longTtl()).acquire();
    LockClient client = bench.client();
    CompletableFuture<LockEvent> contended = Heard.next(client, LockEvent.Contended.class);
    CompletableFuture<Lease> first = client.lock(bench.name(), bench.longTtl()).acquireAsync();
    CompletableFuture<Lease> second = client.lock(bench.name(), bench.longTtl()).acquireAsync();
    bench.get(contended, Bench.SLACK);
    bench.check(!first.isDone() && !second.isDone(), "a wait ended before the client was closed");
    client.close();
    for (CompletableFuture<Lease> waiting : List.of(first, second)) {
      Throwable told =
          bench.expect(
              CompletionException.class,
              () -> {
                bench.await("the end of a wait", Bench.SLACK, waiting::isDone);
                return waiting.join();
              });
      bench.check(
          told.getCause() instanceof LockClosedException,
          "expected a wait to end with LockClosedException when its client is closed, but it ended with "
              + told.getCause());
    }
    held.release();
    bench.awaitNothingLeft(Bench.SLACK);
  }

  @Rule("LC-3")
  public void aClosedClientRefusesAndMayBeClosedAgain(Bench bench) {
    LockClient client = bench.client();
    io.holdfast.lock.DistributedLock lock = client.lock(bench.name(), bench.options());
    client.close();
    client.close();
    bench.expect(LockClosedException.class, () -> client.lock(bench.name()));
    bench.expect(LockClosedException.class, lock::tryAcquire);
    bench.expect(LockClosedException.class, lock::acquireAsync);
  }

  @Rule("LC-4")
  public void nothingIsWrittenAfterClose(Bench bench) {
    Optional<TcpProxy> far = bench.farLink();
    Moments moments = new Moments();
    for (int i = 0; i < CLOSES || (moments.hits() < CLOSES / 4 && i < MOST_CLOSES); i++) {
      LockClient client = bench.client(far);
      List<CompletableFuture<Lease>> asked = new ArrayList<>();
      for (int j = 0; j < 5; j++) {
        asked.add(client.lock(bench.name() + "-" + j, bench.longTtl()).acquireAsync());
      }
      moments.await();
      moments.was(asked.stream().anyMatch(one -> !one.isDone()));
      client.close();
      bench.checkEquals(List.of(), bench.residue(), "what is at the server after close");
    }
    bench.checkInTime(
        moments.hits() > 0 || far.isEmpty(), "nothing was under way when a client was closed");
  }

  @Rule(value = "LC-5", alone = true)
  public void noThreadIsLeft(Bench bench) throws InterruptedException {
    // The first client may start what stays for the life of the JVM.
    useAndClose(bench);
    Set<Thread> before = Set.copyOf(Thread.getAllStackTraces().keySet());
    for (int i = 0; i < 5; i++) {
      useAndClose(bench);
    }
    bench.await(
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

  private static void useAndClose(Bench bench) throws InterruptedException {
    LockClient client = bench.client();
    client.addListener(event -> {});
    client.lock(bench.name(), bench.options()).acquire();
    client.close();
  }

  @Rule("LC-6")
  public void eventsTellEveryStepInOrder(Bench bench) throws InterruptedException {
    Lease held = bench.client().lock(bench.name(), bench.options()).acquire();
    LockClient client = bench.client();
    List<String> steps = new CopyOnWriteArrayList<>();
    CompletableFuture<LockEvent> contended = Heard.next(client, LockEvent.Contended.class);
    CompletableFuture<LockEvent> released = Heard.next(client, LockEvent.Released.class);
    client.addListener(event -> steps.add(event.getClass().getSimpleName()));
    CompletableFuture<Lease> waiting =
        client.lock(bench.name(), bench.slowPolls().withTtl(bench.ttl())).acquireAsync();
    bench.get(contended, Bench.SLACK);
    held.release();
    Lease lease = bench.get(waiting, Duration.ofSeconds(30));
    CompletableFuture<LockEvent> renewed = Heard.next(client, LockEvent.Renewed.class);
    bench.get(renewed, bench.freeAfterDeath().plus(Bench.SLACK));
    lease.release();
    bench.get(released, Bench.SLACK);
    // For one that is told again.
    bench.letPass(Duration.ofMillis(100));
    String told = String.join(" ", steps);
    bench.check(STEPS.matcher(told).matches(), "the steps: " + told);
  }

  @Rule("LC-24")
  public void theStatusSaysWhatIsHeldAndWaitedFor(Bench bench) throws InterruptedException {
    LockClient client = bench.client();
    bench.checkEquals(List.of(), client.status().locks(), "of a new client");
    Lease lease = client.lock(bench.name(), bench.longTtl()).acquire();
    CompletableFuture<Lease> waiting = client.lock(bench.name(), bench.longTtl()).acquireAsync();
    bench.await("a waiter", Bench.SLACK, () -> waiters(client) == 1);
    Duration most = lease.remaining();
    List<LockStatus> held = client.status().locks();
    Duration least = lease.remaining();
    bench.checkEquals(
        List.of(bench.name()), held.stream().map(LockStatus::lockName).toList(), "held");
    Duration validity = held.get(0).validity().orElse(Duration.ZERO);
    bench.check(
        validity.compareTo(most) <= 0 && validity.compareTo(least) >= 0,
        "the validity is said to be " + validity + ", but is " + most);
    waiting.cancel(false);
    bench.await("no waiter", Bench.SLACK, () -> waiters(client) == 0);
    lease.release();
    bench.await("nothing", Bench.SLACK, () -> client.status().locks().isEmpty());
  }

  private static int waiters(LockClient client) {
    return client.status().locks().stream().mapToInt(LockStatus::waiters).sum();
  }

  @Rule("LC-7")
  public void openFailsInTimeIfNobodyAnswers(Bench bench) {
    try (DeadAddress nobody = DeadAddress.take()) {
      openFailsInTime(bench, nobody.port());
    }
  }

  private static void openFailsInTime(Bench bench, int port) {
    Map<String, String> settings =
        bench
            .fixture()
            .unreachable(port, "hunter2-secret")
            .orElseThrow(() -> bench.skipped("no address that nobody listens at"));
    long begun = System.nanoTime();
    LockUnavailableException told =
        bench.expect(LockUnavailableException.class, () -> Locks.open(settings));
    bench.check(
        System.nanoTime() - begun < Duration.ofSeconds(20).toNanos(),
        "expected opening to fail within 20 s where nobody listens, but it took longer");
    for (Throwable at = told; at != null; at = at.getCause()) {
      bench.check(!at.toString().contains("hunter2"), "a secret is told: " + at);
    }
    bench.check(
        String.valueOf(told.getMessage()).contains(String.valueOf(port)),
        "the address is not named: " + told);
  }

  @Rule("LC-8")
  public void aListenerThatWasTakenAwayHearsNothing(Bench bench) throws InterruptedException {
    LockClient client = bench.client();
    List<LockEvent> heard = new CopyOnWriteArrayList<>();
    LockClient.Subscription subscription = client.addListener(heard::add);
    client.lock(bench.name(), bench.options()).acquire().release();
    bench.await("events", Bench.SLACK, () -> heard.size() >= 3);
    subscription.close();
    subscription.close();
    int before = heard.size();
    client.lock(bench.name(), bench.options()).acquire().release();
    bench.letPass(Duration.ofMillis(100));
    bench.checkEquals(before, heard.size(), "events heard");
  }

  @Rule("LC-9")
  public void closeTellsTheHoldersOfItsLeases(Bench bench) throws InterruptedException {
    LockClient client = bench.client();
    Lease lease = client.lock(bench.name(), bench.longTtl()).acquire();
    client.close();
    Loss loss = bench.get(lease.loss(), Bench.SLACK);
    bench.checkEquals(LossReason.CLIENT_CLOSED, loss.reason(), "the reason");
    LockClient other = bench.client();
    bench.expect(
        LockLostException.class,
        () ->
            other
                .lock(bench.name(), bench.longTtl())
                .call(
                    held -> {
                      other.close();
                      return held;
                    }));
  }

  @Rule("LC-10")
  public void closeFreesWhatIsHeldThroughAShortBreak(Bench bench) throws InterruptedException {
    TcpProxy link = bench.link();
    LockClient client = bench.client(link);
    client.lock(bench.name(), bench.longTtl()).acquire();
    link.refuse();
    Future<Boolean> closing =
        bench.start(
            () -> {
              client.close();
              return true;
            });
    // So long that what is sent once and not again is lost.
    bench.letPass(BREAK);
    link.heal();
    bench.get(closing, Duration.ofSeconds(20));
    Holders.free(
        bench,
        bench.client().lock(bench.name(), bench.longTtl()),
        Duration.ZERO,
        "after the close of its holder's client");
  }

  @Rule("LC-11")
  public void aProcessThatIsToldToEndFreesItsLocks(Bench bench) throws InterruptedException {
    Worker worker = bench.worker();
    worker.ask("hook");
    worker.ask("acquire " + bench.name() + " " + bench.longTtl().ttl().toMillis());
    worker.jvm().terminate();
    bench.checkInTime(
        bench.client().lock(bench.name(), bench.options()).tryAcquire().isPresent(),
        "expected the lock to be free after its holder's process was told to end, and closed its client in a shutdown hook, but it is refused"
            + bench.atTheServer());
  }

  @Rule("LC-12")
  public void manyNamesLeaveNothingAndDisturbNobody(Bench bench) throws InterruptedException {
    LockClient client = bench.client();
    Lease held = client.lock(bench.name(), bench.longTtl()).acquire();
    for (int i = 0; i < NAMES; i++) {
      client.lock(bench.name() + "-" + i, bench.options()).acquire().release();
    }
    Holders.refused(
        held,
        client.lock(bench.name(), bench.options()).tryAcquire(),
        "granted to the holder's own client after many other names");
    Holders.refused(
        held,
        bench.client().lock(bench.name(), bench.options()).tryAcquire(),
        "granted to another client after its holder's client used many other names");
    Holders.released(held, "the holder");
    bench.awaitNothingLeft(Bench.SLACK);
  }

  @Rule("LC-13")
  public void aClientForgetsTheNamesThatItDoesNotHold(Bench bench) throws InterruptedException {
    int remembered = bench.fixture().namesRemembered();
    if (remembered > 0) {
      throw bench.notPromised("its client remembers up to " + remembered + " names");
    }
    LockClient client = bench.client();
    List<WeakReference<String>> names = new ArrayList<>();
    for (int i = 0; i < FORGOTTEN_NAMES; i++) {
      String name = bench.name() + "-" + i;
      client.lock(name, bench.options()).acquire().release();
      names.add(new WeakReference<>(name));
    }
    bench.await(
        "almost all of " + FORGOTTEN_NAMES + " names are forgotten",
        Duration.ofSeconds(5),
        () -> {
          // Collecting costs a processor for as long as it lasts.
          bench.letPass(Duration.ofMillis(250));
          System.gc();
          return names.stream().filter(name -> name.get() != null).count() < FEW_NAMES;
        });
  }
}
