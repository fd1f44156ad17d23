/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redlock;

import static io.holdfast.lock.redlock.RedlockHarness.LONG;
import static io.holdfast.lock.redlock.RedlockHarness.PATIENCE;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrowsExactly;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockRejectedException;
import io.holdfast.lock.LockUnavailableException;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Nodes that refuse the user, which does not pass by itself, next to nodes that are away. */
class RefusingNodeTest {

  /** So long that each node has answered. */
  private static final Map<String, String> SETTINGS =
      Map.of("username", "app", "password", "open-sesame", "command-timeout", "10s");

  private final RedlockHarness scene = new RedlockHarness(3);

  @AfterEach
  void end() {
    scene.close();
  }

  private void permit(int node) {
    scene.server(node).command("ACL", "SETUSER", "app", "on", ">open-sesame", "~*", "&*", "+@all");
  }

  private void forbid(int node) {
    scene.server(node).command("ACL", "SETUSER", "app", "-eval", "-evalsha");
  }

  /** A quorum would do today; with one node less, nobody would know why it does not any more. */
  @Test
  void oneThatRefusesIsFoundWhenTheClientIsOpened() {
    permit(0);
    permit(1);
    LockRejectedException told =
        assertThrowsExactly(LockRejectedException.class, () -> scene.client(SETTINGS));
    String message = String.valueOf(told.getMessage());
    assertTrue(message.contains(":" + scene.server(2).port()), message);
    assertFalse(message.contains("sesame"), message);
  }

  @Test
  void onlyAQuorumThatRefusesIsARefusal() throws InterruptedException {
    for (int node = 0; node < 3; node++) {
      permit(node);
    }
    LockClient client = scene.client(SETTINGS);
    client.lock("a", LONG).acquire(PATIENCE).release();
    forbid(0);
    client.lock("b", LONG).acquire(PATIENCE).release();
    scene.server(1).kill();
    LockUnavailableException mayPass =
        assertThrowsExactly(
            LockUnavailableException.class, () -> client.lock("c", LONG).tryAcquire());
    assertTrue(String.valueOf(mayPass.getMessage()).contains("permission"), mayPass.getMessage());
    RedlockHarness.until("the vote of the third is undone", () -> !scene.has(2, "c"));
    forbid(2);
    assertThrowsExactly(LockRejectedException.class, () -> client.lock("d", LONG).tryAcquire());
  }
}
