/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.rules;

import io.holdfast.lock.Capabilities.Sharing;
import io.holdfast.lock.DistributedLock;
import io.holdfast.lock.DistributedReadWriteLock;
import io.holdfast.lock.HandOver;
import io.holdfast.lock.Lease;
import io.holdfast.lock.LockCapacityException;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.LockEvent;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.Loss;
import io.holdfast.lock.servers.TcpProxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;

/** SH: read-write locks. */
public final class SharingRules {

  private static final HandOver LONG = new HandOver(1024, Duration.ofMinutes(1));
  private static final int READERS = 4;

  @Rule(value = "SH-1", lookAt = "attempt(): how it adds up shares")
  public void readersTogetherWritersAlone(RuleContext context) throws InterruptedException {
    LockOptions options = context.options();
    DistributedReadWriteLock one = lock(context, context.client(), options);
    DistributedReadWriteLock other = lock(context, context.client(), options);
    Lease here = one.readLock().acquire();
    Lease there = Holders.free(context, other.readLock(), RuleContext.SLACK, "for another reader");
    Holders.held(here, "while another client reads");
    for (DistributedReadWriteLock writer : List.of(one, other)) {
      Holders.refused(here, writerOnAThread(context, writer), "a reader and a writer");
    }
    Holders.released(here, "a reader");
    Holders.refused(there, writerOnAThread(context, one), "a writer next to the last reader");
    Holders.released(there, "the last reader");
    Lease written = Holders.free(context, one.writeLock(), RuleContext.SLACK, "for a writer");
    Holders.refused(written, other.readLock().tryAcquire(), "a writer and a reader");
    Holders.refused(written, other.writeLock().tryAcquire(), "two writers");
    Holders.refused(written, one.readLock().tryAcquire(), "a writer and a reader of its client");
    List<CompletableFuture<Lease>> waiting = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      LockClient client = context.client();
      CompletableFuture<LockEvent> contended =
          RecordedEvents.next(client, LockEvent.Contended.class);
      waiting.add(lock(context, client, options).readLock().acquireAsync());
      context.get(contended, RuleContext.SLACK);
    }
    Holders.released(written, "a writer");
    List<Lease> together = new ArrayList<>();
    for (CompletableFuture<Lease> reader : waiting) {
      together.add(context.get(reader, context.freeAfterDeath().plus(RuleContext.SLACK)));
    }
    together.forEach(reader -> Holders.held(reader, "with others that waited for the writer"));
    together.forEach(reader -> Holders.released(reader, "a reader that waited for the writer"));
  }

  @Rule(value = "SH-2", lookAt = "the TTL or session that frees the share of a dead holder")
  public void theShareOfAKilledProcessIsFreeInTime(RuleContext context)
      throws InterruptedException {
    DistributedReadWriteLock lock = lock(context, context.client(), context.options());
    DistributedLock reader = lock(context, context.client(), context.options()).readLock();
    for (String side : List.of("read", "write")) {
      Worker worker = context.worker();
      worker.ask("as " + side);
      worker.ask("acquire " + context.name() + " " + context.ttl().toMillis());
      Holders.refused(
          () -> worker.ask("valid").equals("true"),
          lock.writeLock().tryAcquire().map(lease -> lease::isValid),
          "a writer next to another process that may " + side);
      Optional<Lease> alive = reader.tryAcquire();
      worker.jvm().kill();
      // A client that goes on renews its own share, and not that of the dead.
      if (alive.isPresent()) {
        context.letPass(context.freeAfterDeath().plus(RuleContext.SLACK));
        Holders.released(alive.get(), "a reader that went on");
      }
      Holders.free(
              context,
              lock.writeLock(),
              alive.isPresent() ? Duration.ZERO : context.freeAfterDeath().plus(RuleContext.SLACK),
              "after the death of a process that might " + side)
          .release();
    }
  }

  @Rule(value = "SH-3", lookAt = "attempt(): whether newcomers overtake a claim that waits")
  public void aWriterIsServedThoughReadersOfOtherClientsKeepComing(RuleContext context)
      throws InterruptedException {
    List<DistributedReadWriteLock> readers = new ArrayList<>();
    for (int i = 0; i < READERS; i++) {
      readers.add(lock(context, context.client(), context.options()));
    }
    servedAmongReaders(context, lock(context, context.client(), context.options()), readers);
  }

  @Rule(value = "SH-4", lookAt = "attempt(): whether newcomers overtake a claim that waits")
  public void aWriterIsServedThoughReadersOfItsClientKeepComing(RuleContext context)
      throws InterruptedException {
    DistributedReadWriteLock lock = lock(context, context.client(), context.options());
    List<DistributedReadWriteLock> readers = new ArrayList<>();
    for (int i = 0; i < READERS; i++) {
      readers.add(lock);
    }
    servedAmongReaders(context, lock, readers);
  }

  private static void servedAmongReaders(
      RuleContext context, DistributedReadWriteLock writer, List<DistributedReadWriteLock> readers)
      throws InterruptedException {
    new ContinuousHolders(
            context, readers.stream().map(DistributedReadWriteLock::readLock).toList())
        .serve(writer.writeLock(), "a writer that waits");
  }

  @Rule(value = "SH-5", lookAt = Rule.ENGINE)
  public void readersOfOneClientShareWithinTheBoundsOfHandOver(RuleContext context)
      throws InterruptedException {
    LockClient client = context.client();
    List<LockEvent> asked = new CopyOnWriteArrayList<>();
    client.addListener(
        event -> {
          if (event instanceof LockEvent.Attempted) {
            asked.add(event);
          }
        });
    LockOptions options = context.longTtl();
    Lease first = lock(context, client, options.withHandOver(LONG)).readLock().acquire();
    List<Lease> others = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      Lease next = lock(context, client, options.withHandOver(LONG)).readLock().acquire();
      context.checkEquals(first.ownerId(), next.ownerId(), "the owner id of a reader that shares");
      others.add(next);
    }
    Lease alone = lock(context, client, options.withHandOver(HandOver.none())).readLock().acquire();
    context.check(
        !alone.ownerId().equals(first.ownerId()),
        "expected an owner id of its own with HandOver.none(), but the lease is shared");
    context.await("two requests", RuleContext.SLACK, () -> asked.size() >= 2);
    context.checkEquals(2, asked.size(), "the number of attempts");
    others.forEach(lease -> Holders.released(lease, "one of many readers"));
    Holders.released(alone, "the reader that shares with nobody");
    Holders.released(first, "the first reader");
  }

  @Rule(value = "SH-6", lookAt = "release(): whether it removes the share of its claim alone")
  public void theReleaseOfOneReaderLeavesTheOthers(RuleContext context)
      throws InterruptedException {
    LockClient client = context.client();
    DistributedReadWriteLock lock = lock(context, client, context.options().withHandOver(LONG));
    Lease first = lock.readLock().acquire();
    Lease second = lock.readLock().acquire();
    LockOptions alone = context.options().withHandOver(HandOver.none());
    Lease apart = lock(context, client, alone).readLock().acquire();
    LockClient elsewhere = context.client();
    Lease there = lock(context, elsewhere, alone).readLock().acquire();
    DistributedLock writer = lock(context, context.client(), context.options()).writeLock();
    Holders.released(first, "the first reader");
    context.letPass(context.ttl().multipliedBy(2));
    for (Lease left : List.of(second, apart, there)) {
      Holders.held(left, "after the first reader has gone, and twice the TTL");
      Holders.refused(left, writer.tryAcquire(), "a writer next to a reader that is left");
      Holders.released(left, "a reader that is left");
    }
    Holders.free(context, writer, RuleContext.SLACK, "after the last reader").release();
  }

  @Rule(value = "SH-7", lookAt = "renew(): what it answers for a share that is gone")
  public void aLossIsToldToEachReaderOnce(RuleContext context) throws InterruptedException {
    DistributedReadWriteLock lock =
        lock(context, context.client(), context.options().withHandOver(LONG));
    List<Loss> told = new CopyOnWriteArrayList<>();
    Lease first = lock.readLock().acquire();
    Lease gone = lock.readLock().acquire();
    Lease second = lock.readLock().acquire();
    List.of(first, second, gone).forEach(lease -> lease.onLoss(told::add));
    Holders.released(gone, "a reader");
    Administrator.revoke(context, first);
    Administrator.awaitEnd(context, second);
    context.await("two losses", RuleContext.SLACK, () -> told.size() >= 2);
    Holders.ended(first, "with the other reader of its claim");
    context.letPass(Duration.ofMillis(50));
    context.checkEquals(2, told.size(), "the number of losses that two readers were told");
    context.check(
        !gone.loss().isDone(),
        "expected no loss to be told to a reader that has released, but one was");
  }

  @Rule(value = "SH-8", lookAt = "attempt(): the tokens of readers and of writers")
  public void tokensGrowFromWriterToReaderToWriter(RuleContext context)
      throws InterruptedException {
    DistributedReadWriteLock one = lock(context, context.client(), context.options());
    DistributedReadWriteLock other = lock(context, context.client(), context.options());
    Lease newest = one.writeLock().acquire();
    for (int i = 0; i < 5; i++) {
      Holders.released(newest, "a writer");
      Lease here = one.readLock().acquire();
      Lease there = other.readLock().acquire();
      Lease again = one.readLock().acquire();
      for (Lease reader : List.of(here, there, again)) {
        context.checkTokenGrows(newest, reader);
        Holders.released(reader, "a reader");
      }
      newest = (i % 2 == 0 ? other : one).writeLock().acquire();
      for (Lease reader : List.of(here, there, again)) {
        context.checkTokenGrows(reader, newest);
      }
    }
    newest.release();
  }

  @Rule(value = "SH-12", lookAt = "attempt(): whether it compares capacities")
  public void aLockAndAReadWriteLockOfOneNameRefuseEachOther(RuleContext context)
      throws InterruptedException {
    LockClient client = context.client();
    LockClient elsewhere = context.client();
    DistributedReadWriteLock shared = lock(context, client, context.options());
    Lease read = shared.readLock().acquire();
    for (LockClient either : List.of(client, elsewhere)) {
      refused(context, () -> either.lock(context.name(), context.options()).tryAcquire());
    }
    Holders.held(read, "after a lock of its name was refused");
    Holders.released(read, "a reader");
    Lease held =
        Holders.free(
            context,
            elsewhere.lock(context.name(), context.options()),
            RuleContext.SLACK,
            "as a lock, when nobody reads");
    for (LockClient either : List.of(client, elsewhere)) {
      refused(context, () -> lock(context, either, context.options()).readLock().tryAcquire());
    }
    LockClient waits = context.client();
    refused(
        context, () -> Optional.of(lock(context, waits, context.options()).readLock().acquire()));
    // A close waits for the clean-up of the attempt that was refused.
    waits.close();
    Holders.held(held, "after a reader of its name was refused");
    Holders.released(held, "a lock");
  }

  @Rule(value = "SH-13", lookAt = "attempt(): what it leaves in the queue if it does not wait")
  public void aWriterThatDoesNotWaitKeepsNoReaderOut(RuleContext context)
      throws InterruptedException {
    DistributedReadWriteLock next = lock(context, context.client(), context.longTtl());
    TcpProxy link = context.link();
    LockClient far = context.client(link);
    far.lock(context.name() + "-before", context.longTtl()).acquire().release();
    DistributedReadWriteLock refused = lock(context, far, context.longTtl());
    Lease read = lock(context, context.client(), context.longTtl()).readLock().acquire();
    QueueRules.refusedFarAway(context, link, read, refused.writeLock());
    Holders.free(
            context,
            next.readLock(),
            Duration.ZERO,
            "for a reader, though a writer was refused it, did not wait, and cannot undo that yet")
        .release();
    link.heal();
    Holders.released(read, "the first reader");
  }

  private static void refused(RuleContext context, Callable<Optional<Lease>> attempt) {
    LockCapacityException told = context.expect(LockCapacityException.class, attempt);
    context.checkSays(told, "a lock", "a read-write lock");
  }

  /** On a thread of its own, which is no reader. */
  private static Optional<Lease> writerOnAThread(
      RuleContext context, DistributedReadWriteLock lock) {
    return context.get(
        context.start(() -> lock.writeLock().tryAcquire()), RuleContext.SLACK.multipliedBy(2));
  }

  /** Ends the rule where that is not promised, once it has been refused. */
  static DistributedReadWriteLock lock(
      RuleContext context, LockClient client, LockOptions options) {
    if (context.promises().sharing() != Sharing.NONE) {
      return client.readWriteLock(context.name(), options);
    }
    LockConfigurationException told =
        context.expect(
            LockConfigurationException.class, () -> client.readWriteLock(context.name(), options));
    throw Semaphores.refused(context, told);
  }
}
