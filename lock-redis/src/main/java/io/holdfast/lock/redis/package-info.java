/**
 * Locks on a Redis server, also behind Sentinel, or in a cluster: a key with a TTL for each lock,
 * Lua scripts, and pub/sub to wake those who wait. See {@link io.holdfast.lock.redis.RedisLocks}
 * for use with a ready client.
 */
@NullMarked
package io.holdfast.lock.redis;

import org.jspecify.annotations.NullMarked;
