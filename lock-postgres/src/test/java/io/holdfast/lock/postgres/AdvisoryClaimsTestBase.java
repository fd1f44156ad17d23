/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.postgres;

import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.holdfast.lock.Share;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.LockBackend;
import io.holdfast.lock.spi.LockClaim;
import io.holdfast.lock.spi.Settings;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/** Claims of shares that sessions hold. */
abstract class AdvisoryClaimsTestBase extends TableClaimsTestBase {

  /** All that sessions have. */
  static final String LOCKS =
      "SELECT objsubid || ' ' || mode FROM pg_locks WHERE locktype = 'advisory' AND granted"
          + " ORDER BY 1";

  /** Of somebody who has the name. */
  static final List<String> ONE_READER = List.of("1 ShareLock", "2 ShareLock");

  @Override
  LockBackend<?> backend(String... more) {
    return scene.closing(
        new AdvisoryLockProvider().open(new Settings(AdvisoryLockProvider.NAME, patient(more))));
  }

  List<String> locks() {
    return scene.server.ask(LOCKS);
  }

  /** Claims ask while the request before them waits for its token, and so in one batch. */
  <A> List<CompletionStage<A>> together(
      LockBackend<?> backend, List<LockClaim> claims, Function<LockClaim, CompletionStage<A>> ask)
      throws SQLException {
    List<CompletionStage<A>> asked = new ArrayList<>();
    LockClaim before = claim(backend, "before", Share.LOCK);
    try (Connection administrator = withoutTokens()) {
      CompletionStage<Attempt> busy = before.attempt();
      scene.awaitWaiter();
      claims.forEach(claim -> asked.add(ask.apply(claim)));
      administrator.rollback();
      assertInstanceOf(Attempt.Granted.class, get(busy));
    }
    get(before.release());
    return asked;
  }

  /** Until this transaction ends, a statement takes its lock and then waits for its token. */
  Connection withoutTokens() throws SQLException {
    Connection administrator = scene.connect();
    administrator.setAutoCommit(false);
    PostgresHarness.ask(administrator, "ALTER SEQUENCE holdfast.lock_token INCREMENT BY 1");
    return administrator;
  }
}
