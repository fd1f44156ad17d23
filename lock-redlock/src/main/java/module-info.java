/** Locks by a quorum of independent Redis servers. */
module io.holdfast.lock.redlock {
  requires transitive io.holdfast.lock;
  requires io.holdfast.lock.redis;
  requires lettuce.core;
  requires static transitive org.jspecify;

  exports io.holdfast.lock.redlock;

  provides io.holdfast.lock.spi.LockProvider with
      io.holdfast.lock.redlock.RedlockLockProvider;
}
