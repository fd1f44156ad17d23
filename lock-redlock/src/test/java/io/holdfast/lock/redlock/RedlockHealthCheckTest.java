/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redlock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.health.Finding;
import io.holdfast.lock.health.Finding.Promise;
import io.holdfast.lock.health.Finding.Severity;
import io.holdfast.lock.health.ServerReport;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests the findings about a quorum as a whole, and about nodes that do not count. */
class RedlockHealthCheckTest {

  private final RedlockHarness scene = new RedlockHarness(3);

  @AfterEach
  void end() {
    scene.close();
  }

  /** First that of all nodes together, then one for each. */
  private List<ServerReport> reports(RedlockBackend backend, Duration ttl) {
    List<ServerReport> reports = backend.examine(ttl).toCompletableFuture().join();
    assertEquals(4, reports.size());
    return reports;
  }

  private RedlockBackend backend(String restartDelay) {
    return scene.backend(Map.of("restart-delay", restartDelay));
  }

  private static boolean has(ServerReport report, Severity severity, Promise promise, String text) {
    return report.findings().stream()
        .anyMatch(
            (Finding one) ->
                one.severity() == severity
                    && one.promise() == promise
                    && one.text().contains(text));
  }

  @Test
  void aTtlAboveTheDelayMeansThatNothingIsGranted() {
    try (RedlockBackend backend = backend("1m")) {
      ServerReport whole = reports(backend, Duration.ofSeconds(61)).get(0);
      assertTrue(has(whole, Severity.BROKEN, Promise.AVAILABILITY, "restart-delay"), "" + whole);
      whole = reports(backend, Duration.ofMinutes(1)).get(0);
      assertTrue(
          whole.findings().stream().noneMatch(one -> one.severity() == Severity.BROKEN),
          whole.toString());
    }
  }

  @Test
  void withoutADelayAServerMustNotForget() {
    try (RedlockBackend backend = backend("none")) {
      ServerReport whole = reports(backend, Duration.ofSeconds(1)).get(0);
      assertTrue(has(whole, Severity.WARNING, Promise.EXCLUSION, "restart-delay"), "" + whole);
    }
  }

  /** With one, it is ignored until nobody relies any more on what it has forgotten. */
  @Test
  void onlyWithoutADelayItMattersWhatAServerKeepsOnDisk() {
    for (String delay : List.of("1m", "none")) {
      try (RedlockBackend backend = backend(delay)) {
        List<ServerReport> reports = reports(backend, Duration.ofSeconds(1));
        for (ServerReport node : reports.subList(1, 4)) {
          assertEquals(
              delay.equals("none"),
              has(node, Severity.WARNING, Promise.EXCLUSION, "next renewal"),
              () -> delay + ": " + node);
        }
      }
    }
  }

  @Test
  void aNodeThatIsAwayOrWasStartedLatelyIsNamed() {
    try (RedlockBackend backend = backend("10m")) {
      scene.server(1).kill();
      List<ServerReport> reports = reports(backend, Duration.ofSeconds(1));
      for (int node = 0; node < 3; node++) {
        ServerReport report = reports.get(node + 1);
        String text = node == 1 ? ":" + scene.server(1).port() : "restart-delay";
        assertTrue(has(report, Severity.WARNING, Promise.AVAILABILITY, text), "" + report);
      }
    }
  }
}
