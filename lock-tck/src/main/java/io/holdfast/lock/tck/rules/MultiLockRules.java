/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.rules;

import io.holdfast.lock.Capabilities.Fencing;
import io.holdfast.lock.DistributedLock;
import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockEvent;
import io.holdfast.lock.LockTimeoutException;
import io.holdfast.lock.ReleaseOutcome;
import io.holdfast.lock.tck.rules.MultiLockThreads.Progress;
import io.holdfast.lock.text.TimeText;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.function.Supplier;

/** SV: several locks that are held together; how they are taken. */
public final class MultiLockRules {

  private static final int PROCESSES = 3;
  private static final int CONTENDED = 6;

  @Rule(value = "SV-1", lookAt = "attempt() and release() of several claims at once")
  public void allAreHeldAndAllAreFreed(RuleContext context) throws InterruptedException {
    LockClient client = context.client();
    LockClient other = context.client();
    List<String> names = names(context, 3);
    Lease lease =
        client
            .allOf(List.of(names.get(2), names.get(0), names.get(1)), context.options())
            .acquire();
    context.checkEquals(names, lease.lockNames(), "the names of the lease");
    for (String name : names) {
      for (LockClient asking : List.of(client, other)) {
        Holders.refused(lease, asking.lock(name, context.options()).tryAcquire(), name);
      }
    }
    Holders.released(lease, "the holder of several locks");
    Holders.ended(lease, "with its release");
    context.checkEquals(
        ReleaseOutcome.ALREADY_RELEASED, lease.release(), "the answer to a second release");
    checkFree(context, other, names, Duration.ZERO, "after the release of all");
    context.check(
        !lease.loss().isDone(), "expected a release not to be told as a loss, but it was");
  }

  @Rule(value = "SV-2", lookAt = "decidesTogether(): whether all is decided in one step")
  public void callersOfAnyNamesInAnyOrderDoNotDeadlock(RuleContext context) throws Exception {
    List<String> names = names(context, CONTENDED);
    DistributedLock all = context.client().allOf(names, context.longTtl());
    Path counts = Files.createTempFile("holdfast-several", ".counts");
    try (FileChannel file = FileChannel.open(counts)) {
      List<Supplier<Progress>> processes =
          context.fixture().settings().isPresent()
              ? contendingProcesses(context, names, counts)
              : contendingClients(context, names, counts);
      awaitWhileServed(context, processes);
      try (Lease lease = all.acquire(RuleContext.SLACK)) {
        for (int i = 0; i < names.size(); i++) {
          int name = i;
          long counted = processes.stream().mapToLong(each -> each.get().counted().get(name)).sum();
          context.checkEquals(
              counted,
              MultiLockThreads.read(file, i),
              "the number of increments under " + names.get(i));
        }
        Holders.held(lease, "all have released");
      }
    } finally {
      Files.delete(counts);
    }
  }

  /** All are ready before the first contends. */
  private static List<Supplier<Progress>> contendingProcesses(
      RuleContext context, List<String> names, Path counts) {
    List<Worker> workers = new ArrayList<>();
    for (int i = 0; i < PROCESSES; i++) {
      workers.add(context.worker());
    }
    String file = URLEncoder.encode(counts.toString(), StandardCharsets.UTF_8);
    long ttl = context.longTtl().ttl().toMillis();
    workers.forEach(
        each -> each.tell("several %d %s %s".formatted(ttl, file, String.join(" ", names))));
    workers.forEach(each -> each.answer("several"));
    return workers.stream()
        .<Supplier<Progress>>map(each -> () -> Progress.parse(each.ask("progress")))
        .toList();
  }

  /** Where no other process can reach the backend. */
  private static List<Supplier<Progress>> contendingClients(
      RuleContext context, List<String> names, Path counts) throws IOException {
    List<Supplier<Progress>> clients = new ArrayList<>();
    for (int i = 0; i < PROCESSES; i++) {
      MultiLockThreads threads =
          MultiLockThreads.start(context.client(), context.longTtl(), names, counts);
      clients.add(context.closing(threads)::progress);
    }
    return clients;
  }

  @Rule(value = "SV-3", lookAt = "release(): whether it frees what was granted of several")
  public void oneThatIsBusyMeansNoneIsHeld(RuleContext context) throws InterruptedException {
    LockClient rival = context.client();
    LockClient client = context.client();
    List<String> names = names(context, 3);
    Lease busy = rival.lock(names.get(1), context.longTtl()).acquire();
    DistributedLock all = client.allOf(names, context.longTtl());
    Holders.refused(busy, all.tryAcquire(), "several locks of which one is busy");
    List<String> others = List.of(names.get(0), names.get(2));
    checkFree(context, rival, others, RuleContext.SLACK, "after several were refused");
    Holders.released(busy, "the holder of the busy one");
    try (Lease lease = all.acquire(RuleContext.SLACK)) {
      Holders.held(lease, "all were free");
    }
    context.awaitNothingLeft(RuleContext.SLACK);
  }

