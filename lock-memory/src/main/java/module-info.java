/** Locks in memory: for tests of the engine, and for the tests of applications that use locks. */
module io.holdfast.lock.memory {
  requires transitive io.holdfast.lock;
  requires static transitive org.jspecify;

  exports io.holdfast.lock.memory;

  provides io.holdfast.lock.spi.LockProvider with
      io.holdfast.lock.memory.MemoryLockProvider;
}
