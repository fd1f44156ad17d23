/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.shedlock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.Renewal;
import io.holdfast.lock.memory.MemoryServer;
import io.holdfast.lock.servers.Conditions;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Locks that run out without an unlock leave nothing behind. */
class ThreadLeasesTest {

  private final ThreadLeases leases = new ThreadLeases();

  @Test
  void forgetsWhatNobodyElseRefersTo() throws Exception {
    LockOptions fixed =
        LockOptions.defaults().withTtl(Duration.ofMillis(100)).withRenewal(Renewal.none());
    try (LockClient client = new MemoryServer().open()) {
      for (int i = 0; i < 100; i++) {
        leases.add(client.lock("job" + i, fixed).acquire());
      }
      Conditions.until(
          "they are forgotten",
          Duration.ofSeconds(30),
          () -> {
            System.gc();
            leases.add(take(client, fixed)).run();
            return leases.size() == 0;
          });
      assertTrue(leases.mine("job1").isEmpty());
    }
    assertEquals(0, leases.size());
  }

  /** An earlier lock of that name may have run out, and be unlocked late. */
  @Test
  void aLateUnlockForgetsNoLaterLease() throws Exception {
    try (LockClient client = new MemoryServer().open();
        LockClient elsewhere = new MemoryServer().open()) {
      Lease earlier = client.lock("job").acquire();
      Lease later = elsewhere.lock("job").acquire();
      Runnable forget = leases.add(earlier);
      Runnable forgetLater = leases.add(later);
      forget.run();
      assertEquals(Optional.of(later), leases.mine("job"));
      forgetLater.run();
      assertEquals(Optional.empty(), leases.mine("job"));
      earlier.release();
    }
  }

  private static Lease take(LockClient client, LockOptions fixed) {
    try {
      return client.lock("another", fixed).acquire();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
