/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.spring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.holdfast.lock.DistributedLock;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockLostException;
import io.holdfast.lock.memory.MemoryServer;
import io.holdfast.lock.spring.LockTemplateTest.Recorder;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Transactions whose manager is no bean, so that nobody but the lease itself watches the commit.
 */
class TransactionTieTest {

  private final MemoryServer server = new MemoryServer();
  private final LockClient client = server.open();
  private final DistributedLock lock = client.lock("account");
  private final LockTemplate locks = new LockTemplate(new HeldLeases(), () -> NoObserver.INSTANCE);
  private final Recorder manager = new Recorder();
  private final TransactionTemplate transaction = new TransactionTemplate(manager);

  /** A step of something else that takes part in the transaction, and is asked early. */
  private abstract static class Step implements TransactionSynchronization {

    @Override
    public int getOrder() {
      return 0;
    }
  }

  @AfterEach
  void stop() {
    client.close();
  }

  private void lockWithin(TransactionSynchronization step) {
    try {
      assertEquals("body", locks.call(lock, lease -> "body"));
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
    TransactionSynchronizationManager.registerSynchronization(step);
  }

  @Test
  void aLossRefusesTheCommit() {
    assertThrows(
        LockLostException.class,
        () ->
            transaction.executeWithoutResult(
                status -> {
                  lockWithin(new Step() {});
                  client.close();
                }));
    assertEquals(List.of("rollback"), manager.ends);
  }

  /** A value may be written by such a step, and the step may take its time. */
  @Test
  void soDoesOneInAStepBeforeTheCommit() {
    Step step =
        new Step() {
          @Override
          public void beforeCommit(boolean readOnly) {
            client.close();
          }
        };
    assertThrows(
        LockLostException.class,
        () -> transaction.executeWithoutResult(status -> lockWithin(step)));
    assertEquals(List.of("rollback"), manager.ends);
  }

  @Test
  void theLockIsHeldUntilAllOthersWereToldOfTheEnd() {
    List<Boolean> held = new ArrayList<>();
    transaction.executeWithoutResult(
        status ->
            lockWithin(
                new Step() {
                  @Override
                  public void afterCompletion(int completion) {
                    held.add(server.owners().containsKey("account"));
                  }
                }));
    assertEquals(List.of(true), held);
    assertFalse(server.owners().containsKey("account"));
  }
}
