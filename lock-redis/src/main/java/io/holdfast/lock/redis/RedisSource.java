/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redis;

import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.cluster.RedisClusterClient;
import java.util.List;
import java.util.Objects;

/**
 * A ready Lettuce client, and the servers to reach with it: for {@link
 * RedisLocks#using(RedisSource, String, io.holdfast.lock.ClientOptions)}. The client's threads and
 * options are used; it is neither changed nor closed. Immutable.
 */
public final class RedisSource {

  private static final int MOST_REPLICAS = 100;

  private final AbstractRedisClient client;
  private final List<RedisURI> uris;
  private final boolean cluster;
  private final int waitReplicas;

  private RedisSource(
      AbstractRedisClient client, List<RedisURI> uris, boolean cluster, int waitReplicas) {
    this.client = client;
    this.uris = uris;
    this.cluster = cluster;
    this.waitReplicas = waitReplicas;
  }

  /**
   * One server, or one behind sentinels.
   *
   * @param client open
   * @param uri the server, or its sentinels with the name of the master; copied
   * @return a source that waits for no replicas
   */
  public static RedisSource of(RedisClient client, RedisURI uri) {
    return new RedisSource(
        Objects.requireNonNull(client, "client"),
        List.of(Objects.requireNonNull(uri, "uri")),
        false,
        0);
  }

  /**
   * A Redis Cluster.
   *
   * @param client open
   * @param seeds some servers of the cluster, as given to the client; the others are found, and are
   *     reached with the credentials and the TLS settings of the first
   * @return a source that waits for no replicas
   * @throws IllegalArgumentException if there are no seeds
   */
  public static RedisSource of(RedisClusterClient client, List<RedisURI> seeds) {
    if (seeds.isEmpty()) {
      throw new IllegalArgumentException("seeds must name at least one server of the cluster");
    }
    return new RedisSource(Objects.requireNonNull(client, "client"), List.copyOf(seeds), true, 0);
  }

  /**
   * The same, where replicas confirm what is written, as the setting {@code wait-replicas}.
   *
   * @param count how many have to confirm a grant and each renewal before it counts, 0 to 100
   * @return another source
   * @throws IllegalArgumentException if the count is out of bounds
   */
  public RedisSource withWaitReplicas(int count) {
    if (count < 0 || count > MOST_REPLICAS) {
      throw new IllegalArgumentException(
          "count must be from 0 to " + MOST_REPLICAS + ", but is " + count);
    }
    return new RedisSource(client, uris, cluster, count);
  }

  AbstractRedisClient client() {
    return client;
  }

  List<RedisURI> uris() {
    return uris;
  }

  boolean isCluster() {
    return cluster;
  }

  int waitReplicas() {
    return waitReplicas;
  }
}
