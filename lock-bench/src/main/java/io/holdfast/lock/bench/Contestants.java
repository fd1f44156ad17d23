/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.bench;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The contestants on each backend: this project first, then the limit, then the others. */
final class Contestants {

  private Contestants() {}

  /** Those that have locks. */
  static List<Entry> of(String backend) {
    return switch (backend) {
      case "redis" ->
          List.of(
              HoldfastContestant.entry("redis", Redis::settings),
              Redis.limit(),
              Redis.redisson(),
              SpringRegistries.redis(),
              ShedLocks.redis());
      case "redlock" ->
          List.of(
              HoldfastContestant.entry("redlock", Redis::quorumSettings),
              Redis.quorumLimit(),
              Redis.redissonMultiLock());
      case "zookeeper" ->
          List.of(
              HoldfastContestant.entry("zookeeper", ZooKeepers::settings),
              ZooKeepers.limit(),
              ZooKeepers.mutex(),
              ZooKeepers.semaphoreMutex(),
              SpringRegistries.zookeeper());
      case "etcd" ->
          List.of(HoldfastContestant.entry("etcd", Etcd::settings), Etcd.limit(), Etcd.jetcd());
      case "postgres-advisory" ->
          List.of(
              HoldfastContestant.postgres(backend),
              Postgres.advisoryLimit(),
              Postgres.handWritten());
      case "postgres-table" ->
          List.of(
              HoldfastContestant.postgres(backend),
              Postgres.tableLimit(),
              SpringRegistries.jdbc(),
              ShedLocks.jdbc());
      case "postgres-row" -> List.of(HoldfastContestant.postgres(backend), Postgres.rowLimit());
      case BenchServers.MEMORY -> List.of();
      default ->
          throw new IllegalArgumentException(
              "There is no backend " + backend + " among " + BenchServers.BACKENDS);
    };
  }

  /** Also those that have nothing but read-write locks or semaphores. */
  static List<Entry> all(String backend) {
    return Stream.concat(of(backend).stream(), sharing(backend).stream()).toList();
  }

  private static List<Entry> sharing(String backend) {
    return switch (backend) {
      case "redis" -> List.of(Redis.redissonReadWriteLock(), Redis.redissonSemaphore());
      case "zookeeper" -> List.of(ZooKeepers.readWriteLock(), ZooKeepers.semaphore());
      default -> List.of();
    };
  }

  /** Has no server, and nobody to be measured beside. */
  static Entry memory() {
    return HoldfastContestant.entry(BenchServers.MEMORY, address -> Map.of());
  }

  static Entry find(String backend, String name) {
    return all(backend).stream()
        .filter(entry -> entry.name().equals(name))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("No " + name + " on " + backend));
  }
}
