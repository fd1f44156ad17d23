/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.postgres;

import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.LockBackend;
import io.holdfast.lock.spi.LockClaim;
import io.holdfast.lock.spi.Settings;
import java.util.List;

/** Claims of shares that sessions hold. */
abstract class AdvisoryShareScene extends TableShareScene {

  /** All that sessions have. */
  static final String LOCKS =
      "SELECT objsubid || ' ' || mode FROM pg_locks WHERE locktype = 'advisory' AND granted"
          + " ORDER BY 1";

  /** Of somebody who has the name. */
  static final List<String> ONE_READER = List.of("1 ShareLock", "2 ShareLock");

  @Override
  LockBackend<?> backend(String... more) {
    return scene.closing(
        new AdvisoryLockProvider()
            .open(new Settings(AdvisoryLockProvider.NAME, scene.settings(more))));
  }

  List<String> locks() {
    return scene.server.ask(LOCKS);
  }

  static long token(LockClaim claim) {
    return assertInstanceOf(Attempt.Granted.class, get(claim.attempt())).token();
  }
}
