/**
 * Real servers, child JVMs and breakable links, for tests and demonstrations.
 *
 * <p>ZooKeeper's server is started from the class path of the process, and containers need
 * Testcontainers; both are optional.
 */
module io.holdfast.lock.servers {
  requires org.slf4j;
  requires static com.github.dockerjava.api;
  requires static testcontainers;
  requires static transitive org.jspecify;

  exports io.holdfast.lock.servers;
}
