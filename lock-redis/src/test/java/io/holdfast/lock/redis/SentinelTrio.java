/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redis;

import static io.holdfast.lock.redis.RedisHarness.until;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.Locks;
import io.holdfast.lock.servers.Conditions;
import io.holdfast.lock.servers.OpenResources;
import io.holdfast.lock.servers.RedisSentinel;
import io.holdfast.lock.servers.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A primary, its replica, and three sentinels that replace the one by the other. */
final class SentinelTrio extends OpenResources {

  /**
   * Not so short that a busy machine has the sentinels replace a primary that lives. It would go on
   * for up to ten seconds, until they make it a replica, and so would two primaries.
   */
  static final Duration DOWN_AFTER = Duration.ofSeconds(2);

  final RedisServer primary;
  final RedisServer replica;
  final List<RedisSentinel> sentinels = new ArrayList<>();

  SentinelTrio() {
    primary = closing(RedisServer.launch());
    replica =
        closing(
            RedisServer.launch(
                "--replicaof",
                primary.host() + " " + primary.port(),
                "--repl-ping-replica-period",
                "1"));
    until("the replica is in step", () -> isInStep(replica));
    for (int i = 0; i < 3; i++) {
      sentinels.add(closing(RedisSentinel.launch("prime", primary, 2, DOWN_AFTER)));
    }
    until("the sentinels are ready", () -> sentinels.stream().allMatch(RedisSentinel::isReady));
  }

  static boolean isInStep(RedisServer replica) {
    return replica.command("INFO", "replication").contains("master_link_status:up");
  }

  Map<String, String> settings() {
    return settings(sentinels.stream().map(RedisSentinel::address).toList());
  }

  /** With other addresses of the sentinels. */
  Map<String, String> settings(List<String> addresses) {
    return Map.of(
        "provider",
        "redis",
        "uri",
        "redis-sentinel://" + String.join(",", addresses) + "/0#prime",
        "command-timeout",
        "1s");
  }

  /** Patient, unless told otherwise: a machine that is busy can take a second from anybody. */
  LockClient client(Map<String, String> more) {
    Map<String, String> settings = new HashMap<>(settings());
    settings.put("command-timeout", "5s");
    settings.putAll(more);
    return closing(Locks.open(settings));
  }

  /** Cuts the replica off, so that what is written from now on does not reach it. */
  void holdReplicationBack() {
    replica.command("REPLICAOF", "127.0.0.1", "1");
  }

  /** Kills the primary, and waits until the replica is in its place. */
  void failOver() {
    failOver(sentinels);
  }

  void failOver(List<RedisSentinel> awake) {
    primary.kill();
    Conditions.until(
        "the sentinels have promoted the replica",
        RedisHarness.LONGEST_FAIL_OVER,
        () ->
            awake.stream().allMatch(one -> one.primaryPort() == replica.port())
                && replica.command("ROLE").startsWith("master"));
  }

  /** Kills whoever is in charge, and waits until the other is. */
  void replaceCurrent() {
    RedisServer former = current();
    former.kill();
    awaitInPlaceOf(former);
  }

  /** The primary stands still for so long that the replica takes its place. */
  void suspendCurrent() {
    RedisServer former = current();
    former.suspend();
    awaitInPlaceOf(former);
  }

  private void awaitInPlaceOf(RedisServer former) {
    RedisServer heir = other(former);
    Conditions.until(
        "the sentinels have promoted the other",
        RedisHarness.LONGEST_FAIL_OVER,
        () ->
            sentinels.stream().allMatch(one -> one.primaryPort() == heir.port())
                && heir.command("ROLE").startsWith("master"));
  }

  RedisServer other(RedisServer one) {
    return one == primary ? replica : primary;
  }

  /** Has who was replaced follow the other, as the sentinels would some time later. */
  void takeBack() {
    RedisServer current = current();
    RedisServer former = other(current);
    former.start();
    former.command("REPLICAOF", current.host(), "" + current.port());
    until("the former primary is in step", () -> isInStep(former));
    until("the sentinels are ready", () -> sentinels.stream().allMatch(RedisSentinel::isReady));
  }

  /** The same of one that stood still. */
  void takeBackSuspended() {
    other(current()).resume();
    takeBack();
  }

  /** Has a sentinel take the replica for the primary, as one that is behind the others may. */
  void misinform(RedisSentinel sentinel) {
    sentinel.command("REMOVE", "prime");
    sentinel.command("MONITOR", "prime", replica.host(), "" + replica.port(), "2");
  }

  /** The primary now. */
  RedisServer current() {
    return sentinels.get(0).primaryPort() == primary.port() ? primary : replica;
  }
}
