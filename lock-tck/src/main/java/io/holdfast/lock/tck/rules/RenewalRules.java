/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.rules;

import io.holdfast.lock.DistributedLock;
import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.Loss;
import io.holdfast.lock.Renewal;
import io.holdfast.lock.servers.Direction;
import io.holdfast.lock.servers.TcpProxy;
import io.holdfast.lock.spi.Capabilities.Inspection;
import io.holdfast.lock.spi.Capabilities.Lifetime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;

/** RN: leases are kept alive, and only as long as they are held. */
public final class RenewalRules {

  /** More than anybody renews with one request: no part of them may be left out. */
  private static final int MANY = 520;

  @Rule("RN-1")
  public void heldFarBeyondTheTtl(Bench bench) throws InterruptedException {
    Lease lease = bench.client().lock(bench.name(), bench.options()).acquire();
    LockClient other = bench.client();
    long end = System.nanoTime() + bench.freeAfterDeath().multipliedBy(3).toNanos();
    while (System.nanoTime() - end < 0) {
      Holders.held(lease, "lost though renewed");
      Holders.refused(
          lease,
          other.lock(bench.name(), bench.options()).tryAcquire(),
          "granted to another client while its holder renews it");
      bench.letPass(Duration.ofMillis(100));
    }
  }

  @Rule(value = "RN-2", alone = true)
  public void manyLeasesAreKept(Bench bench) throws InterruptedException {
    LockClient client = bench.client();
    List<Lease> leases = new ArrayList<>();
    // Where each has a connection of its own, that many more would try the server, and not renewal.
    int many = bench.promises().lifetime() == Lifetime.TRANSACTION ? 40 : MANY;
    for (int i = 0; i < many; i++) {
      leases.add(client.lock(bench.name() + "-" + i, bench.options()).acquire());
    }
    bench.letPass(bench.freeAfterDeath().multipliedBy(2));
    leases.forEach(lease -> Holders.held(lease, "one of " + many + " leases was lost"));
    // The server says what it has kept; the holder knows only what he was told.
    Queue<Lease> left = new ConcurrentLinkedQueue<>(leases);
    bench.together(
        8,
        () -> {
          for (Lease lease = left.poll(); lease != null; lease = left.poll()) {
            Holders.released(lease, "one of " + many);
          }
          return true;
        });
    bench.awaitNothingLeft(Bench.SLACK);
  }

  @Rule("RN-3")
  public void aShortInterruptionIsNoLoss(Bench bench) throws InterruptedException {
    TcpProxy link = bench.link();
    Lease lease = bench.client(link).lock(bench.name(), bench.oftenRenewed()).acquire();
    for (int i = 0; i < 3; i++) {
      link.stall(Direction.TO_SERVER, Direction.TO_CLIENT);
      bench.letPass(bench.ttl().dividedBy(5));
      link.heal();
      bench.letPass(bench.ttl().dividedBy(2));
    }
    Holders.held(lease, "lost by interruptions that were shorter than the validity");
  }

  @Rule("RN-4")
  public void aCutConnectionIsNoLoss(Bench bench) throws InterruptedException {
    TcpProxy link = bench.link();
    Lease lease = bench.client(link).lock(bench.name(), bench.options()).acquire();
    if (bench.isBoundToConnection()) {
      link.cut();
      bench.await("loss of a connection that was cut", Bench.SLACK, () -> !lease.isValid());
      throw bench.notPromised(
          "a connection that is cut ends its leases, and they are told by the next renewal");
    }
    for (int i = 0; i < 3; i++) {
      link.cut();
      bench.letPass(bench.ttl());
      Holders.held(lease, "lost because a connection was cut and made again");
    }
  }

