/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.etcd;

import static io.holdfast.lock.etcd.ClaimHarness.join;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.etcd.jetcd.api.ClusterGrpc;
import io.etcd.jetcd.api.MaintenanceGrpc;
import io.etcd.jetcd.api.Member;
import io.etcd.jetcd.api.MemberListResponse;
import io.etcd.jetcd.api.StatusResponse;
import io.grpc.Status;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.health.Finding;
import io.holdfast.lock.health.Finding.Promise;
import io.holdfast.lock.health.Finding.Severity;
import io.holdfast.lock.health.ServerReport;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests the findings about members in each of the states that they tell, and about silent ones. */
class HealthCheckTest {

  private static final Duration TTL = Duration.ofSeconds(30);

  private final ChangedAnswers<StatusResponse> status =
      new ChangedAnswers<>(MaintenanceGrpc.getStatusMethod());
  private final ChangedAnswers<MemberListResponse> members =
      new ChangedAnswers<>(ClusterGrpc.getMemberListMethod());
  private final ClaimHarness scene = new ClaimHarness(TTL, status, members);

  @AfterEach
  void end() {
    scene.close();
  }

  private List<ServerReport> reports() {
    return join(scene.backend.examine(TTL));
  }

  private List<Finding> aboutCluster() {
    return reports().get(0).findings();
  }

  private List<Finding> aboutMember() {
    List<ServerReport> all = reports();
    assertEquals(2, all.size(), all::toString);
    assertEquals("127.0.0.1:" + scene.harness.server.port(), all.get(1).server());
    return all.get(1).findings();
  }

  private static void one(List<Finding> findings, Severity severity, Promise promise, String text) {
    List<Finding> found =
        findings.stream().filter(finding -> finding.text().contains(text)).toList();
    assertEquals(1, found.size(), findings::toString);
    assertEquals(severity, found.get(0).severity());
    assertEquals(promise, found.get(0).promise());
  }

  @Test
  void aMemberThatIsWellSaysSo() {
    List<Finding> findings = aboutMember();
    assertEquals(1, findings.size(), findings::toString);
    one(findings, Severity.OK, Promise.AVAILABILITY, "knows its leader");
    assertTrue(reports().get(1).version().startsWith("3."), () -> reports().toString());
    List<Finding> cluster = aboutCluster();
    one(cluster, Severity.WARNING, Promise.AVAILABILITY, "With 1 member(s)");
    one(cluster, Severity.OK, Promise.TAKE_OVER, "the lock of a dead holder for 33 s");
  }

  @Test
  void theStateThatAMemberTellsIsFound() {
    status.change(
        told ->
            told.toBuilder()
                .addErrors("memberID:1 alarm:NOSPACE ")
                .addErrors("memberID:2 alarm:CORRUPT ")
                .setLeader(0)
                .setIsLearner(true)
                .build());
    List<Finding> findings = aboutMember();
    one(findings, Severity.BROKEN, Promise.AVAILABILITY, "alarm:NOSPACE");
    one(findings, Severity.BROKEN, Promise.AVAILABILITY, "alarm:CORRUPT");
    one(findings, Severity.BROKEN, Promise.AVAILABILITY, "has no leader");
    one(findings, Severity.WARNING, Promise.AVAILABILITY, "is a learner");
    assertEquals(4, findings.size(), findings::toString);
  }

  /** Only one of several can disagree with another. */
  @Test
  void severalMembersThatForgetAlarmsAreWarnedOf() {
    status.change(told -> told.toBuilder().setVersion("3.4.37").build());
    assertEquals(1, aboutMember().size());
    members.change(told -> told.toBuilder().addMembers(Member.getDefaultInstance()).build());
    one(aboutMember(), Severity.WARNING, Promise.EXCLUSION, "3.4 may disagree");
    status.change(told -> told.toBuilder().setVersion("3.40.0").build());
    assertEquals(1, aboutMember().size());
  }

  /** The member is there, and nothing is to be brought back. */
  @Test
  void aMemberThatMayNotBeAskedIsNotTakenForAway() {
    status.refuse(Status.PERMISSION_DENIED);
    Finding refused = aboutMember().get(0);
    assertEquals(Severity.WARNING, refused.severity());
    assertTrue(refused.remedy().contains("the right to ask for status"), refused::toString);
    status.refuse(Status.UNAVAILABLE.withDescription("gone"));
    Finding away = aboutMember().get(0);
    assertEquals(Severity.WARNING, away.severity());
    assertTrue(away.remedy().contains("Bring this member back"), away::toString);
    assertTrue(away.text().contains("Asking etcd at 127.0.0.1"), away::toString);
  }

  @Test
  void aUserWhoMayNotListTheMembersIsToldTheRest() {
    members.refuse(Status.PERMISSION_DENIED);
    assertEquals(
        List.of(Promise.TAKE_OVER), aboutCluster().stream().map(Finding::promise).toList());
    one(aboutMember(), Severity.OK, Promise.AVAILABILITY, "knows its leader");
  }

  @Test
  void aClusterThatDoesNotAnswerIsAnOutage() {
    members.refuse(Status.UNAVAILABLE.withDescription("gone"));
    CompletionException failure = assertThrows(CompletionException.class, this::reports);
    LockUnavailableException told =
        assertInstanceOf(LockUnavailableException.class, failure.getCause());
    assertTrue(told.toString().contains("Examining etcd"), told::toString);
  }
}
