/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.bench;

import java.util.List;
import java.util.Map;

/** Who is measured on which backend: this project first, then the limit, then the others. */
final class Contestants {

  private Contestants() {}

  static List<Entry> of(String backend) {
    return switch (backend) {
      case "redis" ->
          List.of(
              Ours.entry("redis", Redis::settings),
              Redis.limit(),
              Redis.redisson(),
              SpringRegistries.redis(),
              ShedLocks.redis());
      case "redlock" ->
          List.of(
              Ours.entry("redlock", Redis::quorumSettings),
              Redis.quorumLimit(),
              Redis.redissonMultiLock());
      case "zookeeper" ->
          List.of(
              Ours.entry("zookeeper", ZooKeepers::settings),
              ZooKeepers.limit(),
              ZooKeepers.mutex(),
              ZooKeepers.semaphoreMutex(),
              SpringRegistries.zookeeper());
      case "etcd" -> List.of(Ours.entry("etcd", Etcd::settings), Etcd.limit(), Etcd.jetcd());
      case "postgres-advisory" ->
          List.of(Ours.postgres(backend), Postgres.advisoryLimit(), Postgres.handWritten());
      case "postgres-table" ->
          List.of(
              Ours.postgres(backend),
              Postgres.tableLimit(),
              SpringRegistries.jdbc(),
              ShedLocks.jdbc());
      case "postgres-row" -> List.of(Ours.postgres(backend), Postgres.rowLimit());
      case Arena.MEMORY -> List.of();
      default ->
          throw new IllegalArgumentException(
              "There is no backend " + backend + " among " + Arena.BACKENDS);
    };
  }

  /** Has no server, and nobody to be measured beside. */
  static Entry memory() {
    return Ours.entry(Arena.MEMORY, address -> Map.of());
  }

  static Entry find(String backend, String name) {
    return of(backend).stream()
        .filter(entry -> entry.name().equals(name))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("No " + name + " on " + backend));
  }
}
