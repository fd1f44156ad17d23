/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.zookeeper;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.Locks;
import io.holdfast.lock.ReleaseOutcome;
import io.holdfast.lock.servers.ZooKeeperServer;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class BasicsTest {
  @Test
  void basics() throws Exception {
    try (ZooKeeperServer server = ZooKeeperServer.launch(Duration.ofMillis(200));
        LockClient a =
            Locks.open(
                "zookeeper",
                Map.of("connect", server.host() + ":" + server.port(), "session-timeout", "2s"));
        LockClient b =
            Locks.open(
                "zookeeper",
                Map.of("connect", server.host() + ":" + server.port(), "session-timeout", "2s"))) {
      Lease one = a.lock("order:1").acquire();
      System.out.println(
          one + " " + one.fencingToken() + " " + one.remaining() + " " + server.command("dump"));
      assertTrue(b.lock("order:1").tryAcquire(Duration.ofMillis(300)).isEmpty());
      var waiting = b.lock("order:1").acquireAsync();
      assertEquals(ReleaseOutcome.RELEASED, one.release());
      Lease two = waiting.get();
      assertTrue(two.fencingToken() > one.fencingToken());
      Thread.sleep(3000);
      assertTrue(two.isValid());
      System.out.println(server.command("dump"));
      two.close();
      System.out.println(server.command("dump"));
    }
  }
}