  @Rule("RN-5")
  public void nothingIsRenewedAfterRelease(Bench bench) throws InterruptedException {
    LockClient client = bench.client();
    LockOptions eager =
        bench.options().withRenewal(Renewal.every(Duration.ofMillis(2))).withTtl(bench.ttl());
    DistributedLock lock = client.lock(bench.name(), eager);
    Duration atOnce = Duration.ZERO;
    for (int i = 0; i < 150; i++) {
      Lease lease = Holders.free(bench, lock, atOnce, "after its release, unless it was renewed");
      LockSupport.parkNanos(ThreadLocalRandom.current().nextInt(4_000_000));
      lease.release();
    }
    // For the renewals that were due, had they not ended.
    bench.letPass(Duration.ofMillis(50));
    Holders.free(
        bench,
        bench.client().lock(bench.name(), bench.options()),
        Duration.ZERO,
        "after its release; perhaps a renewal still keeps it");
  }

  @Rule("RN-6")
  public void aDeletedLockIsNotBroughtBack(Bench bench) throws InterruptedException {
    Lease lease = bench.client().lock(bench.name(), bench.options()).acquire();
    bench.revoke(lease);
    bench.awaitEndOfRevoked(lease);
    bench.letPass(bench.ttl());
    bench.checkEquals(List.of(), bench.residue(), "what is at the server after the loss");
  }

  @Rule("RN-7")
  public void codeOfTheUserDelaysNoRenewal(Bench bench) throws InterruptedException {
    LockClient client = bench.client();
    CountDownLatch end = new CountDownLatch(1);
    bench.closing(end::countDown);
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
    Lease lost = client.lock(bench.name() + "-lost", fixed(bench)).acquire();
    lost.onLoss(
        loss -> {
          throw new IllegalStateException("from a loss callback, on purpose");
        });
    Lease lease = client.lock(bench.name(), bench.options()).acquire();
    bench.letPass(bench.freeAfterDeath().multipliedBy(2));
    Holders.held(lease, "lost because of a listener");
    bench.check(!lost.isValid(), "the other lease did not end");
  }

  @Rule("RN-8")
  public void whatAnExtensionHasBoughtIsNotTakenBack(Bench bench) throws InterruptedException {
    LockClient client = bench.client();
    if (bench.promises().inspection() == Inspection.NONE) {
      throw bench.skipped("the server cannot say how long it keeps a lock");
    }
    Lease lease = client.lock(bench.name(), bench.options()).acquire();
    lease.extend(bench.ttl().multipliedBy(6));
    LifetimeRules.keptForAnHourLonger(bench);
    bench.await(
        "what the server keeps beyond what was asked for",
        bench.ttl().multipliedBy(5).plus(Bench.SLACK),
        () -> kept(client, bench).compareTo(bench.ttl().multipliedBy(7)) < 0);
    Duration kept = kept(client, bench);
    bench.check(
        kept.compareTo(lease.remaining()) >= 0 || !lease.isValid(),
        "the server keeps it for " + kept + ", and its holder believes in " + lease.remaining());
    lease.release();
  }

  @Rule("RN-9")
  public void aLeaseThatNothingRefersToIsReleased(Bench bench) throws InterruptedException {
    LockClient client = bench.client();
    CompletableFuture<Loss> loss = lossOf(client.lock(bench.name() + "-kept", bench.options()));
    drop(client.lock(bench.name(), bench.options()));
    DistributedLock other = bench.client().lock(bench.name(), bench.options());
    bench.await(
        "the release of a lease that nothing refers to",
        bench.freeAfterDeath().plus(Bench.SLACK),
        () -> {
          System.gc();
          return isFree(other);
        });
    bench.letPass(bench.ttl());
    bench.check(!loss.isDone(), "a lease was lost whose loss somebody waits for");
    bench.check(
        bench.client().lock(bench.name() + "-kept", bench.options()).tryAcquire().isEmpty(),
        "a lease was released whose loss somebody waits for");
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

  private static Duration kept(LockClient client, Bench bench) {
    return client.inspector().holder(bench.name()).orElseThrow().expiresIn().orElse(Duration.ZERO);
  }

  private static LockOptions fixed(Bench bench) {
    return bench.options().withRenewal(Renewal.none());
  }
}
