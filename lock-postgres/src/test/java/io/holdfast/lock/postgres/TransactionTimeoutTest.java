/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.ReleaseOutcome;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

/** A limit of the server for every transaction, which PostgreSQL has since version 17. */
class TransactionTimeoutTest {

  @Test
  void aTransactionThatHoldsARowHasNone() throws Exception {
    try (PostgresHarness scene = new PostgresHarness()) {
      assumeTrue(
          scene
              .server
              .ask("SELECT count(*) FROM pg_settings WHERE name = 'transaction_timeout'")
              .equals(List.of("1")),
          "PostgreSQL 17 or newer");
      scene.server.ask("ALTER DATABASE postgres SET transaction_timeout = '1s'");
      LockClient client = scene.client(RowLockProvider.NAME);
      Lease lease = client.lock("held").acquire();
      assertThrows(TimeoutException.class, () -> lease.loss().get(2, TimeUnit.SECONDS));
      assertEquals(ReleaseOutcome.RELEASED, lease.release());
    }
  }
}
