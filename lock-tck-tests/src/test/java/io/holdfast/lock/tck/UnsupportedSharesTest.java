/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.Capabilities;
import io.holdfast.lock.Capabilities.Sharing;
import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.Locks;
import io.holdfast.lock.memory.ManualTime;
import io.holdfast.lock.memory.MemoryServer;
import io.holdfast.lock.testsupport.Records;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** Tests that shares are refused which a backend does not have, before it is asked for one. */
class UnsupportedSharesTest {

  private final ManualTime time = new ManualTime();
  private final MemoryServer server = new MemoryServer(time);

  @Test
  void aBackendWithoutSharingHasLocksOnly() {
    try (LockClient client = client(Sharing.NONE)) {
      refused(() -> client.readWriteLock("a"));
      refused(() -> client.semaphore("a", 2));
      refused(() -> client.inspector().changeCapacity("a", 2, 3));
      assertTrue(client.lock("a").acquireAsync().join().isValid());
      assertEquals(1, client.semaphore("b", 1).permit().acquireAsync().join().share().capacity());
    }
  }

  @Test
  void aBackendWithReadWriteLocksHasNoSemaphores() {
    try (LockClient client = client(Sharing.READ_WRITE)) {
      refused(() -> client.semaphore("a", 2));
      refused(() -> client.inspector().changeCapacity("a", 2, 3));
      assertTrue(client.readWriteLock("a").readLock().acquireAsync().join().isValid());
      assertTrue(client.readWriteLock("b").writeLock().acquireAsync().join().isValid());
    }
  }

  @Test
  void aCapacityThatIsFixedCannotBeChanged() {
    try (LockClient client = client(Sharing.FIXED_PERMITS)) {
      assertTrue(client.readWriteLock("a").readLock().acquireAsync().join().isValid());
      assertTrue(client.semaphore("b", 2).permit().acquireAsync().join().isValid());
      refused(() -> client.inspector().changeCapacity("b", 2, 3));
    }
  }

  @Test
  void aCapacityCanBeChangedWhereTheBackendSaysSo() {
    try (LockClient client = client(Sharing.PERMITS)) {
      assertFalse(client.inspector().changeCapacity("a", 2, 3), "nobody has it");
      assertTrue(client.semaphore("a", 2).permit().acquireAsync().join().isValid());
      assertTrue(client.inspector().changeCapacity("a", 2, 3));
    }
  }

  private static void refused(Executable asked) {
    LockConfigurationException told = assertThrows(LockConfigurationException.class, asked);
    String message = String.valueOf(told.getMessage());
    assertTrue(message.contains("Capabilities.sharing()"), message);
    assertTrue(message.contains("these can: ") && message.contains("memory"), message);
  }

  private LockClient client(Sharing sharing) {
    return Locks.using(
        new ForwardingBackend(server.backend()) {
          @Override
          public Capabilities capabilities() {
            return Records.with(inner.capabilities(), sharing);
          }
        },
        ClientOptions.defaults().withCallbackExecutor(Runnable::run).withTime(time));
  }
}
