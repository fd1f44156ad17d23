/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.etcd;

import static io.holdfast.lock.etcd.EtcdHarness.endpoints;
import static io.holdfast.lock.etcd.EtcdHarness.open;
import static io.holdfast.lock.etcd.EtcdHarness.until;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.AlarmRequest.AlarmAction;
import io.etcd.jetcd.api.LeaseGrantRequest;
import io.grpc.StatusRuntimeException;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.health.Finding;
import io.holdfast.lock.servers.EtcdCluster;
import io.holdfast.lock.servers.EtcdServer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Members that have not written the same. etcd 3.4 comes to that by itself: it remembers with each
 * change of a key how far it has carried out its log, but not with an alarm. A member that is
 * killed carries out once more what followed the last change; and without the alarm, which it knows
 * to be over, it writes what all had refused for want of space.
 */
class DisagreementTest {

  private static final String COMMITS = "etcd_disk_backend_commit_duration_seconds_count";

  private final EtcdCluster cluster = EtcdCluster.launch(3);

  @AfterEach
  void stop() {
    cluster.close();
  }

  @Test
  void membersThatDisagreeAreFound() {
    until("a leader", () -> cluster.leader().isPresent());
    EtcdServer leader = cluster.leader().orElseThrow();
    EtcdServer victim =
        cluster.members().stream().filter(one -> !one.equals(leader)).findFirst().orElseThrow();
    try (LockClient client = open(endpoints(cluster.members()), Map.of());
        Administrator administrator = new Administrator(leader.host(), leader.port());
        Administrator atVictim = new Administrator(victim.host(), victim.port())) {
      assertEquals(Finding.Severity.OK, agreement(client));
      administrator.put("x", "there");
      administrator.alarmOfNoSpace(AlarmAction.ACTIVATE);
      assertTrue(administrator.delete(ByteString.copyFromUtf8("x")));
      assertThrows(StatusRuntimeException.class, () -> administrator.put("y", "refused"));
      // Answers once the victim itself has heard of it.
      atVictim.alarmOfNoSpace(AlarmAction.DEACTIVATE);
      double commits = victim.metric(COMMITS);
      administrator.lease().leaseGrant(LeaseGrantRequest.newBuilder().setTTL(60).build());
      until("the end of the alarm is on the disk", () -> victim.metric(COMMITS) > commits);
      victim.kill();
      victim.start();
      assertEquals(
          EtcdFixture.isOld(victim) ? Finding.Severity.BROKEN : Finding.Severity.OK,
          agreement(client));
    }
  }

  /** However few of the members the client was told of. */
  @Test
  void severalMembersThatForgetAlarmsAreWarnedOf() {
    until("a leader", () -> cluster.leader().isPresent());
    EtcdServer one = cluster.members().get(0);
    try (LockClient client = open(endpoints(List.of(one)), Map.of())) {
      assertEquals(EtcdFixture.isOld(one), isWarnedOfAlarms(client));
    }
    try (EtcdServer alone = EtcdServer.launch();
        LockClient client = open(endpoints(List.of(alone, alone)), Map.of())) {
      assertFalse(isWarnedOfAlarms(client));
    }
  }

  private static boolean isWarnedOfAlarms(LockClient client) {
    return client.examine(Duration.ofSeconds(10)).stream()
        .flatMap(report -> report.findings().stream())
        .anyMatch(
            finding ->
                finding.severity() == Finding.Severity.WARNING
                    && finding.text().contains("etcd 3.4 may disagree"));
  }

  /** Once the members can be compared: all have heard of all. */
  private static Finding.Severity agreement(LockClient client) {
    until("members that can be compared", () -> found(client).isPresent());
    return found(client).orElseThrow().severity();
  }

  private static Optional<Finding> found(LockClient client) {
    return client.examine(Duration.ofSeconds(10)).stream()
        .flatMap(report -> report.findings().stream())
        .filter(finding -> finding.text().contains(" revision "))
        .findFirst();
  }
}
