/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.etcd.admin;

import io.etcd.jetcd.api.ClusterGrpc;
import io.etcd.jetcd.api.MaintenanceGrpc;
import io.etcd.jetcd.api.MemberListRequest;
import io.etcd.jetcd.api.StatusRequest;
import io.etcd.jetcd.api.StatusResponse;
import io.holdfast.lock.etcd.client.EtcdConnection;
import io.holdfast.lock.etcd.client.EtcdFailures;
import io.holdfast.lock.etcd.client.Member;
import io.holdfast.lock.etcd.lease.Leases;
import io.holdfast.lock.health.Finding;
import io.holdfast.lock.health.Finding.Promise;
import io.holdfast.lock.health.Findings;
import io.holdfast.lock.health.ServerReport;
import io.holdfast.lock.spi.support.Failures;
import io.holdfast.lock.text.TimeText;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Asks each configured member for its state, and counts them. */
public final class EtcdHealthCheck {

  private static final String FORGETS_ALARMS = "3.4.";

  private final EtcdConnection link;

  public EtcdHealthCheck(EtcdConnection link) {
    this.link = link;
  }

  public CompletableFuture<List<ServerReport>> of(Duration ttl) {
    CompletableFuture<Optional<Integer>> count =
        link.call(
                ClusterGrpc.getMemberListMethod(),
                MemberListRequest.getDefaultInstance(),
                link.deadline())
            .thenApply(answer -> Optional.of(answer.getMembersCount()))
            .exceptionallyCompose(
                failure ->
                    EtcdFailures.isRefusal(Failures.cause(failure))
                        ? CompletableFuture.completedFuture(Optional.empty())
                        : CompletableFuture.failedFuture(
                            EtcdFailures.typed("Examining etcd", failure)));
    CompletableFuture<List<Said>> first = askAll();
    return first
        .thenCompose(before -> askAll().thenApply(after -> agreement(before, after)))
        .thenCombine(count, (finding, members) -> with(finding, whole(members, ttl)))
        .thenCombine(
            first.thenCombine(count, this::reports),
            (about, members) -> Stream.concat(Stream.of(about), members.stream()).toList());
  }

  /** The answer of one member, or why there is none. */
  private record Said(Member member, @Nullable StatusResponse status, @Nullable Throwable failure) {

    String where() {
      return member.where();
    }
  }

  private CompletableFuture<List<Said>> askAll() {
    List<CompletableFuture<Said>> members = link.members().stream().map(this::ask).toList();
    return CompletableFuture.allOf(members.toArray(CompletableFuture[]::new))
        .thenApply(done -> members.stream().map(CompletableFuture::join).toList());
  }

  private CompletableFuture<Said> ask(Member member) {
    return link.callAt(
            member,
            MaintenanceGrpc.getStatusMethod(),
            StatusRequest.getDefaultInstance(),
            link.deadline())
        .handle((status, failure) -> new Said(member, status, failure));
  }

  private static Optional<Finding> agreement(List<Said> before, List<Said> after) {
    MemberConsistency agreement = new MemberConsistency();
    for (int i = 0; i < after.size(); i++) {
      StatusResponse earlier = before.get(i).status;
      StatusResponse later = after.get(i).status;
      if (earlier != null && later != null) {
        agreement.add(after.get(i).where(), earlier, later);
      }
    }
    return agreement.finding();
  }

  private static ServerReport with(Optional<Finding> finding, ServerReport about) {
    return new ServerReport(
        about.server(),
        about.version(),
        about.clock(),
        Stream.concat(about.findings().stream(), finding.stream()).toList());
  }

  /** A cluster is no smaller for fewer endpoints. */
  private List<ServerReport> reports(List<Said> all, Optional<Integer> count) {
    boolean several = count.orElse(all.size()) > 1;
    return all.stream().map(said -> report(said, several)).toList();
  }

  private ServerReport report(Said said, boolean several) {
    List<Finding> findings = new ArrayList<>();
    if (link.hasPassword() && said.member.plain) {
      Findings.passwordInPlain(
              said.where(), "Enable TLS at etcd, and begin each of 'endpoints' with https://.")
          .ifPresent(findings::add);
    }
    StatusResponse status = said.status;
    if (status == null) {
      findings.add(unheard(said.where(), said.failure));
      return new ServerReport(said.where(), "", Optional.empty(), findings);
    }
    for (String error : status.getErrorsList()) {
      findings.add(
          Finding.broken(
              Promise.AVAILABILITY,
              "The member raises an alarm: " + error,
              "See 'etcdctl alarm list'; after NOSPACE: compact, defragment, 'etcdctl alarm"
                  + " disarm'."));
    }
    findings.add(
        status.getLeader() == 0
            ? Finding.broken(
                Promise.AVAILABILITY,
                "The member has no leader, so it does not answer requests",
                "Bring back a majority of the members.")
            : Finding.ok(Promise.AVAILABILITY, "The member knows its leader"));
    if (status.getIsLearner()) {
      findings.add(
          Finding.warning(
              Promise.AVAILABILITY,
              "The member is a learner, which refuses what locks need",
              "Take it out of 'endpoints' until it has been promoted."));
    }
    if (several && status.getVersion().startsWith(FORGETS_ALARMS)) {
      findings.add(
          Finding.warning(
              Promise.EXCLUSION,
              "Members of etcd 3.4 may disagree for good after an alarm NOSPACE and a crash",
              "Use etcd 3.5 or newer."));
    }
    return new ServerReport(said.where(), status.getVersion(), Optional.empty(), findings);
  }

  private static Finding unheard(String where, @Nullable Throwable failure) {
    String operation = "Asking etcd at " + where;
    String told =
        failure == null
            ? operation + " had no answer"
            : String.valueOf(EtcdFailures.typed(operation, failure).getMessage());
    return failure != null && EtcdFailures.isRefusal(Failures.cause(failure))
        ? Finding.warning(
            Promise.AVAILABILITY, told, "Nothing, or give this user the right to ask for status.")
        : Finding.warning(
            Promise.AVAILABILITY, told, "Bring this member back; until then one fewer may fail.");
  }

  private static ServerReport whole(Optional<Integer> members, Duration ttl) {
    List<Finding> findings = new ArrayList<>();
    members.ifPresent(count -> findings.add(Findings.majority(count, "member")));
    findings.add(
        Finding.ok(
            Promise.TAKE_OVER,
            "With a TTL of %s, etcd keeps the lock of a dead holder for %d s"
                .formatted(TimeText.of(ttl), Leases.seconds(ttl))));
    return new ServerReport("etcd cluster", "", Optional.empty(), findings);
  }
}
