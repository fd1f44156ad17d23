/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redis;

import io.holdfast.lock.TimeSource;
import io.holdfast.lock.redis.client.AsyncRedisClient;
import io.holdfast.lock.redis.client.OpeningSteps;
import io.holdfast.lock.redis.client.RedisConfig;
import io.holdfast.lock.redis.topology.Cluster;
import io.holdfast.lock.redis.topology.RedisServers;
import io.holdfast.lock.redis.topology.SingleServer;
import io.holdfast.lock.spi.Settings;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * Servers that were reached and checked, with the connections, the threads and the clock for them.
 */
final class OpenServers implements AutoCloseable {

  final RedisConfig config;
  final RedisServers servers;
  private final RedisClient client;
  private final TimeSource time;

  private OpenServers(
      RedisConfig config, RedisServers servers, RedisClient client, TimeSource time) {
    this.config = config;
    this.servers = servers;
    this.client = client;
    this.time = time;
  }

  /**
   * Connects as settings say.
   *
   * @param settings all of them
   * @param trial fails if the servers are of no use for what they are meant for
   */
  static OpenServers open(Settings settings, Function<OpenServers, CompletableFuture<?>> trial) {
    boolean cluster = RedisConfig.isCluster(settings);
    List<RedisConfig> configs = RedisConfig.from(settings);
    settings.finish();
    RedisClient client = AsyncRedisClient.create();
    return open(configs, cluster, client, trial);
  }

  private static OpenServers open(
      List<RedisConfig> configs,
      boolean cluster,
      RedisClient client,
      Function<OpenServers, CompletableFuture<?>> trial) {
    TimeSource time = TimeSource.host();
    RedisServers servers =
        cluster
            ? new Cluster(configs, client, time)
            : new SingleServer(configs.get(0), client, time);
    return new OpenServers(configs.get(0), servers, client, time).begin(trial);
  }

  /**
   * Connects with the threads and the options of somebody's client, which is neither changed nor
   * closed.
   *
   * @param source somebody's client, and the servers
   * @param namespace to be checked
   * @param trial fails if the servers are of no use for what they are meant for
   */
  static OpenServers using(
      RedisSource source, String namespace, Function<OpenServers, CompletableFuture<?>> trial) {
    String checked = new Settings("redis", Map.of("namespace", namespace)).namespace();
    // Those of a cluster's client are more than one server needs.
    ClientOptions options = ClientOptions.copyOf(source.client().getOptions());
    List<RedisConfig> configs =
        source.uris().stream()
            .map(uri -> RedisConfig.of(checked, uri, options).withReplicas(source.waitReplicas()))
            .toList();
    RedisClient client = AsyncRedisClient.create(source.client().getResources());
    return open(configs, source.isCluster(), client, trial);
  }

  private OpenServers begin(Function<OpenServers, CompletableFuture<?>> trial) {
    client.setOptions(config.options());
    String operation = "Opening Redis at " + config.where();
    Duration connect = config.connectTimeout().multipliedBy(2);
    Duration commands = config.commandTimeout().multipliedBy(4);
    Duration limit = connect.compareTo(commands) > 0 ? connect : commands;
    try {
      servers.open(operation, limit);
      OpeningSteps.await(operation, trial.apply(this), limit);
      return this;
    } catch (RuntimeException e) {
      close();
      throw e;
    }
  }

  @Override
  public void close() {
    servers.close();
    try {
      OpeningSteps.shutDown(client);
    } finally {
      time.close();
    }
  }
}
