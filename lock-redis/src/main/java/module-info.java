/** Locks on one Redis server, through Lettuce. */
module io.holdfast.lock.redis {
  requires transitive io.holdfast.lock;
  requires transitive lettuce.core;
  requires org.slf4j;
  requires static transitive org.jspecify;

  exports io.holdfast.lock.redis;

  provides io.holdfast.lock.spi.LockProvider with
      io.holdfast.lock.redis.RedisLockProvider;
}
