/** Locks on a Redis server or in a cluster, through Lettuce. */
@SuppressWarnings("module") // The module that is exported to is built after this one.
module io.holdfast.lock.redis {
  requires transitive io.holdfast.lock;
  requires transitive lettuce.core;
  requires org.slf4j;
  requires static transitive org.jspecify;

  exports io.holdfast.lock.redis;
  exports io.holdfast.lock.redis.client to
      io.holdfast.lock.redlock;
  exports io.holdfast.lock.redis.node to
      io.holdfast.lock.redlock;

  provides io.holdfast.lock.spi.LockProvider with
      io.holdfast.lock.redis.RedisLockProvider;
}
