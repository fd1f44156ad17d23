/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.etcd;

import io.etcd.jetcd.api.ClusterGrpc;
import io.etcd.jetcd.api.MaintenanceGrpc;
import io.etcd.jetcd.api.MemberListRequest;
import io.etcd.jetcd.api.StatusRequest;
import io.etcd.jetcd.api.StatusResponse;
import io.holdfast.lock.Finding;
import io.holdfast.lock.Finding.Promise;
import io.holdfast.lock.ServerReport;
import io.holdfast.lock.spi.Findings;
import io.holdfast.lock.spi.TimeText;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** What each of the members that were configured says of itself, and how many there are. */
final class EtcdExamination {

  private final EtcdLink link;

  EtcdExamination(EtcdLink link) {
    this.link = link;
  }

  CompletableFuture<List<ServerReport>> of(Duration ttl) {
    CompletableFuture<ServerReport> whole =
        link.call(
                ClusterGrpc.getMemberListMethod(),
                MemberListRequest.getDefaultInstance(),
                link.deadline())
            .thenApply(answer -> Optional.of(answer.getMembersCount()))
            .exceptionallyCompose(
                failure ->
                    EtcdFailures.isRefusal(EtcdFailures.cause(failure))
                        ? CompletableFuture.completedFuture(Optional.empty())
                        : CompletableFuture.failedFuture(
                            EtcdFailures.typed("Examining etcd", failure)))
            .thenApply(count -> whole(count, ttl));
    List<CompletableFuture<ServerReport>> members =
        link.members().stream().map(this::member).toList();
    return CompletableFuture.allOf(members.toArray(CompletableFuture[]::new))
        .thenCombine(
            whole,
            (done, first) -> {
              List<ServerReport> reports = new ArrayList<>();
              reports.add(first);
              members.forEach(one -> reports.add(one.join()));
              return reports;
            });
  }

  private CompletableFuture<ServerReport> member(Member member) {
    return link.callAt(
            member,
            MaintenanceGrpc.getStatusMethod(),
            StatusRequest.getDefaultInstance(),
            link.deadline())
        .handle((status, failure) -> report(member.where(), status, failure));
  }

  private static ServerReport report(
      String where, @Nullable StatusResponse status, @Nullable Throwable failure) {
    if (status == null) {
      return new ServerReport(where, "", Optional.empty(), List.of(unheard(where, failure)));
    }
    List<Finding> findings = new ArrayList<>();
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
                "The member knows no leader, so it answers nothing",
                "Bring back a majority of the members.")
            : Finding.ok(Promise.AVAILABILITY, "The member knows its leader"));
    if (status.getIsLearner()) {
      findings.add(
          Finding.warning(
              Promise.AVAILABILITY,
              "The member is a learner, which refuses what locks need",
              "Take it out of 'endpoints' until it has been promoted."));
    }
    return new ServerReport(where, status.getVersion(), Optional.empty(), findings);
  }

  private static Finding unheard(String where, @Nullable Throwable failure) {
    String doing = "Asking etcd at " + where;
    String told =
        failure == null
            ? doing + " had no answer"
            : String.valueOf(EtcdFailures.typed(doing, failure).getMessage());
    return failure != null && EtcdFailures.isRefusal(EtcdFailures.cause(failure))
        ? Finding.warning(
            Promise.AVAILABILITY, told, "Nothing, or give this user the right to ask for status.")
        : Finding.warning(
            Promise.AVAILABILITY, told, "Bring this member back; until then one less may fail.");
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
