/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.rules;

import io.holdfast.lock.Capabilities.Inspection;
import io.holdfast.lock.Capabilities.Lifetime;
import io.holdfast.lock.DistributedLock;
import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHolder;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.Loss;
import io.holdfast.lock.Renewal;
import io.holdfast.lock.servers.Direction;
import io.holdfast.lock.servers.Server;
import io.holdfast.lock.servers.TcpProxy;
import io.holdfast.lock.text.TimeText;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

/** RN: leases are kept alive, and only as long as they are held. */
public final class RenewalRules {

  /** More than anybody renews with one request: no part of them may be left out. */
  private static final int MANY = 520;

  private static final int OVERLAPS = 20;

  @Rule(value = "RN-1", lookAt = "renew(): whether it extends what attempt() has taken")
  public void heldFarBeyondTheTtl(RuleContext context) throws InterruptedException {
    Lease lease = context.client().lock(context.name(), context.options()).acquire();
    LockClient other = context.client();
    long end = System.nanoTime() + context.freeAfterDeath().multipliedBy(3).toNanos();
    while (System.nanoTime() - end < 0) {
      Holders.held(lease, "lost though renewed");
      Holders.refused(
          lease,
          other.lock(context.name(), context.options()).tryAcquire(),
          "granted to another client while its holder renews it");
      context.letPass(Duration.ofMillis(100));
    }
  }

  @Rule(value = "RN-2", alone = true, lookAt = "renew(): how it treats many requests")
  public void manyLeasesAreKept(RuleContext context) throws InterruptedException {
    LockClient client = context.client();
    List<Lease> leases = new ArrayList<>();
    // Where each has a connection of its own, that many more would try the server, and not renewal.
    int many = context.promises().lifetime() == Lifetime.TRANSACTION ? 40 : MANY;
    for (int i = 0; i < many; i++) {
      leases.add(client.lock(context.name() + "-" + i, context.options()).acquire());
    }
    context.letPass(context.freeAfterDeath().multipliedBy(2));
    leases.forEach(lease -> Holders.held(lease, "one of " + many + " leases was lost"));
    // The server says what it has kept; the holder knows only what it was told.
    Queue<Lease> left = new ConcurrentLinkedQueue<>(leases);
    context.together(
        8,
        () -> {
          for (Lease lease = left.poll(); lease != null; lease = left.poll()) {
            Holders.released(lease, "one of " + many);
          }
          return true;
        });
    context.awaitNothingLeft(RuleContext.SLACK);
  }

  @Rule(value = "RN-3", lookAt = "operationTimeout(): whether a renewal can be repeated in time")
  public void aShortInterruptionIsNoLoss(RuleContext context) throws InterruptedException {
    TcpProxy link = context.link();
    Lease lease = context.client(link).lock(context.name(), context.oftenRenewed()).acquire();
    for (int i = 0; i < 3; i++) {
      link.stall(Direction.TO_SERVER, Direction.TO_CLIENT);
      context.letPass(context.ttl().dividedBy(5));
      link.heal();
      context.letPass(context.ttl().dividedBy(2));
    }
    Holders.held(lease, "lost by interruptions that were shorter than the validity");
  }

  @Rule(value = "RN-4", lookAt = "how a cut connection is made again, and renewals repeated")
  public void aCutConnectionIsNoLoss(RuleContext context) throws InterruptedException {
    TcpProxy link = context.link();
    Lease lease = context.client(link).lock(context.name(), context.options()).acquire();
    if (context.isBoundToConnection()) {
      link.cut();
      context.await("loss of a connection that was cut", RuleContext.SLACK, () -> !lease.isValid());
      throw context.notPromised(
          "a connection that is cut ends its leases, and they are told by the next renewal");
    }
    for (int i = 0; i < 3; i++) {
      link.cut();
      context.letPass(context.ttl());
      Holders.held(lease, "lost because a connection was cut and made again");
    }
  }

