/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redis;

import static io.holdfast.lock.redis.RedisHarness.BY_MESSAGE;
import static io.holdfast.lock.redis.RedisHarness.LONG;
import static io.holdfast.lock.redis.RedisHarness.until;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.Locks;
import io.holdfast.lock.ReleaseOutcome;
import io.holdfast.lock.Renewal;
import io.holdfast.lock.servers.RedisServer;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/** Uses locks as a user with some permissions, and checks that these are exactly enough. */
abstract class PrivilegedUse {

  static final String LOCKS = "locks";

  /** Renewed at once, so that a test need not wait for it. */
  static final LockOptions HELD = LONG.withRenewal(Renewal.every(Duration.ofMillis(100)));

  /** Commands that are sent at each connection, and done without where they are refused. */
  static final Set<String> DISPENSABLE = Set.of("info", "client|id");

  /** Two clients have two connections each, and one of them may make one anew. */
  static final int FEW_CONNECTIONS = 6;

  static LockClient client(
      RedisHarness scene, Map<String, String> settings, Privileges privileges) {
    Map<String, String> all = new HashMap<>(settings);
    all.putAll(privileges.credentials());
    all.put("command-timeout", "5s");
    return scene.closing(Locks.open(all));
  }

  static Map<String, String> direct(RedisServer server) {
    return Map.of("provider", "redis", "uri", "redis://" + server.host() + ":" + server.port());
  }

  static void handOver(RedisHarness scene, Map<String, String> settings, Privileges privileges)
      throws Exception {
    handOver(client(scene, settings, privileges), client(scene, settings, privileges), privileges);
  }

  /** A lock that is renewed, waited for, extended, handed over by message, and forgotten. */
  static void handOver(LockClient holder, LockClient waiter, Privileges privileges)
      throws Exception {
    Lease held = holder.lock("a", HELD).acquire();
    CompletableFuture<Lease> waiting = waiter.lock("a", BY_MESSAGE).acquireAsync();
    until("somebody waits", () -> !privileges.unused().contains("+subscribe"));
    until("its place is noted", () -> !privileges.unused().contains("+zadd"));
    until("a renewal", () -> !privileges.unused().contains("+pexpire"));
    held.extend(HELD.ttl().multipliedBy(2));
    until("a renewal with time in hand", () -> !privileges.unused().contains("+pexpireat"));
    assertTrue(held.isValid());
    assertEquals(ReleaseOutcome.RELEASED, held.release());
    Lease next = RedisHarness.get(waiting);
    assertTrue(next.fencingToken() > held.fencingToken());
    assertEquals(ReleaseOutcome.RELEASED, next.release());
  }

  static void assertExact(Privileges privileges, Set<String> mayBeRefused) {
    assertExactCommands(privileges, mayBeRefused);
    long made = privileges.connectionsMade();
    assertTrue(made <= FEW_CONNECTIONS, made + " connections");
  }

  static void assertExactCommands(Privileges privileges, Set<String> mayBeRefused) {
    until("all that is granted is used", () -> privileges.unused().isEmpty());
    Set<String> refused = privileges.refused();
    refused.removeAll(mayBeRefused);
    assertEquals(Set.of(), refused, "refused, though it is used");
  }
}
