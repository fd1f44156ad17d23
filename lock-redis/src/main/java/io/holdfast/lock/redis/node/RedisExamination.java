/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redis.node;

import io.holdfast.lock.Finding;
import io.holdfast.lock.Finding.Promise;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.ServerReport;
import io.lettuce.core.api.async.RedisAsyncCommands;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** What one server says of itself. What this user may not ask for is not looked at, and said. */
final class RedisExamination {

  private static final String DOING = "Examining Redis";

  private final String where;
  private final Line line;
  private final int replicasWanted;
  private final boolean keepsOutAfterRestart;
  private final List<Finding> findings = new ArrayList<>();

  private RedisExamination(
      String where, Line line, int replicasWanted, boolean keepsOutAfterRestart) {
    this.where = where;
    this.line = line;
    this.replicasWanted = replicasWanted;
    this.keepsOutAfterRestart = keepsOutAfterRestart;
  }

  /**
   * Asks a server.
   *
   * @param keepsOutAfterRestart whether a server that was just started is not counted, so that it
   *     need not remember
   */
  static CompletableFuture<ServerReport> of(
      RedisNode node, RedisConfig config, boolean keepsOutAfterRestart) {
    Line line;
    try {
      line = node.line(DOING + " at " + node.where());
    } catch (LockUnavailableException e) {
      return CompletableFuture.failedFuture(e);
    }
    return new RedisExamination(node.where(), line, config.replicas(), keepsOutAfterRestart)
        .look()
        .exceptionallyCompose(failure -> node.failed(DOING + " at " + node.where(), line, failure));
  }

  private CompletableFuture<ServerReport> look() {
    RedisAsyncCommands<String, String> commands = line.commands;
    CompletableFuture<List<String>> time = ifPermitted(commands.time().toCompletableFuture());
    CompletableFuture<String> info = ifPermitted(commands.info().toCompletableFuture());
    CompletableFuture<Map<String, String>> save = config(commands, "save");
    CompletableFuture<Map<String, String>> fsync = config(commands, "appendfsync");
    return CompletableFuture.allOf(time, info, save, fsync)
        .thenApply(done -> report(time.join(), info.join(), save.join(), fsync.join()));
  }

  private static CompletableFuture<Map<String, String>> config(
      RedisAsyncCommands<String, String> commands, String name) {
    return ifPermitted(commands.configGet(name).toCompletableFuture());
  }

  /** Null if this user may not. */
  private static <T> CompletableFuture<@Nullable T> ifPermitted(CompletableFuture<T> answer) {
    return answer.exceptionallyCompose(
        failure ->
            RedisFailures.isAnswer(failure)
                ? CompletableFuture.completedFuture(null)
                : CompletableFuture.failedFuture(failure));
  }

  private ServerReport report(
      @Nullable List<String> time,
      @Nullable String info,
      @Nullable Map<String, String> save,
      @Nullable Map<String, String> fsync) {
    if (info == null) {
      findings.add(
          Finding.warning(
              Promise.CLEAN_UP,
              "This user may not use INFO, so persistence, eviction and replicas were not looked"
                  + " at; nor can a request that was lost with its connection be undone at once",
              "Permit INFO, CLIENT ID and CLIENT KILL (ACL SETUSER ... +info +client|id"
                  + " +client|kill)."));
    } else {
      persistence(info, save, fsync);
      eviction(info);
      replicas(info);
    }
    if (line.identity.isEmpty() && info != null) {
      findings.add(
          Finding.warning(
              Promise.CLEAN_UP,
              "This user may not use CLIENT ID, so a request that was lost with its connection is"
                  + " undone only when its TTL is over",
              "Permit CLIENT ID and CLIENT KILL (ACL SETUSER ... +client|id +client|kill)."));
    }
    return new ServerReport(
        where,
        info == null ? "" : RedisInfo.field(info, "redis_version").orElse(""),
        Optional.ofNullable(time).map(RedisExamination::instant),
        findings);
  }

  private static Instant instant(List<String> time) {
    return Instant.ofEpochSecond(Long.parseLong(time.get(0)), Long.parseLong(time.get(1)) * 1_000L);
  }

  private void persistence(
      String info, @Nullable Map<String, String> save, @Nullable Map<String, String> fsync) {
    boolean log = RedisInfo.field(info, "aof_enabled").filter("1"::equals).isPresent();
    if (log) {
      String when = fsync == null ? "?" : fsync.getOrDefault("appendfsync", "?");
      if (when.equals("always")) {
        findings.add(Finding.ok(Promise.EXCLUSION, "Every write is on disk before it is answered"));
      } else {
        forgets(
            "A crash of the host loses the last writes (appendfsync %s), and locks with them"
                .formatted(when));
      }
    } else if (save != null && save.getOrDefault("save", "").isBlank()) {
      forgets("Nothing is kept on disk (appendonly no, save \"\"): a restart forgets all locks");
    } else {
      forgets("Only snapshots are kept (appendonly no): a restart may forget locks");
    }
  }

  private void forgets(String text) {
    findings.add(
        keepsOutAfterRestart
            ? Finding.ok(
                Promise.EXCLUSION,
                text + "; it does no harm, as a new server does not count for 'restart-delay'")
            : Finding.warning(
                Promise.EXCLUSION,
                text + ", while their holders go on until their next renewal",
                "Set appendonly yes and appendfsync always; or check fencing tokens at the"
                    + " resource, which grow all the same."));
  }

  private void eviction(String info) {
    String policy = RedisInfo.field(info, "maxmemory_policy").orElse("noeviction");
    boolean bounded = RedisInfo.field(info, "maxmemory").filter("0"::equals).isEmpty();
    if (policy.equals("noeviction")) {
      findings.add(
          Finding.ok(Promise.EXCLUSION, "No key is evicted (maxmemory-policy noeviction)"));
    } else if (bounded) {
      findings.add(
          Finding.broken(
              Promise.EXCLUSION,
              "Keys are evicted when memory is short, and held locks with them (maxmemory-policy "
                  + policy
                  + ")",
              "Set maxmemory-policy noeviction, or give locks a Redis of their own."));
    } else {
      findings.add(
          Finding.warning(
              Promise.EXCLUSION,
              "Held locks would be evicted if memory were bounded (maxmemory-policy "
                  + policy
                  + ", maxmemory 0)",
              "Set maxmemory-policy noeviction."));
    }
  }

  private void replicas(String info) {
    int replicas = RedisInfo.field(info, "connected_slaves").map(Integer::parseInt).orElse(0);
    if (replicas < replicasWanted) {
      findings.add(
          Finding.broken(
              Promise.AVAILABILITY,
              "%d replicas are connected, and 'wait-replicas' is %d: nothing is granted"
                  .formatted(replicas, replicasWanted),
              "Bring the replicas back, or lower 'wait-replicas'."));
    } else if (replicas > 0 && replicasWanted == 0) {
      findings.add(
          Finding.warning(
              Promise.EXCLUSION,
              "There are %d replica(s), which get locks later than their holders: one that takes"
                      .formatted(replicas)
                  + " over may give held locks away",
              "Set 'wait-replicas' to 1 or more, or check fencing tokens at the resource."));
    } else {
      findings.add(
          Finding.ok(
              Promise.EXCLUSION,
              replicas == 0
                  ? "There is no replica that could take over without the newest locks"
                  : "%d of %d replica(s) confirm each lock".formatted(replicasWanted, replicas)));
    }
  }
}
