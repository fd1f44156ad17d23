/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.cli.inspect;

import io.holdfast.lock.Capabilities;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockException;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.cli.common.Target;
import io.holdfast.lock.cli.common.Times;
import io.holdfast.lock.config.Demand;
import io.holdfast.lock.health.Finding;
import io.holdfast.lock.health.Finding.Promise;
import io.holdfast.lock.health.ServerReport;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** The reports of the servers, and findings that can be made from here only. */
final class ServerHealth {

  private static final int QUESTIONS = 5;

  /** A round trip that takes more of the TTL leaves too few tries for a renewal. */
  private static final int TRIPS_PER_TTL = 20;

  private static final Duration CLOCK_TOLERANCE = Duration.ofMillis(500);

  private ServerHealth() {}

  static List<ServerReport> of(LockClient client, Target target) {
    Duration ttl = target.scenario().options().ttl();
    List<ServerReport> reports = new ArrayList<>();
    reports.add(seenFromHere(client, target, ttl));
    Instant before = Instant.now();
    List<ServerReport> told = client.examine(ttl);
    Instant after = Instant.now();
    told.forEach(report -> reports.add(withClock(report, before, after)));
    return reports;
  }

  /** There is no client, and this is why. */
  static ServerReport refused(Target target, LockException failure) {
    return new ServerReport(
        target.describe(),
        "",
        Optional.empty(),
        List.of(
            Finding.broken(
                Promise.AVAILABILITY,
                String.valueOf(failure.getMessage()),
                failure instanceof LockUnavailableException
                    ? "Check the address, whether the server runs, and what is between here and it."
                    : "Nothing can be kept there until that is changed.")));
  }

  private static ServerReport seenFromHere(LockClient client, Target target, Duration ttl) {
    List<Finding> findings = new ArrayList<>();
    if (client.capabilities().inspection() != Capabilities.Inspection.NONE) {
      findings.add(roundTrip(client, ttl));
    }
    for (Demand demand : target.scenario().accepted()) {
      findings.add(
          Finding.warning(
              Promise.EXCLUSION,
              "Scenario '%s' demands %s, which this backend lacks: %s"
                  .formatted(target.scenario().name(), demand.text(), demand.lack()),
              "Take a backend that docs/choosing.md recommends for it; or check fencing tokens at"
                  + " the resource."));
    }
    return new ServerReport(
        target.describe() + ", TTL " + Times.text(ttl), "", Optional.empty(), findings);
  }

  private static Finding roundTrip(LockClient client, Duration ttl) {
    long[] nanos =
        IntStream.range(0, QUESTIONS)
            .mapToLong(
                i -> {
                  long began = System.nanoTime();
                  client.inspector().holder("holdfast-doctor");
                  return System.nanoTime() - began;
                })
            .sorted()
            .toArray();
    Duration median = Duration.ofNanos(nanos[QUESTIONS / 2]);
    String text = "A round trip takes %s (median of %d)".formatted(Times.text(median), QUESTIONS);
    return median.multipliedBy(TRIPS_PER_TTL).compareTo(ttl) > 0
        ? Finding.warning(
            Promise.AVAILABILITY,
            text + ", more than a twentieth of the TTL: a few slow answers lose a lease",
            "Use a longer TTL, or a server that is nearer.")
        : Finding.ok(Promise.AVAILABILITY, text);
  }

  /** The server read its clock at some time between the two of here. */
  private static ServerReport withClock(ServerReport report, Instant before, Instant after) {
    if (report.clock().isEmpty()) {
      return report;
    }
    Instant clock = report.clock().get();
    Duration apart =
        clock.isBefore(before)
            ? Duration.between(clock, before).negated()
            : clock.isAfter(after) ? Duration.between(after, clock) : Duration.ZERO;
    List<Finding> findings = new ArrayList<>(report.findings());
    String text =
        apart.isZero()
            ? "The server's clock and that of this host agree"
            : "The server's clock is %s %s that of this host"
                .formatted(Times.text(apart.abs()), apart.isNegative() ? "behind" : "ahead of");
    findings.add(
        apart.abs().compareTo(CLOCK_TOLERANCE) > 0
            ? Finding.warning(
                Promise.EXCLUSION,
                text + ", and it ends leases: if it is set forward, locks that are held are free",
                "Keep the clocks of all hosts in sync with NTP, by slewing and not by steps.")
            : Finding.ok(Promise.EXCLUSION, text));
    return new ServerReport(report.server(), report.version(), report.clock(), findings);
  }
}
