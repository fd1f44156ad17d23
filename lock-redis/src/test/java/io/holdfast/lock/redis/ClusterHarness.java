/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redis;

import static io.holdfast.lock.redis.RedisHarness.until;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.Locks;
import io.holdfast.lock.servers.Conditions;
import io.holdfast.lock.servers.OpenResources;
import io.holdfast.lock.servers.RedisServer;
import io.holdfast.lock.spi.Settings;
import io.lettuce.core.cluster.SlotHash;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A cluster of three servers with a third of the slots each, and a replica of the first. */
final class ClusterHarness extends OpenResources {

  private static final int NODES = 3;

  /**
   * After what silence the others take a server for dead, so that a fail-over does not take long.
   */
  private static final Duration SOON = Duration.ofSeconds(1);

  /**
   * The same where none is to be replaced: a machine that is busy can take seconds from anybody.
   */
  private static final Duration LATER = Duration.ofSeconds(5);

  final List<RedisServer> primaries = new ArrayList<>();
  final RedisServer replica;
  private boolean replicaInCharge;

  ClusterHarness() {
    for (int i = 0; i < NODES; i++) {
      primaries.add(launch());
    }
    replica = launch();
    form();
  }

  private void form() {
    for (int i = 0; i < NODES; i++) {
      primaries.get(i).command("CLUSTER", "ADDSLOTSRANGE", "" + first(i), "" + (first(i + 1) - 1));
    }
    RedisServer greeter = primaries.get(0);
    Stream.concat(primaries.stream().skip(1), Stream.of(replica))
        .forEach(other -> greeter.command("CLUSTER", "MEET", other.host(), "" + other.port()));
    awaitComplete();
    String id = greeter.command("CLUSTER", "MYID");
    replica.command("CLUSTER", "REPLICATE", id);
    until(
        "the replica is in step",
        () -> replica.command("INFO", "replication").contains("master_link_status:up"));
    until(
        "everybody knows of the replica",
        () -> all().allMatch(one -> one.command("CLUSTER", "NODES").contains("slave " + id)));
    all().forEach(one -> isSuspectAfter(LATER, one));
  }

  /** Those who are silent are suspected soon, by all. */
  void suspectSoon() {
    all().forEach(one -> isSuspectAfter(SOON, one));
  }

  private static void isSuspectAfter(Duration silence, RedisServer server) {
    server.command("CONFIG", "SET", "cluster-node-timeout", "" + silence.toMillis());
  }

  private static int first(int node) {
    return SlotHash.SLOT_COUNT * node / NODES;
  }

  private RedisServer launch() {
    return closing(
        RedisServer.launch(
            "--cluster-enabled", "yes", "--cluster-node-timeout", "" + SOON.toMillis()));
  }

  private Stream<RedisServer> all() {
    return Stream.concat(primaries.stream(), Stream.of(replica));
  }

  private static boolean isComplete(RedisServer server) {
    String info = server.command("CLUSTER", "INFO");
    return info.contains("cluster_state:ok")
        && info.contains("cluster_known_nodes:" + (NODES + 1))
        && server.values("CLUSTER", "SLOTS").stream().noneMatch(String::isEmpty);
  }

  Map<String, String> settings() {
    String addresses =
        primaries.stream()
            .map(server -> server.host() + ":" + server.port())
            .collect(Collectors.joining(","));
    return Map.of(
        "provider", "redis", "uri", "redis-cluster://" + addresses, "command-timeout", "1s");
  }

  /** Patient: a machine that is busy can take a second from anybody. */
  LockClient client() {
    Map<String, String> settings = new HashMap<>(settings());
    settings.put("command-timeout", "5s");
    return closing(Locks.open(settings));
  }

  RedisBackend backend() {
    Map<String, String> settings = new HashMap<>(settings());
    settings.remove("provider");
    settings.put("command-timeout", "5s");
    return closing((RedisBackend) new RedisLockProvider().open(new Settings("redis", settings)));
  }

  /** Which of the three has a slot at the beginning. */
  static int nodeOf(String key) {
    int slot = SlotHash.getSlot(key);
    int node = 0;
    while (slot >= first(node + 1)) {
      node++;
    }
    return node;
  }

  /** A lock name whose key is at a node. */
  static String nameAt(int node) {
    int i = 0;
    while (nodeOf("lock:n" + i) != node) {
      i++;
    }
    return "n" + i;
  }

  /** Kills the first primary, and waits until its replica is in its place. */
  void failOver() {
    suspectSoon();
    primaries.get(0).kill();
    awaitPromotion(replica);
  }

  private static void awaitPromotion(RedisServer heir) {
    Conditions.until(
        "the other was promoted",
        RedisHarness.LONGEST_FAIL_OVER,
        () -> heir.command("ROLE").startsWith("master"));
  }

  /** Which server has the slots of a node now, if {@link #replaceFirst} alone has changed it. */
  RedisServer inChargeOf(int node) {
    return node == 0 && replicaInCharge ? replica : primaries.get(node);
  }

  private RedisServer standby() {
    return replicaInCharge ? primaries.get(0) : replica;
  }

