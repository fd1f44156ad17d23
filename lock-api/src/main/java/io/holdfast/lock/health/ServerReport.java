/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.health;

import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * The result of examining one server, at the moment of the question.
 *
 * @param server its address, without secrets
 * @param version as it gives it; empty if it does not tell
 * @param clock its wall clock, where that decides about locks, read while the question was under
 *     way
 * @param findings what was looked at, good and bad
 */
public record ServerReport(
    String server, String version, Optional<Instant> clock, List<Finding> findings) {

  /** Copies the list. */
  public ServerReport {
    Objects.requireNonNull(server, "server");
    Objects.requireNonNull(version, "version");
    Objects.requireNonNull(clock, "clock");
    findings = List.copyOf(findings);
  }
}
