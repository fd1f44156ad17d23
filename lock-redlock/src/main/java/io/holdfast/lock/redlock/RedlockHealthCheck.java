/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redlock;

import io.holdfast.lock.LockException;
import io.holdfast.lock.health.Finding;
import io.holdfast.lock.health.Finding.Promise;
import io.holdfast.lock.health.Findings;
import io.holdfast.lock.health.ServerReport;
import io.holdfast.lock.redis.node.RedisHealthCheck;
import io.holdfast.lock.text.TimeText;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Checks the nodes, and whether there are enough of them. */
final class RedlockHealthCheck {

  private RedlockHealthCheck() {}

  static CompletableFuture<List<ServerReport>> of(NodeGroup group, Duration ttl) {
    boolean keepsOut = group.restartDelay().isPresent();
    List<CompletableFuture<ServerReport>> asked =
        IntStream.range(0, group.size())
            .mapToObj(
                node ->
                    RedisHealthCheck.of(group.nodes.get(node), keepsOut)
                        .handle((report, failure) -> told(group, node, report, failure)))
            .toList();
    return CompletableFuture.allOf(asked.toArray(CompletableFuture[]::new))
        .thenApply(
            done -> {
              List<ServerReport> reports =
                  new ArrayList<>(asked.stream().map(CompletableFuture::join).toList());
              reports.add(0, whole(group, ttl));
              return reports;
            });
  }

  private static ServerReport told(
      NodeGroup group, int node, @Nullable ServerReport report, @Nullable Throwable failure) {
    String where = group.nodes.get(node).where();
    if (report == null) {
      return new ServerReport(
          where,
          "",
          Optional.empty(),
          List.of(
              Finding.warning(
                  Promise.AVAILABILITY,
                  String.valueOf(
                      NodeGroup.typed("Checking Redis at " + where, failure).getMessage()),
                  "Bring this server back; until then one fewer may fail.")));
    }
    Optional<LockException> ineligibility = group.ineligibility(node);
    if (ineligibility.isEmpty()) {
      return report;
    }
    List<Finding> findings = new ArrayList<>(report.findings());
    findings.add(
        Finding.warning(
            Promise.AVAILABILITY,
            String.valueOf(ineligibility.get().getMessage()),
            "If this does not go away by itself, correct what it says."));
    return new ServerReport(where, report.version(), report.clock(), findings);
  }

  private static ServerReport whole(NodeGroup group, Duration ttl) {
    List<Finding> findings = new ArrayList<>();
    findings.add(Findings.majority(group.size(), "server"));
    group
        .restartDelay()
        .ifPresentOrElse(
            delay -> {
              if (ttl.compareTo(delay) > 0) {
                findings.add(
                    Finding.broken(
                        Promise.AVAILABILITY,
                        "The TTL of %s is longer than 'restart-delay', %s, so no lock is granted"
                            .formatted(TimeText.of(ttl), TimeText.of(delay)),
                        "Raise 'restart-delay', or lower the TTL."));
              }
            },
            () ->
                findings.add(
                    Finding.warning(
                        Promise.EXCLUSION,
                        "'restart-delay' is none: a server that comes back without its data counts"
                            + " at once",
                        "Make sure that each server has appendfsync always, or set a delay that is"
                            + " as long as the longest TTL.")));
    return new ServerReport("quorum", "", Optional.empty(), findings);
  }
}
