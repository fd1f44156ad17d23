/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.Share;
import io.holdfast.lock.postgres.advisory.AdvisoryBackend;
import io.holdfast.lock.postgres.connect.PostgresConfig;
import io.holdfast.lock.postgres.schema.AdvisoryKey;
import io.holdfast.lock.spi.LockBackend;
import io.holdfast.lock.spi.LockClaim;
import io.holdfast.lock.spi.ReleaseAnswer;
import io.holdfast.lock.spi.Settings;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What happens to shares between a statement and its answer, or the next statement. */
class AdvisoryShareMomentsTest extends AdvisoryClaimsTestBase {

  /** How statements begin. */
  private static final String ACQUIRE = "WITH asked AS";

  private static final String RELEASE = "WITH given AS";

  private final StatementHooks hooks = new StatementHooks(scene.server.url());

  private LockBackend<?> hooked() {
    Settings settings = new Settings(AdvisoryLockProvider.NAME, Map.of("create-schema", "true"));
    return scene.closing(
        AdvisoryBackend.open(PostgresConfig.of(settings, hooks, AdvisoryBackend.COMMAND_TIMEOUT)));
  }

  @Test
  void aReleaseThatFailsAfterwardsFreesNoOtherReader() {
    LockBackend<?> one = hooked();
    LockClaim first = claim(one, "rw", Share.READ);
    assertTrue(isGranted(first));
    hooks.afterNext(
        RELEASE,
        () -> {
          throw new SQLException("canceling statement due to user request", "57014");
        });
    assertEquals(ReleaseAnswer.FREED, get(first.release()));
    assertTrue(hooks.haveRun());
    assertEquals(List.of(), locks());
    LockClaim second = claim(one, "rw", Share.READ);
    assertTrue(isGranted(second));
    assertEquals(ReleaseAnswer.FREED, get(first.release()), "asked again");
    assertEquals(ONE_READER, locks());
    assertFalse(isGranted(trying(backend(), "rw", Share.WRITE)));
    assertEquals(ReleaseAnswer.FREED, get(second.release()));
    assertEquals(List.of(), locks());
  }

  /** Its session has the key for a moment, and what tells it from a lock not any more. */
  @Test
  void aWriterThatDiesIsNotTakenForALock() throws Exception {
    LockBackend<?> one = hooked();
    LockClaim reader = trying(one, "rw", Share.READ);
    long key = AdvisoryKey.of("advisory", "lock", "rw").value();
    try (Connection dying = scene.connect()) {
      PostgresHarness.ask(dying, "SELECT pg_advisory_lock(" + key + ")");
      hooks.afterNext(
          ACQUIRE, () -> PostgresHarness.ask(dying, "SELECT pg_advisory_unlock(" + key + ")"));
      assertTrue(isGranted(reader));
      assertTrue(hooks.haveRun());
    }
  }

  /** A writer has the turn while it tries, also if it is refused then. */
  @Test
  void aReaderThatMeetsTheTurnOfAWriterIsAskedOnceMore() throws Exception {
    LockClaim before = claim(backend(), "rw", Share.READ);
    assertTrue(isGranted(before));
    LockClaim reader = trying(hooked(), "rw", Share.READ);
    AdvisoryKey key = AdvisoryKey.of("advisory", "lock", "rw");
    String turn = "(%d, %d)".formatted(~key.high(), key.low());
    try (Connection writing = scene.connect()) {
      PostgresHarness.ask(writing, "SELECT pg_advisory_lock" + turn);
      hooks.afterNext(
          ACQUIRE, () -> PostgresHarness.ask(writing, "SELECT pg_advisory_unlock" + turn));
      assertTrue(isGranted(reader));
      assertTrue(hooks.haveRun());
    }
  }
}
