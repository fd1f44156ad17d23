/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.spring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.DistributedLock;
import io.holdfast.lock.DistributedReadWriteLock;
import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockLostException;
import io.holdfast.lock.memory.ManualTime;
import io.holdfast.lock.memory.MemoryServer;
import io.holdfast.lock.spring.RequestedShare.Views;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.transaction.support.TransactionTemplate;

/** Locks and transactions of one thread, in either order. (On PostgreSQL: the starter's tests.) */
class LockTemplateTest {

  /** Writes down what happens to its transactions. */
  static final class Recorder extends AbstractPlatformTransactionManager {

    private static final long serialVersionUID = 1L;
    final transient List<String> ends = new ArrayList<>();

    @Override
    protected Object doGetTransaction() {
      return new Object();
    }

    @Override
    protected void doBegin(Object transaction, TransactionDefinition definition) {}

    @Override
    protected Object doSuspend(Object transaction) {
      return transaction;
    }

    @Override
    protected void doResume(
        @org.jspecify.annotations.Nullable Object transaction, Object suspended) {}

    @Override
    protected void doCommit(DefaultTransactionStatus status) {
      ends.add("commit");
    }

    @Override
    protected void doRollback(DefaultTransactionStatus status) {
      ends.add("rollback");
    }
  }

  private final MemoryServer server = new MemoryServer();
  private final LockClient client = server.open();
  private final DistributedLock lock = client.lock("account");
  private final AnnotationConfigApplicationContext context =
      new AnnotationConfigApplicationContext(LockedConfiguration.class, Recorder.class);
  private final LockTemplate locks = context.getBean(LockTemplate.class);
  private final Recorder manager = context.getBean(Recorder.class);
  private final TransactionTemplate transaction = new TransactionTemplate(manager);

  @AfterEach
  void stop() {
    context.close();
    client.close();
  }

  private boolean isHeld() {
    return server.owners().containsKey("account");
  }

  /** Transactions know no checked exceptions. */
  private <T> T held(DistributedLock.LeaseFunction<T, RuntimeException> body) {
    try {
      return locks.call(lock, body);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void isKeptUntilTheTransactionThatIsUnderWayHasEnded() {
    transaction.executeWithoutResult(
        status -> {
          assertEquals("body", held(lease -> "body"));
          assertTrue(isHeld());
          assertEquals("body again", held(lease -> "body again"));
        });
    assertFalse(isHeld());
    assertEquals(List.of("commit"), manager.ends);
  }

  @Test
  void isKeptUntilARollbackToo() {
    IllegalStateException own = new IllegalStateException("own");
    assertEquals(
        own,
        assertThrows(
            IllegalStateException.class,
            () ->
                transaction.executeWithoutResult(
                    status -> {
                      held(lease -> "body");
                      assertTrue(isHeld());
                      throw own;
                    })));
    assertFalse(isHeld());
    assertEquals(List.of("rollback"), manager.ends);
  }

  @Test
  void aLossRefusesTheCommitOfATransactionAroundIt() {
    assertThrows(
        LockLostException.class,
        () ->
            transaction.executeWithoutResult(
                status -> {
                  held(lease -> "body");
                  client.close();
                }));
    assertEquals(List.of("rollback"), manager.ends);
  }

  @Test
  void aLossRefusesTheCommitOfATransactionWithinIt() {
    assertThrows(
        LockLostException.class,
        () ->
            held(
                lease ->
                    transaction.execute(
                        status -> {
                          client.close();
                          return "written";
                        })));
    assertEquals(List.of("rollback"), manager.ends);
  }

  @Test
  void aTransactionOfItsOwnWithinSharesTheLease() {
    TransactionTemplate inner = new TransactionTemplate(manager);
    inner.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
    transaction.executeWithoutResult(
        status -> {
          Lease outer = held(lease -> lease);
          assertEquals(outer, inner.execute(own -> held(lease -> lease)));
          assertTrue(isHeld());
        });
    assertFalse(isHeld());
    assertEquals(List.of("commit", "commit"), manager.ends);
  }

  @Test
  void aLostLeaseIsNotTakenAgainWithinItsOwnCall() {
    LockClient second = server.open();
    DistributedLock same = second.lock("other");
    List<Lease> given = new ArrayList<>();
    assertThrows(
        LockLostException.class,
        () ->
            locks.call(
                same,
                lease -> {
                  second.close();
                  return locks.call(same, again -> given.add(again));
                }));
    assertEquals(List.of(), given, "nothing is done under a lease that is lost");
  }

  /** A writer would write within a reader that has lost its lease, and was not told yet. */
  @Test
  void aWriterDoesNotBeginWithinAReaderWhoseLeaseIsLost() {
    ManualTime time = new ManualTime();
    try (LockClient own = new MemoryServer(time).open()) {
      DistributedReadWriteLock prices = own.readWriteLock("prices");
      Views writing = new Views(prices.writeLock(), Optional.of(prices.readLock()));
      List<Lease> given = new ArrayList<>();
      assertThrows(
          LockLostException.class,
          () ->
              locks.call(
                  prices.readLock(),
                  reader -> {
                    time.pause(Duration.ofMinutes(5));
                    return locks.call(writing, Duration.ZERO, writer -> given.add(writer));
                  }));
      assertEquals(List.of(), given);
    }
  }

  @Test
  void aFailureOfTheBodyDoesNotHideALoss() {
    IllegalStateException own = new IllegalStateException("own");
    assertEquals(
        own,
        assertThrows(
            IllegalStateException.class,
            () ->
                held(
                    lease -> {
                      client.close();
                      throw own;
                    })));
    assertEquals(1, own.getSuppressed().length);
    assertInstanceOf(LockLostException.class, own.getSuppressed()[0]);
  }

  @Test
  void aLossWithinATransactionIsThrownByTheCallItself() {
    assertThrows(
        LockLostException.class,
        () ->
            transaction.executeWithoutResult(
                status ->
                    assertThrows(
                        LockLostException.class,
                        () ->
                            held(
                                lease -> {
                                  client.close();
                                  return "body";
                                }))));
    assertEquals(List.of("rollback"), manager.ends);
  }

  /** Its synchronization is active, and nothing will be committed. */
  @Test
  void isNotKeptWhereATransactionIsOnlySupported() {
    TransactionTemplate supporting = new TransactionTemplate(manager);
    supporting.setPropagationBehavior(TransactionDefinition.PROPAGATION_SUPPORTS);
    supporting.executeWithoutResult(
        status -> {
          assertEquals("body", held(lease -> "body"));
          assertFalse(isHeld());
        });
    assertEquals(List.of(), manager.ends);
  }

  @Test
  void aCallAfterOneThatFailedHasALeaseOfItsOwn() {
    IllegalStateException own = new IllegalStateException("own");
    assertEquals(
        own,
        assertThrows(
            IllegalStateException.class,
            () ->
                held(
                    lease -> {
                      throw own;
                    })));
    assertEquals(0, own.getSuppressed().length);
    assertEquals(true, held(Lease::isValid));
    assertFalse(isHeld());
  }

  @Test
  void doesNothingIfTheLockIsBusy() throws Exception {
    try (LockClient other = server.open();
        Lease lease = other.lock("account").acquire()) {
      assertEquals(Optional.empty(), locks.tryCall(lock, Duration.ZERO, own -> "done"));
      lease.ensureValid();
    }
    assertEquals(Optional.of("done"), locks.tryCall(lock, Duration.ZERO, own -> "done"));
    assertNotNull(locks.call(lock, Duration.ofSeconds(1), own -> own));
  }
}
