/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redis.node;

import io.holdfast.lock.health.Finding;
import io.holdfast.lock.health.Finding.Promise;
import io.holdfast.lock.health.ServerReport;
import io.holdfast.lock.redis.client.RedisConfig;
import io.holdfast.lock.redis.client.RedisFailures;
import io.holdfast.lock.redis.client.RedisInfo;
import io.lettuce.core.RedisCredentialsProvider;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.async.RedisAsyncCommands;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Checks the settings of one server. Settings that this user may not ask for are left out, and a
 * finding says so.
 */
public final class RedisHealthCheck {

  private static final Pattern LOOPBACK =
      Pattern.compile("localhost|127(\\.\\d+){3}|\\[?(::1|0:0:0:0:0:0:0:1)]?");

  private final String where;
  private final CommandConnection line;
  private final RedisConfig config;
  private final boolean keepsOutAfterRestart;
  private final List<Finding> findings = new ArrayList<>();

  private RedisHealthCheck(
      String where, CommandConnection line, RedisConfig config, boolean keepsOutAfterRestart) {
    this.where = where;
    this.line = line;
    this.config = config;
    this.keepsOutAfterRestart = keepsOutAfterRestart;
  }

  /**
   * Asks a server.
   *
   * @param node the server
   * @param keepsOutAfterRestart whether a server that was just started is not counted, so that it
   *     need not remember
   * @return its report; fails with a {@link io.holdfast.lock.LockException} if it does not answer
   */
  public static CompletableFuture<ServerReport> of(RedisNode node, boolean keepsOutAfterRestart) {
    String operation = "Checking Redis at " + node.where();
    return node.over(
        operation,
        line ->
            new RedisHealthCheck(node.where(), line, node.config(), keepsOutAfterRestart)
                .look()
                .exceptionallyCompose(failure -> node.failed(operation, line, failure)));
  }

  /**
   * Asks servers.
   *
   * @param nodes the servers
   * @return one report for each; fails with a {@link io.holdfast.lock.LockException} if one does
   *     not answer
   */
  public static CompletableFuture<List<ServerReport>> of(Collection<RedisNode> nodes) {
    List<CompletableFuture<ServerReport>> reports =
        nodes.stream().map(node -> of(node, false)).toList();
    return CompletableFuture.allOf(reports.toArray(CompletableFuture[]::new))
        .thenApply(done -> reports.stream().map(CompletableFuture::join).toList());
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
    access();
    if (info == null) {
      findings.add(
          Finding.warning(
              Promise.CLEAN_UP,
              "This user may not use INFO, so persistence, eviction and replicas were not"
                  + " checked; nor can a request that was lost with its connection be undone at once",
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
                  + " undone only when its TTL has passed",
              "Permit CLIENT ID and CLIENT KILL (ACL SETUSER ... +client|id +client|kill)."));
    }
    return new ServerReport(
        where,
        info == null ? "" : RedisInfo.field(info, "redis_version").orElse(""),
        Optional.ofNullable(time).map(RedisHealthCheck::instant),
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
                text
                    + "; it does no harm, as a new server is ignored until 'restart-delay' has passed")
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
    int wanted = config.replicas();
    if (replicas < wanted) {
      findings.add(
          Finding.broken(
              Promise.AVAILABILITY,
              "%d replicas are connected, and 'wait-replicas' is %d: nothing is granted"
                  .formatted(replicas, wanted),
              "Bring the replicas back, or lower 'wait-replicas'."));
    } else if (wanted == 0 && (replicas > 0 || !config.uri().getSentinels().isEmpty())) {
      findings.add(
          Finding.warning(
              Promise.EXCLUSION,
              (replicas > 0
                      ? "There are %d replica(s)".formatted(replicas)
                      : "Sentinels watch this server for replicas")
                  + ", which get locks later than their holders: one that takes over may give held"
                  + " locks away, also while the former primary continues",
              "Set 'wait-replicas' to 1 or more, or check fencing tokens at the resource."));
    } else {
      findings.add(
          Finding.ok(
              Promise.EXCLUSION,
              replicas == 0
                  ? "There is no replica that could take over without the newest locks"
                  : "%d of %d replica(s) confirm each lock".formatted(wanted, replicas)));
    }
  }

  /** Looks for others who may hear the password, or impersonate the server. */
  private void access() {
    RedisURI uri = config.uri();
    if (uri.isSsl() && !uri.isVerifyPeer()) {
      findings.add(
          Finding.warning(
              Promise.ACCESS,
              "The certificate of the server is not verified, so anybody in between can impersonate it",
              "Verify it (SslVerifyMode.FULL), with the certificate of its authority."));
    } else if (!uri.isSsl() && !isLocal(uri)) {
      boolean password = mayHavePassword(uri.getCredentialsProvider());
      findings.add(
          Finding.warning(
              Promise.ACCESS,
              password
                  ? "The password goes over a connection without TLS, which others may read"
                  : "The connection has no TLS: others may read and change what is sent",
              "Begin the 'uri' with rediss://, and have the server listen with TLS."));
    }
  }

  /** By its name alone: nothing is looked up. */
  private static boolean isLocal(RedisURI uri) {
    if (!uri.getSentinels().isEmpty()) {
      return uri.getSentinels().stream().allMatch(RedisHealthCheck::isLocal);
    }
    String host = uri.getHost();
    return uri.getSocket() != null || (host != null && LOOPBACK.matcher(host).matches());
  }

  private static boolean mayHavePassword(RedisCredentialsProvider provider) {
    return !(provider
            instanceof RedisCredentialsProvider.ImmediateRedisCredentialsProvider immediate)
        || immediate.resolveCredentialsNow().hasPassword();
  }
}
