/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.spring.boot;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.spring.LockHealth;
import java.util.Map;
import org.springframework.boot.actuate.health.Health;
import org.springframework.boot.actuate.health.HealthIndicator;

/** Whether the lock servers answer, for Spring Boot 3.5. */
final class LockHealthIndicator implements HealthIndicator {

  private final Map<String, LockClient> clients;

  LockHealthIndicator(Map<String, LockClient> clients) {
    this.clients = Map.copyOf(clients);
  }

  @Override
  public Health health() {
    LockHealth found = LockHealth.of(clients);
    return found
        .failure()
        .map(failure -> Health.down(failure))
        .orElseGet(Health::up)
        .withDetails(found.details())
        .build();
  }
}
