/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.spring;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockException;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.health.Finding;
import io.holdfast.lock.health.Finding.Severity;
import io.holdfast.lock.health.ServerReport;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The state of the lock servers, as {@link LockClient#examine} finds it. Up means that the servers
 * answer; what they have that may break a promise is in the details, and is for people.
 *
 * @param failure why they do not answer; empty if they do
 * @param details by server
 */
public record LockHealth(Optional<Exception> failure, Map<String, Object> details) {

  /** Copies the map. */
  public LockHealth {
    details = Map.copyOf(details);
  }

  /**
   * Asks the servers, and waits for the answers.
   *
   * @param clients by the names of their beans
   * @return what they say
   */
  public static LockHealth of(Map<String, LockClient> clients) {
    Map<String, Object> details = new LinkedHashMap<>();
    Optional<Exception> failure = Optional.empty();
    for (Map.Entry<String, LockClient> client : clients.entrySet()) {
      try {
        details.put(client.getKey(), servers(client.getValue()));
      } catch (LockException e) {
        details.put(client.getKey(), String.valueOf(e.getMessage()));
        failure = Optional.of(e);
      }
    }
    return new LockHealth(failure, details);
  }

  private static Map<String, Object> servers(LockClient client) {
    Map<String, Object> servers = new LinkedHashMap<>();
    for (ServerReport report : client.examine(LockOptions.defaults().ttl())) {
      List<String> findings =
          report.findings().stream()
              .filter(finding -> finding.severity() != Severity.OK)
              .map(LockHealth::text)
              .toList();
      servers.put(report.server(), Map.of("version", report.version(), "findings", findings));
    }
    return servers;
  }

  private static String text(Finding finding) {
    return "%s, %s: %s. %s"
        .formatted(finding.severity(), finding.promise(), finding.text(), finding.remedy());
  }
}
