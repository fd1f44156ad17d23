/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockClosedException;
import io.holdfast.lock.Locks;
import io.holdfast.lock.health.HealthCheck;
import io.holdfast.lock.health.ServerReport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests how the engine asks a backend about its servers. */
class HealthCheckTest {

  private static final Duration TTL = Duration.ofSeconds(7);
  private static final List<ServerReport> REPORTS =
      List.of(new ServerReport("here", "1.0", Optional.empty(), List.of()));

  private final MemoryHarness scene = new MemoryHarness();

  /** Those that the backend was asked about. */
  private final List<Duration> asked = new ArrayList<>();

  private final LockClient client =
      Locks.using(new Checked(), ClientOptions.defaults().withTime(scene.time));

  @AfterEach
  void close() {
    client.close();
    scene.close();
  }

  @Test
  void theBackendIsAskedAboutTheTtl() {
    assertEquals(REPORTS, client.examine(TTL));
    assertEquals(REPORTS, client.within("x").examine(TTL));
    assertEquals(List.of(TTL, TTL), asked);
  }

  @Test
  void aBackendWithoutOneReportsNothing() {
    assertEquals(List.of(), scene.client().examine(TTL));
  }

  @Test
  void nothingIsAskedAboutATtlThatNoLockHas() {
    for (LockClient each : List.of(client, scene.client())) {
      assertThrows(IllegalArgumentException.class, () -> each.examine(Duration.ofMillis(99)));
      assertThrows(IllegalArgumentException.class, () -> each.examine(Duration.ofDays(366)));
    }
    assertEquals(List.of(), asked);
  }

  @Test
  void aClosedClientDoesNotAsk() {
    for (LockClient each : List.of(client, scene.client())) {
      each.close();
      assertThrows(LockClosedException.class, () -> each.examine(TTL));
    }
    assertEquals(List.of(), asked);
  }

  private final class Checked extends ForwardingBackend implements HealthCheck {

    Checked() {
      super(scene.server);
    }

    @Override
    public CompletionStage<List<ServerReport>> examine(Duration ttl) {
      asked.add(ttl);
      return CompletableFuture.completedFuture(REPORTS);
    }
  }
}
