/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.zookeeper.admin;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.health.Finding;
import io.holdfast.lock.health.Findings;
import io.holdfast.lock.health.ServerReport;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.apache.zookeeper.ZooDefs;
import org.junit.jupiter.api.Test;

/** Tests how many servers of an ensemble may fail, as its configuration tells. */
class ZooKeeperHealthCheckTest {

  private static final String VOTERS =
      """
      server.1=zk1:2888:3888:participant;0.0.0.0:2181
      server.2=zk2:2888:3888:participant;0.0.0.0:2181
      """;

  @Test
  void anObserverHasNoVote() {
    assertEquals(Findings.majority(2, "server"), aboutMembers(VOTERS + "version=0"));
    assertEquals(
        Findings.majority(2, "server"),
        aboutMembers(VOTERS + "server.3=zk3:2888:3888:observer;0.0.0.0:2181\nversion=0"));
    assertEquals(
        Findings.majority(3, "server"),
        aboutMembers(VOTERS + "server.13=zk3:2888:3888:participant\nversion=100000000"));
  }

  @Test
  void aServerThatStandsAloneIsOne() {
    assertEquals(Findings.majority(1, "server"), aboutMembers("version=0"));
  }

  @Test
  void aUserWhoMayNotReadTheConfigurationIsToldTheRest() {
    ServerReport report =
        ZooKeeperHealthCheck.report(
            Optional.empty(),
            Duration.ofSeconds(40),
            Duration.ofSeconds(30),
            ZooDefs.Ids.OPEN_ACL_UNSAFE);
    assertEquals(
        List.of(Finding.Promise.TAKE_OVER, Finding.Promise.ACCESS),
        report.findings().stream().map(Finding::promise).toList());
    assertTrue(
        report.findings().stream().allMatch(one -> one.severity() == Finding.Severity.WARNING),
        report::toString);
  }

  private static Finding aboutMembers(String config) {
    return ZooKeeperHealthCheck.report(
            Optional.of(config.getBytes(UTF_8)),
            Duration.ofSeconds(10),
            Duration.ofSeconds(30),
            ZooDefs.Ids.CREATOR_ALL_ACL)
        .findings()
        .get(0);
  }
}