  /** Kills who has the first third of the slots, and waits until its replica is in its place. */
  void replaceFirst() {
    RedisServer heir = standby();
    inChargeOf(0).kill();
    awaitPromotion(heir);
    replicaInCharge = !replicaInCharge;
  }

  /** Starts who was replaced, and waits until it follows the other. */
  void takeBack() {
    RedisServer former = standby();
    former.start();
    until(
        "the former primary is in step",
        () -> former.command("INFO", "replication").contains("master_link_status:up"));
    awaitComplete();
  }

  /** Lets one go on, and waits until the others know that it does. */
  void resume(RedisServer server) {
    server.resume();
    awaitComplete();
  }

  /** Its nodes have much to tell each other, and may have to share the machine. */
  private void awaitComplete() {
    Conditions.until(
        "the cluster is complete",
        Duration.ofMinutes(1),
        () -> all().allMatch(ClusterHarness::isComplete));
  }

  /** Gives a slot with all its keys to another node. */
  void move(int slot, RedisServer from, RedisServer to) {
    beginToMove(slot, from, to);
    endToMove(slot, from, to);
  }

  /** From now on what is not there any more is asked for elsewhere. */
  void beginToMove(int slot, RedisServer from, RedisServer to) {
    String fromId = from.command("CLUSTER", "MYID");
    String toId = to.command("CLUSTER", "MYID");
    to.command("CLUSTER", "SETSLOT", "" + slot, "IMPORTING", fromId);
    from.command("CLUSTER", "SETSLOT", "" + slot, "MIGRATING", toId);
  }

  void endToMove(int slot, RedisServer from, RedisServer to) {
    String toId = to.command("CLUSTER", "MYID");
    for (String key : from.values("CLUSTER", "GETKEYSINSLOT", "" + slot, "100")) {
      from.command("MIGRATE", to.host(), "" + to.port(), key, "0", "5000");
    }
    to.command("CLUSTER", "SETSLOT", "" + slot, "NODE", toId);
    from.command("CLUSTER", "SETSLOT", "" + slot, "NODE", toId);
  }

  /**
   * Which of the primaries comes first in a map by address, and so was asked first for the slots.
   */
  int firstAsked() {
    Map<String, Integer> byAddress = new HashMap<>();
    for (int node = 0; node < NODES; node++) {
      byAddress.put(primaries.get(node).host() + ":" + primaries.get(node).port(), node);
    }
    return byAddress.values().iterator().next();
  }

  /** Takes a primary out of the cluster, and gives its slots to another. It goes on running. */
  void remove(int leaving, int heir) {
    RedisServer server = primaries.get(leaving);
    List<RedisServer> others =
        primaries.stream().filter(other -> other.port() != server.port()).toList();
    // The replica first: a primary's own one would take its place, and cannot forget it.
    for (RedisServer gone : List.of(replica, server)) {
      String id = gone.command("CLUSTER", "MYID");
      if (gone == server) {
        gone.command("FLUSHALL");
      }
      gone.command("CLUSTER", "RESET", "HARD");
      others.forEach(other -> other.command("CLUSTER", "FORGET", id));
    }
    primaries
        .get(heir)
        .command("CLUSTER", "ADDSLOTSRANGE", "" + first(leaving), "" + (first(leaving + 1) - 1));
    until(
        "the others are a cluster without it",
        () ->
            others.stream()
                .allMatch(other -> other.command("CLUSTER", "INFO").contains("cluster_state:ok")));
  }

  /** Makes a server that was removed a cluster of its own, with all slots and newer epochs. */
  RedisServer makeAnotherCluster(int removed) {
    RedisServer server = primaries.get(removed);
    isSuspectAfter(SOON, server);
    server.command("CLUSTER", "SET-CONFIG-EPOCH", "1000");
    server.command("CLUSTER", "ADDSLOTSRANGE", "0", "" + (SlotHash.SLOT_COUNT - 1));
    until(
        "it is a cluster by itself",
        () -> server.command("CLUSTER", "INFO").contains("cluster_state:ok"));
    return server;
  }

  /** Makes all of it anew, at the same addresses, with other ids and no data. */
  void rebuild() {
    suspectSoon();
    // The replica first: while it follows, it takes no FLUSHALL, and needs none.
    replica.command("CLUSTER", "RESET", "HARD");
    for (RedisServer server : primaries) {
      server.command("FLUSHALL");
      server.command("CLUSTER", "RESET", "HARD");
    }
    form();
    all().forEach(ClusterHarness::endConnections);
  }

  /** How many connections clients have made since the server's statistics were reset. */
  static long connectionsMade(RedisServer server) {
    return server
        .command("INFO", "commandstats")
        .lines()
        .filter(line -> line.startsWith("cmdstat_hello:"))
        .mapToLong(line -> Long.parseLong(line.replaceAll(".*:calls=(\\d+),.*", "$1")))
        .sum();
  }

  static void endConnections(RedisServer server) {
    server.command("CLIENT", "KILL", "TYPE", "normal");
  }
}
