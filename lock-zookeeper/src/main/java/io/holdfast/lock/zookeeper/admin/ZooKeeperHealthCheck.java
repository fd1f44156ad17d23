/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.zookeeper.admin;

import io.holdfast.lock.health.Finding;
import io.holdfast.lock.health.Findings;
import io.holdfast.lock.health.ServerReport;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.data.ACL;

/** Checks an ensemble as far as clients can: its members, and the session that it granted. */
public final class ZooKeeperHealthCheck {

  private static final Pattern VOTER = Pattern.compile("(?m)^server\\.\\d+=(?!.*:observer)");

  private ZooKeeperHealthCheck() {}

  /**
   * Judges.
   *
   * @param config the ensemble's, as it keeps it; empty if this client may not read it
   * @param session the time-out that the server granted
   * @param ttl that locks will have
   * @param acl of the nodes of locks
   */
  public static ServerReport report(
      Optional<byte[]> config, Duration session, Duration ttl, List<ACL> acl) {
    List<Finding> findings = new ArrayList<>();
    config.ifPresent(bytes -> findings.add(members(new String(bytes, StandardCharsets.UTF_8))));
    findings.add(
        Findings.freeAfterSession(
            "The lock of a dead holder is free",
            session,
            ttl,
            "Set session-timeout to the TTL, or shorter; this is what the server granted, which"
                + " is no less than its minSessionTimeout."));
    findings.add(access(acl));
    return new ServerReport("ZooKeeper ensemble", "", Optional.empty(), findings);
  }

  private static Finding access(List<ACL> acl) {
    return acl.equals(ZooDefs.Ids.OPEN_ACL_UNSAFE)
        ? Finding.warning(
            Finding.Promise.ACCESS,
            "The ACL of locks is open: anybody who can connect can take and delete them",
            "Set 'auth' to user:password and 'acl' to creator, with a 'root' for each application.")
        : Finding.ok(Finding.Promise.ACCESS, "Locks have an ACL that is not open");
  }

  public static List<ServerReport> together(ServerReport ensemble, List<ServerReport> servers) {
    List<ServerReport> all = new ArrayList<>(List.of(ensemble));
    all.addAll(servers);
    return all;
  }

  /** A server that stands alone names no members. */
  private static Finding members(String config) {
    long voters = Math.max(1, VOTER.matcher(config).results().count());
    return Findings.majority((int) voters, "server");
  }
}
