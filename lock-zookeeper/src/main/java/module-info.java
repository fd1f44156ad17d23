/**
 * Locks on ZooKeeper, through Curator.
 *
 * <p>ZooKeeper's two jars share packages, so they can be no modules: on the module path, run this
 * module with {@code --add-reads io.holdfast.lock.zookeeper=ALL-UNNAMED}, and leave ZooKeeper and
 * Curator on the class path.
 */
module io.holdfast.lock.zookeeper {
  requires transitive io.holdfast.lock;
  requires org.slf4j;

  exports io.holdfast.lock.zookeeper;

  provides io.holdfast.lock.spi.LockProvider with
      io.holdfast.lock.zookeeper.ZooKeeperLockProvider;
}
