/** Meters and observations of locks for Micrometer. */
module io.holdfast.lock.micrometer {
  requires transitive io.holdfast.lock;
  requires transitive micrometer.core;
  requires transitive micrometer.observation;
  requires micrometer.commons;
  requires static transitive org.jspecify;
  requires org.slf4j;

  exports io.holdfast.lock.micrometer;
}
