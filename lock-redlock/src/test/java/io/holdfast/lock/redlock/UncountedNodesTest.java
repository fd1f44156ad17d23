/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redlock;

import static io.holdfast.lock.redlock.RedlockHarness.LONG;
import static io.holdfast.lock.redlock.RedlockHarness.SHORT;
import static org.junit.jupiter.api.Assertions.assertThrowsExactly;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockException;
import io.holdfast.lock.LockRejectedException;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.Locks;
import io.holdfast.lock.servers.Conditions;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Nodes of which nobody can tell whether they have forgotten locks. */
class UncountedNodesTest {

  private final RedlockHarness scene = new RedlockHarness(3);

  @AfterEach
  void end() {
    scene.close();
  }

  /** It is what protects those who have not read of it. */
  @Test
  void withoutASettingANodeCountsAfterThirtySeconds() {
    Map<String, String> settings = new HashMap<>(RedlockFixture.settings(scene.ports()));
    settings.remove("restart-delay");
    settings.putAll(Map.of("connect-timeout", "10s", "command-timeout", "5s"));
    LockClient client = scene.closing(Locks.open(settings));
    LockException tooLong =
        assertThrowsExactly(
            LockRejectedException.class,
            () -> client.lock("a", SHORT.withTtl(Duration.ofSeconds(31))).tryAcquire());
    assertTold(tooLong, "'restart-delay', 30 s");
  }

  /** It has run for longer than the delay, but does not say so. */
  @Test
  void aNodeThatDoesNotTellForHowLongItHasRunDoesNotCount() {
    String[] user = {"ACL", "SETUSER", "app", "on", ">secret", "~*", "&*", "+@all", "-info"};
    scene.servers.forEach(node -> node.command(user));
    LockClient client =
        scene.client(
            Map.of(
                "restart-delay",
                "2s",
                "username",
                "app",
                "password",
                "secret",
                "command-timeout",
                "5s"));
    Conditions.until(
        "all nodes have run for longer than the delay",
        Duration.ofSeconds(40),
        () -> scene.servers.stream().allMatch(node -> RedlockHarness.secondsUp(node) > 3));
    LockException told =
        assertThrowsExactly(
            LockUnavailableException.class,
            () -> client.lock("a", LONG.withTtl(Duration.ofSeconds(2))).tryAcquire());
    assertTold(told, "INFO is not permitted");
  }

  private static void assertTold(LockException failure, String what) {
    assertTrue(String.valueOf(failure.getMessage()).contains(what), failure.getMessage());
  }
}