  @Rule(value = "RN-5", lookAt = "renew() and release(): their order at the server")
  public void nothingIsRenewedAfterRelease(RuleContext context) throws InterruptedException {
    LockClient client = context.client();
    LockOptions eager =
        context.options().withRenewal(Renewal.every(Duration.ofMillis(2))).withTtl(context.ttl());
    DistributedLock lock = client.lock(context.name(), eager);
    Duration atOnce = Duration.ZERO;
    for (int i = 0; i < 150; i++) {
      Lease lease = Holders.free(context, lock, atOnce, "after its release, unless it was renewed");
      LockSupport.parkNanos(ThreadLocalRandom.current().nextInt(4_000_000));
      Holders.released(lease, "its holder");
    }
    // For the renewals that were due, had they not ended.
    context.letPass(Duration.ofMillis(50));
    Holders.free(
        context,
        context.client().lock(context.name(), context.options()),
        Duration.ZERO,
        "after its release; perhaps a renewal still keeps it");
  }

  @Rule(value = "RN-6", lookAt = "renew(): whether it writes a lock that is not there")
  public void aDeletedLockIsNotBroughtBack(RuleContext context) throws InterruptedException {
    Lease lease = context.client().lock(context.name(), context.options()).acquire();
    Administrator.revoke(context, lease);
    Administrator.awaitEnd(context, lease);
    context.letPass(context.ttl());
    context.checkEquals(List.of(), context.residue(), "what is at the server after the loss");
  }

