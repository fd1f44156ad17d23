/** ShedLock's lock provider over any client. */
module io.holdfast.lock.shedlock {
  requires transitive io.holdfast.lock;
  requires transitive net.javacrumbs.shedlock.core;
  requires static transitive org.jspecify;
  requires org.slf4j;

  exports io.holdfast.lock.shedlock;
}
