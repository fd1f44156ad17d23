/** Spring Integration's lock registry over any client. */
module io.holdfast.lock.spring.integration {
  requires transitive io.holdfast.lock;
  requires transitive spring.integration.core;
  requires static transitive org.jspecify;

  exports io.holdfast.lock.spring.integration;
}
