/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.spring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.holdfast.lock.DistributedLock;
import io.holdfast.lock.DistributedReadWriteLock;
import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.memory.MemoryServer;
import io.holdfast.lock.spring.RequestedShare.Views;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class HeldLeasesTest {

  private final HeldLeases leases = new HeldLeases();

  @Test
  void theLeaseBeforeIsFoundAgain() throws InterruptedException {
    try (LockClient client = new MemoryServer().open()) {
      DistributedReadWriteLock prices = client.readWriteLock("prices");
      Views reading = Views.of(prices.readLock());
      Lease outer = prices.readLock().acquire();
      Lease inner = prices.readLock().acquire();
      Runnable forgetOuter = leases.add(reading, outer);
      Runnable forgetInner = leases.add(reading, inner);
      assertEquals(Optional.of(inner), leases.find(prices.readLock()));
      assertEquals(List.of(outer, inner), List.copyOf(leases.ofThisThread()));
      forgetInner.run();
      assertEquals(Optional.of(outer), leases.find(prices.readLock()));
      forgetOuter.run();
      assertEquals(Optional.empty(), leases.find(prices.readLock()));
    }
  }

  /** A transaction may be ended by a thread that did not begin it. */
  @Test
  void aLeaseIsForgottenByWhicheverThreadEndsIt() throws InterruptedException {
    try (LockClient client = new MemoryServer().open()) {
      DistributedLock lock = client.lock("account");
      Thread ends = new Thread(leases.add(Views.of(lock), lock.acquire()));
      ends.start();
      ends.join();
      assertEquals(Optional.empty(), leases.find(lock));
      assertEquals(List.of(), List.copyOf(leases.ofThisThread()));
    }
  }

  /** The next work of that thread would be refused its commit. */
  @Test
  void aThreadThatWasLentForACallKeepsNothingOfIt() throws Exception {
    LockTemplate template = new LockTemplate(leases, () -> NoObserver.INSTANCE);
    try (LockClient client = new MemoryServer().open()) {
      DistributedLock lock = client.lock("account");
      Lease lease = lock.acquire();
      assertEquals(
          List.of(lease),
          template.guarded(Views.of(lock), lease, own -> List.copyOf(leases.ofThisThread())));
      assertEquals(List.of(), List.copyOf(leases.ofThisThread()));
      assertThrows(
          IllegalStateException.class,
          () ->
              template.guarded(
                  Views.of(lock),
                  lease,
                  own -> {
                    throw new IllegalStateException("own");
                  }));
      assertEquals(List.of(), List.copyOf(leases.ofThisThread()));
    }
  }
}
