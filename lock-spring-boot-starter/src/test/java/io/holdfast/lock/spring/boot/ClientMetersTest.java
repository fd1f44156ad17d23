/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.spring.boot;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.config.Scenario;
import io.holdfast.lock.memory.MemoryServer;
import io.holdfast.lock.micrometer.MeterOptions;
import io.holdfast.lock.servers.Conditions;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** A backend that two providers are opened for is two clients, which are measured apart. */
class ClientMetersTest {

  private final ClientMeters meters = new ClientMeters(MeterOptions.defaults());

  private void open(String provider, LockClient client) {
    meters.opened(
        new Scenario(
            "of-" + provider,
            Optional.empty(),
            "main",
            provider,
            LockOptions.defaults(),
            OptionalInt.empty(),
            Optional.empty(),
            List.of()),
        client);
  }

  private static long granted(SimpleMeterRegistry registry, String client) {
    return registry
        .get("holdfast.lock.wait")
        .tags("client", client, "outcome", "granted")
        .timer()
        .count();
  }

  @Test
  void bothHaveMetersInEachRegistry() throws Exception {
    MemoryServer server = new MemoryServer();
    SimpleMeterRegistry early = new SimpleMeterRegistry();
    SimpleMeterRegistry late = new SimpleMeterRegistry();
    try (LockClient one = server.open();
        LockClient two = server.open()) {
      meters.bindTo(early);
      open("postgres-advisory", one);
      open("postgres-table", two);
      meters.bindTo(late);
      one.lock("a").run(lease -> {});
      two.lock("b").run(lease -> {});
      two.lock("c").run(lease -> {});
      for (SimpleMeterRegistry registry : List.of(early, late)) {
        Conditions.until(
            "each was measured",
            Duration.ofSeconds(20),
            () -> granted(registry, "main") == 1 && granted(registry, "main-postgres-table") == 2);
      }
    }
  }
}
