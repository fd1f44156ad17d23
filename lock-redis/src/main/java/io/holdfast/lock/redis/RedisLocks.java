/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redis;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.Locks;
import io.holdfast.lock.limit.RateLimit;
import io.holdfast.lock.limit.RateLimiter;
import io.holdfast.lock.limit.RateLimiters;
import io.holdfast.lock.spi.ClientLibrary;
import io.holdfast.lock.spi.Settings;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import java.util.Map;
import java.util.Objects;

/** Lock clients and rate limiters on a ready Lettuce client. */
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
    return using(RedisSource.of(client, uri), namespace, options);
  }

  /**
   * As {@link #using(RedisClient, RedisURI)}, also in a cluster, and with replicas that confirm.
   * There are two connections to each server that has slots.
   *
   * @param source the Lettuce client, to be closed by the caller after the lock client, and the
   *     servers
   * @param namespace where the locks live
   * @param options what the lock client takes from its surroundings
   * @return an open client, to be closed by the caller
   * @throws io.holdfast.lock.LockException as {@link Locks#open(String, Map)}
   */
  public static LockClient using(RedisSource source, String namespace, ClientOptions options) {
    Objects.requireNonNull(options, "options");
    return Locks.using(
        ClientLibrary.opening(
            new RedisLockProvider(),
            () -> new RedisBackend(OpenServers.using(source, namespace, RedisBackend::trial))),
        options);
  }

  /**
   * Opens a limiter beside the locks, on the same terms as {@link #using(RedisClient, RedisURI)};
   * it has one connection of its own.
   *
   * @param client open; to be closed by the caller after the limiter
   * @param uri the server, or its sentinels
   * @param limit the terms
   * @return an open limiter in the default namespace, to be closed by the caller
   * @throws io.holdfast.lock.LockException as {@link Locks#open(String, Map)}
   */
  public static RateLimiter limiter(RedisClient client, RedisURI uri, RateLimit limit) {
    return limiter(client, uri, Settings.DEFAULT_NAMESPACE, limit, ClientOptions.defaults());
  }

  /**
   * As {@link #limiter(RedisClient, RedisURI, RateLimit)}, in a namespace.
   *
   * @param client open; to be closed by the caller after the limiter
   * @param uri the server, or its sentinels
   * @param namespace where the permits are counted
   * @param limit the terms
   * @param options of which the callback executor and the clock count
   * @return an open limiter, to be closed by the caller
   * @throws io.holdfast.lock.LockException as {@link Locks#open(String, Map)}
   */
  public static RateLimiter limiter(
      RedisClient client, RedisURI uri, String namespace, RateLimit limit, ClientOptions options) {
    return limiter(RedisSource.of(client, uri), namespace, limit, options);
  }

  /**
   * As {@link #limiter(RedisClient, RedisURI, RateLimit)}, also in a cluster, and with replicas
   * that confirm.
   *
   * @param source the Lettuce client, to be closed by the caller after the limiter, and the servers
   * @param namespace where the permits are counted
   * @param limit the terms
   * @param options of which the callback executor and the clock count
   * @return an open limiter, to be closed by the caller
   * @throws io.holdfast.lock.LockException as {@link Locks#open(String, Map)}
   */
  public static RateLimiter limiter(
      RedisSource source, String namespace, RateLimit limit, ClientOptions options) {
    Objects.requireNonNull(limit, "limit");
    Objects.requireNonNull(options, "options");
    return RateLimiters.using(
        ClientLibrary.opening(
            new RedisLockProvider(),
            () -> new RedisLimiter(OpenServers.using(source, namespace, RedisLimiter::trial))),
        limit,
        options);
  }
}