  @Rule(value = "RN-7", lookAt = "the threads that complete the stages of renew()")
  public void codeOfTheUserDelaysNoRenewal(RuleContext context) throws InterruptedException {
    LockClient client = context.client();
    CountDownLatch end = new CountDownLatch(1);
    context.closing(end::countDown);
    client.addListener(
        event -> {
          try {
            end.await();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
        });
    client.addListener(
        event -> {
          throw new IllegalStateException("from a listener, on purpose");
        });
    Lease lost = client.lock(context.name() + "-lost", fixed(context)).acquire();
    lost.onLoss(
        loss -> {
          throw new IllegalStateException("from a loss callback, on purpose");
        });
    Lease lease = client.lock(context.name(), context.options()).acquire();
    context.letPass(context.freeAfterDeath().multipliedBy(2));
    Holders.held(lease, "lost because of a listener");
    Holders.ended(lost, "when its fixed time was over");
  }

  @Rule(value = "RN-8", lookAt = "renew(): whether it takes back what an extension has added")
  public void timeOfAnExtensionIsNotTakenBack(RuleContext context) throws InterruptedException {
    LockClient client = context.client();
    if (context.promises().inspection() == Inspection.NONE) {
      throw context.skipped("the server cannot say how long it keeps a lock");
    }
    Lease lease = client.lock(context.name(), context.options()).acquire();
    lease.extend(context.ttl().multipliedBy(6));
    LifetimeRules.keptForAnHourLonger(context);
    context.await(
        "what the server keeps beyond what was asked for",
        context.ttl().multipliedBy(5).plus(RuleContext.SLACK),
        () -> kept(client, context.name()).compareTo(context.ttl().multipliedBy(7)) < 0);
    checkKept(client, context, lease);
    lease.release();
  }

  @Rule(value = "RN-9", lookAt = "what keeps a reference to a lease or its claim")
  public void aLeaseThatNothingRefersToIsReleased(RuleContext context) throws InterruptedException {
    LockClient client = context.client();
    CompletableFuture<Loss> loss = lossOf(client.lock(context.name() + "-kept", context.options()));
    drop(client.lock(context.name(), context.options()));
    DistributedLock other = context.client().lock(context.name(), context.options());
    context.await(
        "the release of a lease that nothing refers to",
        context.freeAfterDeath().plus(RuleContext.SLACK),
        () -> {
          System.gc();
          return isFree(other);
        });
    context.letPass(context.ttl());
    Holders.notLost(loss, "a lease was lost whose loss somebody waits for");
    context.check(
        context.client().lock(context.name() + "-kept", context.options()).tryAcquire().isEmpty(),
        "expected a lease to be kept whose loss is waited for, but it was released");
  }

  @Rule(value = "RN-10", lookAt = "renew(): whether a shorter TTL can undo a longer one")
  public void extensionsThatOverlapLeaveTheLongest(RuleContext context)
      throws InterruptedException {
    LockClient client = context.client();
    if (context.promises().inspection() == Inspection.NONE) {
      throw context.skipped("the server cannot say how long it keeps a lock");
    }
    for (int round = 0; round < OVERLAPS; round++) {
      Lease lease = client.lock(context.name(), fixed(context)).acquire();
      if (Holders.told(client.inspector().holder(context.name()), lease).expiresIn().isEmpty()) {
        throw context.skipped("the server does not say how long it keeps a lock");
      }
      List<Integer> lengths = new ArrayList<>(IntStream.rangeClosed(2, 12).boxed().toList());
      Collections.shuffle(lengths);
      List<CompletableFuture<Void>> extensions =
          lengths.stream()
              .map(length -> lease.extendAsync(context.ttl().multipliedBy(length)))
              .toList();
      for (CompletableFuture<Void> extension : extensions) {
        context.get(extension, RuleContext.SLACK);
      }
      checkKept(client, context, lease);
      Duration remaining = lease.remaining();
      context.checkInTime(
          remaining.compareTo(context.ttl().multipliedBy(6)) > 0,
          "expected more than %s to remain after the extensions, but found %s"
              .formatted(TimeText.of(context.ttl().multipliedBy(6)), TimeText.of(remaining)));
      lease.release();
    }
  }

  @Rule(value = "RN-11", alone = true, lookAt = "what a new leader knows of the end of a lease")
  public void aPromiseOfALeaderOutlivesIt(RuleContext context) throws InterruptedException {
    Server leader = context.leader();
    LockClient client = context.client();
    Duration longTtl = context.ttl().multipliedBy(20);
    Lease extended = client.lock(context.name(), fixed(context)).acquire();
    extended.extend(longTtl);
    Lease granted =
        client.lock(context.name() + "-granted", fixed(context).withTtl(longTtl)).acquire();
    leader.suspend();
    try {
      for (Lease lease : List.of(extended, granted)) {
        context.await(
            "an extension without the leader",
            context.ttl().multipliedBy(10),
            () -> isExtended(lease, context.ttl()));
        checkKept(client, context, lease);
      }
    } finally {
      leader.resume();
    }
    context.letPass(context.ttl());
    for (Lease lease : List.of(extended, granted)) {
      checkKept(client, context, lease);
      lease.release();
    }
  }

  private static boolean isExtended(Lease lease, Duration ttl) {
    try {
      lease.extend(ttl);
      return true;
    } catch (LockUnavailableException e) {
      return false;
    }
  }

  /** The server is asked before the holder; one that is behind may be asked again. */
  private static void checkKept(LockClient client, RuleContext context, Lease lease) {
    AtomicReference<String> last = new AtomicReference<>("");
    boolean kept =
        RuleContext.comesTrue(
            RuleContext.SLACK,
            () -> {
              Duration keeps = kept(client, lease.lockName());
              Duration believes = lease.remaining();
              last.set(
                  "expected the server to keep the lock for %s, as its holder believes, but it keeps it for %s"
                      .formatted(TimeText.of(believes), TimeText.of(keeps)));
              return keeps.compareTo(believes) >= 0;
            });
    context.check(kept, String.valueOf(last.get()));
  }

  private static void drop(DistributedLock lock) throws InterruptedException {
    lock.acquire().ensureValid();
  }

  private static CompletableFuture<Loss> lossOf(DistributedLock lock) throws InterruptedException {
    return lock.acquire().loss();
  }

  private static boolean isFree(DistributedLock lock) {
    try (Lease lease = lock.tryAcquire().orElse(null)) {
      return lease != null;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** Nothing where nobody holds it. */
  private static Duration kept(LockClient client, String lockName) {
    return client.inspector().holder(lockName).flatMap(LockHolder::expiresIn).orElse(Duration.ZERO);
  }

  private static LockOptions fixed(RuleContext context) {
    return context.options().withRenewal(Renewal.none());
  }
}
