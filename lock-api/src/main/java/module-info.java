/**
 * Holdfast: one backend-neutral API for distributed locks, the engine behind it, and the interface
 * that a backend implements.
 */
module io.holdfast.lock {
  requires org.slf4j;
  requires static transitive java.sql;
  requires static jdk.jfr;
  requires static transitive org.jspecify;

  exports io.holdfast.lock;
  exports io.holdfast.lock.config;
  exports io.holdfast.lock.guard;
  exports io.holdfast.lock.health;
  exports io.holdfast.lock.limit;
  exports io.holdfast.lock.spi;
  exports io.holdfast.lock.spi.support;
  exports io.holdfast.lock.text;

  uses io.holdfast.lock.spi.LockProvider;
}
