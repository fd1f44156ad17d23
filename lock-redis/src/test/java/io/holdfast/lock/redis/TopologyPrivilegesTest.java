/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHolder;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** {@link RedisPrivilegesTest} on several servers: Sentinel with replicas, and a Cluster. */
class TopologyPrivilegesTest extends PrivilegedUse {

  @Test
  void sentinelsAndReplicas() throws Exception {
    try (SentinelTrio trio = new SentinelTrio();
        RedisHarness scene = new RedisHarness()) {
      Privileges privileges =
          Privileges.of(List.of(trio.primary), LOCKS, "Sentinel", "`wait-replicas`");
      Map<String, String> settings = new HashMap<>(trio.settings());
      settings.put("wait-replicas", "1");
      handOver(scene, settings, privileges);
      assertExactCommands(privileges, DISPENSABLE);
    }
  }

  @Test
  void aCluster() throws Exception {
    try (ClusterHarness cluster = new ClusterHarness();
        RedisHarness scene = new RedisHarness()) {
      Privileges privileges = Privileges.of(cluster.primaries, LOCKS, "a Cluster");
      Map<String, String> settings = cluster.settings();
      handOver(scene, settings, privileges);
      assertExactCommands(privileges, DISPENSABLE);
    }
  }

  @Test
  void theListOfLocksOfACluster() throws Exception {
    try (ClusterHarness cluster = new ClusterHarness();
        RedisHarness scene = new RedisHarness()) {
      Privileges privileges =
          Privileges.of(cluster.primaries, LOCKS, "a Cluster", "the list of locks");
      LockClient client = client(scene, cluster.settings(), privileges);
      Set<String> names = new HashSet<>();
      for (int node = 0; node < cluster.primaries.size(); node++) {
        String name = ClusterHarness.nameAt(node);
        names.add(name);
        client.lock(name, HELD).acquire();
      }
      assertEquals(
          names,
          client.inspector().held(10).stream()
              .map(LockHolder::lockName)
              .collect(Collectors.toSet()));
      handOver(scene, cluster.settings(), privileges);
      assertExactCommands(privileges, DISPENSABLE);
    }
  }
}
