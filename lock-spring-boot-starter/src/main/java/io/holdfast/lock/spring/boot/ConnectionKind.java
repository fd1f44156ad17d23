/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.spring.boot;

import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.springframework.util.ClassUtils;

/** A kind of bean that locks can be had over. */
@SuppressWarnings("ImmutableEnumChecker") // A list that nobody can change, and no state.
enum ConnectionKind {
  /** Spring Data Redis with Lettuce. */
  REDIS(
      "org.springframework.data.redis.connection.RedisConnectionFactory",
      "uri",
      List.of("redis"),
      () -> new RedisConnection()),
  /** A pool of connections to PostgreSQL. The first provider is what is taken if none is named. */
  POSTGRES(
      "javax.sql.DataSource",
      "url",
      List.of("postgres-advisory", "postgres-table", "postgres-row"),
      () -> new PostgresConnection()),
  /** Curator. */
  ZOOKEEPER(
      "org.apache.curator.framework.CuratorFramework",
      "connect",
      List.of("zookeeper"),
      () -> new ZooKeeperConnection()),
  /** A channel of gRPC to etcd. */
  ETCD("io.grpc.Channel", "endpoints", List.of("etcd"), () -> new EtcdConnection()),
  /** For tests: has no address, so that it is always the bean, if there is one. */
  MEMORY(
      "io.holdfast.lock.memory.MemoryServer", "", List.of("memory"), () -> new MemoryConnection());

  private final String type;
  private final String address;
  private final List<String> providers;

  private final Supplier<ReadyConnection> connection;

  ConnectionKind(
      String type, String address, List<String> providers, Supplier<ReadyConnection> connection) {
    this.type = type;
    this.address = address;
    this.providers = List.copyOf(providers);
    this.connection = connection;
  }

  static Optional<ConnectionKind> of(String provider) {
    return List.of(values()).stream().filter(kind -> kind.providers.contains(provider)).findFirst();
  }

  /** The type of the beans, if it is on the class path. */
  Optional<Class<?>> type(ClassLoader loader) {
    return ClassUtils.isPresent(type, loader)
        ? Optional.of(ClassUtils.resolveClassName(type, loader))
        : Optional.empty();
  }

  /** The setting that says where the server is. With it, no bean is needed. */
  String address() {
    return address;
  }

  List<String> providers() {
    return providers;
  }

  ReadyConnection connection() {
    return connection.get();
  }
}
