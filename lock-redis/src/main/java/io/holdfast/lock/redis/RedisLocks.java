/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redis;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.Locks;
import io.holdfast.lock.redis.node.Opening;
import io.holdfast.lock.redis.node.RedisConfig;
import io.holdfast.lock.spi.Settings;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import java.util.Map;
import java.util.Objects;

/** Lock clients on a ready Lettuce client. */
public final class RedisLocks {

  private RedisLocks() {}

  /**
   * Opens a lock client that shares the threads and the options of a Lettuce client, and has two
   * connections of its own. The given client is neither changed nor closed. Its options are copied,
   * but reconnection, buffering and time-outs are made safe for locks in the copy.
   *
   * @param client open; to be closed by the caller after the lock client
   * @param uri the server, or its sentinels
   * @return an open client in the default namespace, to be closed by the caller
   * @throws io.holdfast.lock.LockException as {@link Locks#open(String, Map)}
   */
  public static LockClient using(RedisClient client, RedisURI uri) {
    return using(client, uri, Settings.DEFAULT_NAMESPACE, ClientOptions.defaults());
  }

  /**
   * As {@link #using(RedisClient, RedisURI)}, in a namespace.
   *
   * @param client open; to be closed by the caller after the lock client
   * @param uri the server, or its sentinels
   * @param namespace where the locks live
   * @param options what the lock client takes from its surroundings
   * @return an open client, to be closed by the caller
   * @throws io.holdfast.lock.LockException as {@link Locks#open(String, Map)}
   */
  public static LockClient using(
      RedisClient client, RedisURI uri, String namespace, ClientOptions options) {
    Objects.requireNonNull(options, "options");
    String checked = new Settings("redis", Map.of("namespace", namespace)).namespace();
    RedisConfig config = RedisConfig.of(checked, uri, client.getOptions());
    RedisClient own = RedisClient.create(client.getResources());
    return Locks.using(RedisBackend.open(config, own, () -> Opening.shutDown(own)), options);
  }
}
