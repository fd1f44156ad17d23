/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.spring.integration;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHolder;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.Locks;
import io.holdfast.lock.servers.Conditions;
import io.holdfast.lock.servers.RedisServer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.integration.leader.Context;
import org.springframework.integration.leader.DefaultCandidate;
import org.springframework.integration.support.leader.LockRegistryLeaderInitiator;

/** Spring Integration's leaders, elected with our registry; each has a client of its own. */
class LeaderInitiatorTest {

  private static final String ROLE = "scheduler";
  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final Duration TTL = Duration.ofSeconds(8);
  private static final Duration HEART_BEAT = Duration.ofMillis(50);

  private final RedisServer server = RedisServer.launch();
  private Candidate one;
  private Candidate two;

  @BeforeEach
  void start() {
    one = new Candidate(open(), "one");
    two = new Candidate(open(), "two");
    one.initiator.start();
    Conditions.until("one leads", PATIENCE, one::leads);
    two.initiator.start();
  }

  @AfterEach
  void stop() throws Exception {
    one.close();
    two.close();
    server.close();
  }

  private LockClient open() {
    return Locks.open(
        "redis",
        Map.of("uri", "redis://" + server.host() + ":" + server.port(), "command-timeout", "5s"));
  }

  @Test
  void oneLeadsAndIsFollowedWhenItStops() {
    Conditions.stays("two waits", HEART_BEAT.multipliedBy(5), () -> one.leads() && !two.leads());
    one.initiator.stop();
    Conditions.until("two leads", PATIENCE, two::leads);
    Conditions.until("one has been told", PATIENCE, () -> one.events.contains("revoked"));
    assertTrue(two.token() > one.token(), "the second leader has the greater token");
  }

  @Test
  void aLeaderThatYieldsIsToldAndStandsAgain() {
    one.initiator.getContext().yield();
    Conditions.until("one has been told", PATIENCE, () -> one.events.contains("revoked"));
    Conditions.until("somebody leads", PATIENCE, () -> one.leads() != two.leads());
  }

  /** Also if the lock was taken away from it at the server. */
  @Test
  void aLeaderThatLosesTheLockIsRevoked() {
    LockHolder leader = one.client.inspector().holder(ROLE).orElseThrow();
    assertTrue(two.client.inspector().evict(leader));
    Conditions.until("two leads", PATIENCE, two::leads);
    Conditions.until(
        "one is revoked", PATIENCE, () -> !one.leads() && one.events.contains("revoked"));
    assertEquals(List.of("granted", "revoked"), one.events.subList(0, 2));
    Conditions.stays("two leads on", HEART_BEAT.multipliedBy(5), () -> two.leads());
    two.initiator.stop();
    Conditions.until("one stands again", PATIENCE, one::leads);
  }

  private static final class Candidate extends DefaultCandidate {

    final LockClient client;
    final List<String> events = new CopyOnWriteArrayList<>();
    final LockRegistryLeaderInitiator initiator;
    private final HoldfastLockRegistry registry;
    private final List<Long> tokens = new CopyOnWriteArrayList<>();

    Candidate(LockClient client, String id) {
      super(id, ROLE);
      this.client = client;
      this.registry = new HoldfastLockRegistry(client, LockOptions.defaults().withTtl(TTL));
      this.initiator = new LockRegistryLeaderInitiator(registry, this);
      initiator.setHeartBeatMillis(HEART_BEAT.toMillis());
    }

    /** Whether it leads, and has been told so. */
    boolean leads() {
      return initiator.getContext().isLeader() && !tokens.isEmpty();
    }

    long token() {
      return tokens.get(0);
    }

    @Override
    public void onGranted(Context context) {
      tokens.add(registry.obtain(ROLE).lease().orElseThrow().fencingToken());
      events.add("granted");
    }

    @Override
    public void onRevoked(Context context) {
      events.add("revoked");
    }

    void close() throws Exception {
      initiator.destroy();
      client.close();
    }
  }
}
