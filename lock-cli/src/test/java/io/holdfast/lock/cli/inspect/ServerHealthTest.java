/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.cli.inspect;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.cli.common.Target;
import io.holdfast.lock.config.Demand;
import io.holdfast.lock.config.LockConfig;
import io.holdfast.lock.health.Finding;
import io.holdfast.lock.health.Finding.Promise;
import io.holdfast.lock.health.Finding.Severity;
import io.holdfast.lock.health.ServerReport;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * Tests the doctor's own findings: clocks that differ, and promises that a scenario does without.
 */
class ServerHealthTest {

  @Test
  void clocksThatDifferByMuchAreAWarning() {
    Finding ahead = clock(Duration.ofMinutes(10));
    assertEquals(Severity.WARNING, ahead.severity());
    assertEquals(Promise.EXCLUSION, ahead.promise());
    assertTrue(ahead.text().contains(" s ahead of that of this host"), ahead.text());
    Finding behind = clock(Duration.ofMinutes(-10));
    assertEquals(Severity.WARNING, behind.severity());
    assertTrue(behind.text().contains(" s behind that of this host"), behind.text());
  }

  @Test
  void clocksThatDifferByLittleOrNotAtAllAreWell() {
    assertEquals(Severity.OK, clock(Duration.ofMillis(400)).severity());
    Finding same = clock(Duration.ZERO);
    assertEquals(Severity.OK, same.severity());
    assertTrue(same.text().contains("agree"), same.text());
  }

  @Test
  void anAcceptedWeaknessIsAWarning() {
    LockConfig config =
        LockConfig.of(
            Map.of(
                "provider", "memory",
                "scenario.s.preset", "session",
                "scenario.s.accept-weaker", "true"));
    Target target = new Target(config, config.scenario("s"));
    try (LockClient client = config.open("s", ClientOptions.defaults())) {
      List<Finding> findings = ServerHealth.of(client, target).get(0).findings();
      assertTrue(
          findings.stream()
              .anyMatch(
                  one ->
                      one.severity() == Severity.WARNING
                          && one.text().contains(Demand.TRANSACTION_SCOPE.text())),
          findings.toString());
    }
  }

  /** The finding about a server whose clock is so much ahead. */
  private static Finding clock(Duration ahead) {
    LockConfig config = LockConfig.of(Map.of("provider", "memory", "scenario.s.ttl", "30s"));
    Target target = new Target(config, config.scenario("s"));
    try (LockClient client = config.open("s", ClientOptions.defaults())) {
      List<ServerReport> reports = ServerHealth.of(withClock(client, ahead), target);
      assertEquals(2, reports.size(), reports.toString());
      assertEquals(1, reports.get(1).findings().size(), reports.toString());
      return reports.get(1).findings().get(0);
    }
  }

  /** The same client, but for the clock of its server, which is read when it is asked. */
  private static LockClient withClock(LockClient client, Duration ahead) {
    return (LockClient)
        Proxy.newProxyInstance(
            ServerHealthTest.class.getClassLoader(),
            new Class<?>[] {LockClient.class},
            (proxy, method, arguments) ->
                method.getName().equals("examine")
                    ? List.of(
                        new ServerReport(
                            "server", "1.0", Optional.of(Instant.now().plus(ahead)), List.of()))
                    : method.invoke(client, arguments));
  }
}
