/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.holdfast.lock.Share;
import io.holdfast.lock.spi.LockBackend;
import io.holdfast.lock.spi.LockClaim;
import io.holdfast.lock.spi.ReleaseAnswer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A renewal is at the server, in a session that was given up, when the claim is released. */
class TableLateRenewalTest extends TableClaimsTestBase {

  private static final Duration HOUR = Duration.ofHours(1);

  @ParameterizedTest
  @ValueSource(strings = {"lock", "read"})
  void itDoesNotProlongWhatTheReleaseKeeps(String mode) throws Exception {
    LockBackend<?> backend = backend("command-timeout", "2s");
    LockClaim claim = claim(backend, "a", mode.equals("lock") ? Share.LOCK : Share.READ);
    acquire(claim);
    renewed(backend, claim);
    String session =
        scene
            .server
            .ask(
                "SELECT pid FROM pg_stat_activity"
                    + " WHERE application_name = 'holdfast' AND query LIKE '%table_lock%'"
                    // One before may have been slow, and given up.
                    + " ORDER BY backend_start DESC")
            .get(0);
    // Of a server in a container, the number means nothing here.
    assumeTrue(isServer(session));
    signal("STOP", session);
    try {
      assertThrows(CompletionException.class, () -> renewed(backend, claim, HOUR));
      PostgresHarness.await("a release in the next session", () -> isKept(claim));
    } finally {
      signal("CONT", session);
    }
    PostgresHarness.await(
        "the end of the session",
        () -> scene.server.ask("SELECT 1 FROM pg_stat_activity WHERE pid = " + session).isEmpty());
    assertEquals(
        List.of(),
        scene.server.ask(
            "SELECT expires_at FROM holdfast.table_lock"
                + " WHERE expires_at > now() + interval '30 min'"));
  }

  private static boolean isServer(String process) {
    return ProcessHandle.of(Long.parseLong(process))
        .flatMap(known -> known.info().command())
        .filter(command -> command.endsWith("postgres"))
        .isPresent();
  }

  private static boolean isKept(LockClaim claim) {
    return claim
        .release(TTL)
        .handle((answer, failure) -> answer == ReleaseAnswer.FREED)
        .toCompletableFuture()
        .join();
  }

  private static void signal(String name, String process) throws Exception {
    assertEquals(0, new ProcessBuilder("kill", "-" + name, process).start().waitFor());
  }
}
