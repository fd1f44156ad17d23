/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.spring;

import static io.holdfast.lock.spring.Eventually.SOON;
import static io.holdfast.lock.spring.Eventually.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.DistributedLock;
import io.holdfast.lock.DistributedReadWriteLock;
import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockTimeoutException;
import io.holdfast.lock.LockUpgradeException;
import io.holdfast.lock.Share;
import io.holdfast.lock.memory.MemoryServer;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.transaction.support.TransactionTemplate;
import reactor.core.publisher.Sinks;

/** {@link Locked} methods that read, write, or take permits, in each of their forms. */
class SharedMethodsTest {

  /** Begins and ends, and does nothing. */
  static final class NoTransactions extends AbstractPlatformTransactionManager {

    private static final long serialVersionUID = 1L;

    @Override
    protected Object doGetTransaction() {
      return new Object();
    }

    @Override
    protected void doBegin(Object transaction, TransactionDefinition definition) {}

    @Override
    protected void doCommit(DefaultTransactionStatus status) {}

    @Override
    protected void doRollback(DefaultTransactionStatus status) {}
  }

  private final MemoryServer server = new MemoryServer();
  private final LockClient client = server.open(ClientOptions.defaults().withPermits(3));
  private final LockClient another = server.open();
  private final DistributedReadWriteLock others = another.readWriteLock("prices");
  private final AnnotationConfigApplicationContext context =
      LockedContext.of(new ClientLockSource(client), Prices.class, NoTransactions.class);
  private final Prices prices = context.getBean(Prices.class);

  @AfterEach
  void stop() {
    context.close();
    client.close();
    another.close();
  }

  private static boolean isFree(DistributedLock lock) throws InterruptedException {
    Optional<Lease> lease = lock.tryAcquire();
    lease.ifPresent(Lease::release);
    return lease.isPresent();
  }

  private DistributedLock othersPermits(int count) {
    return another.semaphore("exports", 3).permits(count);
  }

  @Test
  void readersShareAndAWriterIsAlone() throws Exception {
    try (Lease read = others.readLock().acquire()) {
      assertEquals("read", prices.read(lease -> lease.share().toString(), null));
      assertThrows(LockTimeoutException.class, () -> prices.write(lease -> "", null));
      read.ensureValid();
    }
    assertEquals("write", prices.write(lease -> lease.share().toString(), null));
    try (Lease write = others.writeLock().acquire()) {
      assertThrows(LockTimeoutException.class, () -> prices.read(lease -> "", null));
      write.ensureValid();
    }
  }

  @Test
  void aReaderWithinAWriterSharesItsLease() throws Exception {
    assertEquals(
        "write",
        prices.write(writing -> prices.read(reading -> reading.share().toString(), writing), null));
    assertEquals(
        "write",
        prices
            .writeStage(
                writing -> prices.read(reading -> reading.share().toString(), writing), null)
            .get(SOON.toSeconds(), TimeUnit.SECONDS));
    assertTrue(isFree(others.writeLock()));
  }

  @Test
  void aReaderAfterAWriterInOneTransactionSharesItsLease() throws Exception {
    new TransactionTemplate(context.getBean(NoTransactions.class))
        .executeWithoutResult(
            status -> {
              assertEquals("written", prices.write(lease -> "written", null));
              assertEquals("write", prices.read(lease -> lease.share().toString(), null));
            });
    assertTrue(isFree(others.writeLock()));
    assertEquals("read", prices.read(lease -> lease.share().toString(), null));
  }

  @Test
  void aWriterWithinAReaderIsRefused() throws Exception {
    assertThrows(
        LockUpgradeException.class,
        () -> prices.read(reading -> prices.write(writing -> "", reading), null));
    assertTrue(isFree(others.writeLock()));
  }

  @Test
  void aMonoReadsUntilItIsComplete() throws Exception {
    Sinks.One<String> work = Sinks.one();
    try (Lease read = others.readLock().acquire()) {
      CompletableFuture<String> result = prices.readMono(work.asMono()).toFuture();
      await(() -> work.currentSubscriberCount() == 1);
      read.release();
      assertFalse(isFree(others.writeLock()));
      work.tryEmitValue("done");
      assertEquals("done", result.get(SOON.toSeconds(), TimeUnit.SECONDS));
    }
    assertTrue(isFree(others.writeLock()));
  }

  @Test
  void permitsAreTakenTogetherOrNotAtAll() throws Exception {
    try (Lease two = othersPermits(2).acquire()) {
      assertNull(prices.export(lease -> "", null));
      assertEquals("1 of 3", prices.exportOne(lease -> lease.share().toString(), null));
      two.ensureValid();
    }
    try (Lease one = othersPermits(1).acquire()) {
      assertEquals("2 of 3", prices.export(lease -> lease.share().toString(), null));
      assertEquals(Share.of(1, 3), one.share());
    }
    assertTrue(isFree(othersPermits(3)));
  }

  @Test
  void aCallForTheSameWithinAnotherSharesItsPermits() throws Exception {
    assertEquals("inner", prices.export(outer -> prices.export(own -> "inner", outer), null));
    assertEquals(
        "1 of 3",
        prices.export(outer -> prices.exportOne(own -> own.share().toString(), outer), null),
        "another number is asked for");
    assertTrue(isFree(othersPermits(3)));
  }

  @Test
  void aStageAndAMonoHoldTheirPermitsUntilTheyAreComplete() throws Exception {
    CompletableFuture<String> work = new CompletableFuture<>();
    CompletableFuture<String> stage = prices.exportStage(work);
    await(() -> !isFree(othersPermits(2)));
    assertTrue(isFree(othersPermits(1)));
    work.complete("done");
    assertEquals("done", stage.get(SOON.toSeconds(), TimeUnit.SECONDS));
    assertTrue(isFree(othersPermits(3)));

    Sinks.One<String> later = Sinks.one();
    CompletableFuture<String> mono = prices.exportMono(later.asMono()).toFuture();
    await(() -> !isFree(othersPermits(2)));
    assertTrue(isFree(othersPermits(1)));
    later.tryEmitValue("done");
    assertEquals("done", mono.get(SOON.toSeconds(), TimeUnit.SECONDS));
    assertTrue(isFree(othersPermits(3)));
  }
}
