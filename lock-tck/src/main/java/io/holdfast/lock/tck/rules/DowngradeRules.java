/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.rules;

import io.holdfast.lock.DistributedLock;
import io.holdfast.lock.DistributedReadWriteLock;
import io.holdfast.lock.JavaReadWriteLock;
import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockUpgradeException;
import io.holdfast.lock.Share;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** SH: writers that become readers, and readers that would become writers. */
@SuppressWarnings("LockNotBeforeTry") // Tests unlock itself.
public final class DowngradeRules {

  @Rule(value = "SH-9", lookAt = "reduceTo(): whether it is one atomic step")
  public void aWriterBecomesAReaderWithoutAnotherInBetween(RuleContext context)
      throws InterruptedException {
    DistributedReadWriteLock one = SharingRules.lock(context, context.client(), context.options());
    LockClient elsewhere = context.client();
    DistributedReadWriteLock other = SharingRules.lock(context, elsewhere, context.options());
    for (int i = 0; i < 10; i++) {
      Lease written = one.writeLock().acquire();
      CompletableFuture<Lease> rival = other.writeLock().acquireAsync();
      Lease read = written.downgrade();
      Holders.ended(written, "with its downgrade");
      context.checkEquals(Share.READ, read.share(), "the share after a downgrade");
      context.checkTokenGrows(written, read);
      Holders.held(read, "after a downgrade");
      Holders.refused(
          read,
          rival.isDone() ? Optional.of(rival.join()) : Optional.empty(),
          "a writer next to one that has become a reader");
      Holders.released(read, "a writer that has become a reader");
      Lease next = context.get(rival, context.freeAfterDeath().plus(RuleContext.SLACK));
      context.checkTokenGrows(read, next);
      Holders.released(next, "the next writer");
    }
    downgradedBeforeAWaiter(context, one.writeLock(), elsewhere, other.writeLock());
    Lease read = one.writeLock().acquire().downgrade();
    Holders.refused(
        read, other.writeLock().tryAcquire(), "a writer next to one that has become a reader");
    Lease together =
        Holders.free(context, other.readLock(), RuleContext.SLACK, "for readers after a downgrade");
    Holders.held(read, "while another client reads");
    context.expect(IllegalStateException.class, together::downgrade);
    context.letPass(context.ttl().multipliedBy(2));
    Holders.held(read, "a lease is renewed after its downgrade");
    together.release();
    read.release();
  }

  /** A writer that is in the queue already does not get past the reader. */
  private static void downgradedBeforeAWaiter(
      RuleContext context, DistributedLock writer, LockClient elsewhere, DistributedLock next)
      throws InterruptedException {
    Lease written = writer.acquire();
    CompletableFuture<Lease> rival = RecordedEvents.contended(context, elsewhere, next);
    Lease read = written.downgrade();
    context.letPass(context.ttl());
    Holders.refused(
        read,
        rival.isDone() ? Optional.of(rival.join()) : Optional.empty(),
        "a writer that had waited next to one that has become a reader");
    Holders.released(read, "a writer that has become a reader");
    context.get(rival, context.freeAfterDeath().plus(RuleContext.SLACK)).release();
  }

  @Rule(value = "SH-10", lookAt = Rule.ENGINE)
  public void aReaderIsNotUpgraded(RuleContext context) throws InterruptedException {
    DistributedReadWriteLock lock = SharingRules.lock(context, context.client(), context.options());
    Lease read = lock.readLock().acquire();
    LockUpgradeException told =
        context.expect(LockUpgradeException.class, () -> lock.writeLock().acquire());
    context.checkSays(told, context.name());
    context.expect(LockUpgradeException.class, () -> lock.writeLock().tryAcquire());
    Holders.held(read, "after the refusal of an upgrade");
    Holders.released(read, "a reader");
    Holders.free(context, lock.writeLock(), RuleContext.SLACK, "for the same thread").release();
  }

  @Rule(value = "SH-11", lookAt = "reduceTo(): whether it is one atomic step")
  public void theJavaViewIsReentrantAndDowngrades(RuleContext context) throws InterruptedException {
    DistributedReadWriteLock lock = SharingRules.lock(context, context.client(), context.longTtl());
    DistributedReadWriteLock other =
        SharingRules.lock(context, context.client(), context.longTtl());
    JavaReadWriteLock view = lock.asJavaReadWriteLock();
    view.writeLock().lock();
    view.writeLock().lock();
    view.readLock().lock();
    view.writeLock().unlock();
    context.check(
        other.readLock().tryAcquire().isEmpty(),
        "expected a reader to be refused while a thread holds to write, but it was granted");
    view.writeLock().unlock();
    context.check(
        view.readLock().isHeldByCurrentThread(),
        "expected the read lock to be held after the write lock's unlock, but it is not");
    Lease read = view.readLock().lease().orElseThrow();
    Holders.refused(read, other.writeLock().tryAcquire(), "a writer after a downgrade");
    Holders.free(context, other.readLock(), RuleContext.SLACK, "for readers").release();
    context.expect(LockUpgradeException.class, () -> view.writeLock().tryLock());
    view.readLock().unlock();
    Holders.free(context, other.writeLock(), RuleContext.SLACK, "after the last unlock").release();
  }
}
