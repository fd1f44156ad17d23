/** Work that goes on for as long as a lock is held. */
module io.holdfast.lock.worker {
  requires transitive io.holdfast.lock;
  requires static transitive org.jspecify;
  requires org.slf4j;

  exports io.holdfast.lock.worker;
}
