/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.DistributedReadWriteLock;
import io.holdfast.lock.DistributedSemaphore;
import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.memory.ManualTime;
import io.holdfast.lock.memory.MemoryServer;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests that locks of a client, and of its views, have the options that were given. */
class ClientTermsTest {

  private static final List<String> NAMES = List.of("a", "b");
  private static final LockOptions USUAL = LockOptions.defaults().withTtl(Duration.ofSeconds(7));
  private static final LockOptions OWN = LockOptions.defaults().withTtl(Duration.ofSeconds(9));

  private final ManualTime time = new ManualTime();
  private final MemoryServer server = new MemoryServer(time);
  private final LockClient client =
      server.open(
          ClientOptions.defaults()
              .withCallbackExecutor(Runnable::run)
              .withLockOptions(USUAL)
              .withPermits(2));
  private final LockClient view = client.within("x");

  @AfterEach
  void close() {
    client.close();
  }

  @Test
  void withoutOptionsThoseOfTheClientCount() {
    for (LockClient each : List.of(client, view)) {
      assertEquals(USUAL, each.lock("a").options());
      assertEquals(USUAL, each.allOf(NAMES).options());
      assertReadWrite(USUAL, each.readWriteLock("a"));
      assertPermits(USUAL, each.semaphore("a"));
      assertPermits(USUAL, each.semaphore("a", 2));
    }
  }

  @Test
  void optionsOfALockGoBeforeThoseOfItsClient() {
    for (LockClient each : List.of(client, view)) {
      assertEquals(OWN, each.lock("a", OWN).options());
      assertEquals(OWN, each.allOf(NAMES, OWN).options());
      assertReadWrite(OWN, each.readWriteLock("a", OWN));
      assertPermits(OWN, each.semaphore("a", 2, OWN));
    }
  }

  @Test
  void optionsCanBeReplaced() {
    assertEquals(OWN, client.lock("a").with(OWN).options());
    assertEquals(OWN, client.allOf(NAMES).with(OWN).options());
    assertReadWrite(OWN, client.readWriteLock("a").with(OWN));
    assertPermits(OWN, client.semaphore("a", 2).with(OWN));
  }

  private static void assertReadWrite(LockOptions expected, DistributedReadWriteLock lock) {
    assertEquals(expected, lock.options());
    assertEquals(expected, lock.readLock().options());
    assertEquals(expected, lock.writeLock().options());
  }

  private static void assertPermits(LockOptions expected, DistributedSemaphore semaphore) {
    assertEquals(2, semaphore.capacity());
    assertEquals(expected, semaphore.options());
    assertEquals(expected, semaphore.permit().options());
    assertEquals(expected, semaphore.permits(2).options());
  }

  @Test
  void closingAViewLeavesTheClientAndItsLeases() {
    Lease lease = view.lock("a").acquireAsync().join();
    view.close();
    assertTrue(lease.isValid());
    assertTrue(view.lock("b").acquireAsync().join().isValid());
    assertTrue(client.lock("c").acquireAsync().join().isValid());
  }
}