  @Rule(value = "SV-4", lookAt = "release(): whether it frees what was granted of several")
  public void aLimitBoundsTheWaitForAllTogether(RuleContext context) throws Exception {
    LockClient rival = context.client();
    List<String> names = names(context, 2);
    Lease first = rival.lock(names.get(0), context.longTtl()).acquire();
    Lease second = rival.lock(names.get(1), context.longTtl()).acquire();
    Duration limit = RuleContext.SLACK.plusMillis(500);
    LockClient client = context.client();
    long begun = System.nanoTime();
    Future<LockTimeoutException> refused =
        context.start(
            () ->
                context.expect(
                    LockTimeoutException.class,
                    () -> client.allOf(names, context.longTtl()).acquire(limit)));
    context.letPass(limit.multipliedBy(9).dividedBy(10));
    Holders.released(first, "the holder of the first");
    LockTimeoutException told = context.get(refused, limit.multipliedBy(3));
    Duration took = Duration.ofNanos(System.nanoTime() - begun);
    context.check(
        took.compareTo(limit) >= 0,
        "expected a wait of %s, but it ended after %s"
            .formatted(TimeText.of(limit), TimeText.of(took)));
    context.checkInTime(
        took.compareTo(limit.plus(RuleContext.SLACK)) < 0,
        "expected a wait of %s for all, and %s more at most, but it ended after %s"
            .formatted(TimeText.of(limit), TimeText.of(RuleContext.SLACK), TimeText.of(took)));
    context.checkSays(told, names.get(0), names.get(1));
    Holders.free(
        context,
        rival.lock(names.get(0), context.longTtl()),
        RuleContext.SLACK,
        "after the limit has passed");
    Holders.held(second, "the other one is held throughout");
  }

  @Rule(value = "SV-5", lookAt = "attempt(): the token of each lock")
  public void thereIsATokenForEachName(RuleContext context) throws InterruptedException {
    LockClient client = context.client();
    List<String> names = names(context, 2);
    // Tokens of different names may well be equal; after some more grants these are not.
    for (int i = 0; i < 3; i++) {
      client.lock(names.get(1), context.options()).acquire().release();
    }
    Map<String, Long> told = new ConcurrentHashMap<>();
    client.addListener(
        event -> {
          if (event instanceof LockEvent.Granted granted) {
            told.put(granted.lockName(), granted.fencingToken());
          }
        });
    Lease lease = client.allOf(names, context.options()).acquire();
    context.expect(UnsupportedOperationException.class, lease::fencingToken);
    context.expect(IllegalArgumentException.class, () -> lease.fencingToken("another"));
    if (context.promises().fencing() == Fencing.NONE) {
      context.expect(UnsupportedOperationException.class, () -> lease.fencingToken(names.get(0)));
      return;
    }
    for (String name : names) {
      long token = lease.fencingToken(name);
      context.check(token > 0, "expected a positive token, but found " + token);
      context.await(
          "the grant of " + name + " with token " + token,
          RuleContext.SLACK,
          () -> Long.valueOf(token).equals(told.get(name)));
    }
    List<Long> before = names.stream().map(lease::fencingToken).toList();
    Holders.released(lease, "the holder of several locks");
    for (int i = 0; i < names.size(); i++) {
      Lease next = context.client().lock(names.get(i), context.options()).acquire();
      context.checkTokenGrows(before.get(i), next.fencingToken());
      context.checkEquals(
          next.fencingToken(), next.fencingToken(names.get(i)), "the token of its only name");
      next.release();
    }
  }

  /** In their natural order. */
  static List<String> names(RuleContext context, int count) {
    List<String> names = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      names.add(context.name() + "-" + (char) ('a' + i));
    }
    return names;
  }

  /** For as long as somebody is served, however slow that is. */
  private static void awaitWhileServed(RuleContext context, List<Supplier<Progress>> processes) {
    Duration longest = context.freeAfterDeath().plus(RuleContext.SLACK.multipliedBy(2));
    int before = -1;
    while (!RuleContext.comesTrue(
        longest, () -> processes.stream().allMatch(each -> each.get().hasEnded()))) {
      int now = processes.stream().mapToInt(each -> each.get().served()).sum();
      context.checkInTime(
          now > before,
          "expected somebody to be served within %s, but nobody was after %d grants: a deadlock"
              .formatted(TimeText.of(longest), now));
      before = now;
    }
  }

  static void checkFree(
      RuleContext context, LockClient client, List<String> names, Duration within, String when)
      throws InterruptedException {
    for (String name : names) {
      Holders.free(context, client.lock(name, context.longTtl()), within, when).release();
    }
  }
}
