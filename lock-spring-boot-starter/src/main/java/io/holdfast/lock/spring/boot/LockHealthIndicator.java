/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.spring.boot;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.spring.LockHealth;
import java.util.Map;
import java.util.function.Supplier;
import org.springframework.boot.actuate.health.Health;
import org.springframework.boot.actuate.health.HealthIndicator;

/** Whether the lock servers answer, for Spring Boot 3.5. */
final class LockHealthIndicator implements HealthIndicator {

  private final Supplier<Map<String, LockClient>> clients;

  /** The clients are asked for with the first check, as they may not be connected before. */
  LockHealthIndicator(Supplier<Map<String, LockClient>> clients) {
    this.clients = clients;
  }

  @Override
  public Health health() {
    LockHealth found = LockHealth.of(clients.get());
    return found
        .failure()
        .map(failure -> Health.down(failure))
        .orElseGet(Health::up)
        .withDetails(found.details())
        .build();
  }
}
