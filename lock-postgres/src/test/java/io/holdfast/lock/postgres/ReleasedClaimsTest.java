/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.Share;
import io.holdfast.lock.spi.LockBackend;
import io.holdfast.lock.spi.LockClaim;
import io.holdfast.lock.spi.ReleaseAnswer;
import io.holdfast.lock.spi.Settings;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A client may take millions of locks, so it must not keep those that it has given back. */
class ReleasedClaimsTest extends TableClaimsTestBase {

  private static final int MANY = 20;

  /** Of the last ones, threads and timers may not have let go yet. */
  private static final int LAST = 3;

  private LockBackend<?> open(String provider) {
    Settings settings = new Settings(provider, patient());
    return scene.closing(
        switch (provider) {
          case AdvisoryLockProvider.NAME -> new AdvisoryLockProvider().open(settings);
          case TableLockProvider.NAME -> new TableLockProvider().open(settings);
          default -> new RowLockProvider().open(settings);
        });
  }

  @ParameterizedTest
  @ValueSource(strings = {"postgres-advisory", "postgres-table", "postgres-row"})
  void theyAreNotKept(String provider) {
    LockBackend<?> backend = open(provider);
    List<WeakReference<LockClaim>> released = new ArrayList<>();
    for (int i = 0; i < MANY; i++) {
      released.add(released(backend, "a" + i));
    }
    PostgresHarness.await("all but the last to be forgotten", () -> kept(released) <= LAST);
  }

  private WeakReference<LockClaim> released(LockBackend<?> backend, String name) {
    LockClaim claim = claim(backend, name, Share.LOCK);
    assertTrue(isGranted(claim));
    assertEquals(ReleaseAnswer.FREED, get(claim.release()));
    return new WeakReference<>(claim);
  }

  private static long kept(List<WeakReference<LockClaim>> claims) {
    System.gc();
    return claims.stream().filter(one -> !one.refersTo(null)).count();
  }
}
