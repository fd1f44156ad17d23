/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.micrometer;

import static io.holdfast.lock.servers.Conditions.until;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.Locks;
import io.holdfast.lock.servers.RedisServer;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** An outage of a real server, as the meters show it. */
class RedisOutageTest {

  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final LockOptions SHORT = LockOptions.defaults().withTtl(Duration.ofSeconds(9));

  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

  private double renewals(String outcome) {
    return registry.get("holdfast.lock.renewals").tag("outcome", outcome).counter().count();
  }

  private double unreachable() {
    return registry.get("holdfast.lock.losses").tag("reason", "unreachable").counter().count();
  }

  @Test
  void aSuspendedServerIsAnOutageAndCostsTheLease() throws InterruptedException {
    try (RedisServer server = RedisServer.launch();
        LockClient client =
            Locks.open(
                Map.of(
                    "provider",
                    "redis",
                    "uri",
                    "redis://" + server.host() + ":" + server.port(),
                    "command-timeout",
                    "2s"))) {
      HoldfastMeters.bind(client, registry);
      FunctionTimer outage = registry.get("holdfast.outage").functionTimer();
      Lease lease = client.lock("a", SHORT).acquire();
      until("a renewal", PATIENCE, () -> renewals("extended") > 0);
      // None, unless the machine stood still.
      double before = outage.count();
      assertEquals(1, registry.get("holdfast.lock.held").gauge().value());

      server.suspend();
      until("renewals fail", PATIENCE, () -> renewals("failed") > 1);
      until("a loss", PATIENCE, () -> unreachable() > 0);
      assertFalse(lease.isValid());
      until(
          "nothing is held",
          PATIENCE,
          () -> registry.get("holdfast.lock.held").gauge().value() == 0);
      assertEquals(before + 1, outage.count());
      assertTrue(outage.totalTime(TimeUnit.MILLISECONDS) > 0);

      server.resume();
      client.lock("b", SHORT).acquire().release();
      double lasted = outage.totalTime(TimeUnit.NANOSECONDS);
      client.lock("c", SHORT).acquire().release();
      assertEquals(before + 1, outage.count());
      assertEquals(lasted, outage.totalTime(TimeUnit.NANOSECONDS));
    }
  }
}
