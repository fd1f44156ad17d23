/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.project.leader;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHolder;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.Locks;
import io.holdfast.lock.servers.ChildJvm;
import io.holdfast.lock.servers.Conditions;
import io.holdfast.lock.servers.EtcdServer;
import io.holdfast.lock.servers.RedisServer;
import io.holdfast.lock.servers.Server;
import io.holdfast.lock.servers.ZooKeeperServer;
import io.holdfast.lock.worker.LeaderElection;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Candidates in processes of their own, which are killed and suspended while they lead. */
class ElectionTest {

  static final String NAME = "boss";
  static final Duration TTL = Duration.ofSeconds(4);

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @Test
  void onRedis() {
    try (Server server = RedisServer.launch()) {
      aLeaderIsFollowedByAnother(
          Map.of("provider", "redis", "uri", "redis://localhost:" + server.port()));
    }
  }

  @Test
  void onEtcd() {
    try (Server server = EtcdServer.launch()) {
      aLeaderIsFollowedByAnother(
          Map.of("provider", "etcd", "endpoints", "http://localhost:" + server.port()));
    }
  }

  @Test
  void onZooKeeper() {
    try (Server server = ZooKeeperServer.launch(Duration.ofMillis(500))) {
      aLeaderIsFollowedByAnother(
          Map.of(
              "provider",
              "zookeeper",
              "connect",
              "localhost:" + server.port(),
              "session-timeout",
              TTL.toMillis() + "ms"));
    }
  }

  private static void aLeaderIsFollowedByAnother(Map<String, String> server) {
    Map<String, String> settings = new HashMap<>(server);
    settings.put("connect-timeout", "30s");
    try (LockClient observer = Locks.open(settings);
        ChildJvm ann = stand("ann", settings)) {
      long first = awaitElected(ann);
      awaitLeader("ann", observer);
      try (ChildJvm bob = stand("bob", settings)) {
        ann.kill();
        long second = awaitElected(bob);
        awaitLeader("bob", observer);
        bob.suspend();
        try (ChildJvm eve = stand("eve", settings)) {
          long third = awaitElected(eve);
          awaitLeader("eve", observer);
          bob.send(Candidate.LOOK);
          bob.resume();
          assertEquals("leads: false", awaitLine(bob, "leads: "));
          eve.send(Candidate.RESIGN);
          assertEquals("stopped RESIGNED", awaitLine(eve, "stopped "));
          // She stands again, and may be quicker than who has just come back.
          eve.kill();
          long fourth = awaitElected(bob);
          awaitLeader("bob", observer);
          assertTrue(first < second && second < third && third < fourth);
        }
      }
    }
  }

  private static ChildJvm stand(String name, Map<String, String> settings) {
    Map<String, String> own = new HashMap<>(settings);
    own.put("client-name", name);
    return ChildJvm.start(
        Candidate.class,
        own.entrySet().stream()
            .map(entry -> entry.getKey() + "=" + entry.getValue())
            .toArray(String[]::new));
  }

  private static String awaitLine(ChildJvm child, String begin) {
    return child.awaitLine(line -> line.startsWith(begin), PATIENCE);
  }

  private static long awaitElected(ChildJvm child) {
    return Long.parseLong(awaitLine(child, "elected ").substring("elected ".length()));
  }

  private static void awaitLeader(String name, LockClient observer) {
    Conditions.until(name + " leads", PATIENCE, () -> Optional.of(name).equals(leader(observer)));
  }

  /** Empty also if the server has not answered in time. */
  private static Optional<String> leader(LockClient observer) {
    try {
      return LeaderElection.leader(observer, NAME).flatMap(LockHolder::clientName);
    } catch (LockUnavailableException e) {
      return Optional.empty();
    }
  }
}
