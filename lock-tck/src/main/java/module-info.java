/**
 * The conformance kit: numbered rules that every backend is held to, with real faults, runs of many
 * processes under a schedule of faults, and a report.
 */
module io.holdfast.lock.tck {
  requires transitive io.holdfast.lock;
  requires transitive io.holdfast.lock.servers;
  requires java.sql;
  requires transitive org.junit.jupiter.api;
  requires java.logging;
  requires org.opentest4j;
  requires org.slf4j;
  requires static transitive org.jspecify;

  exports io.holdfast.lock.tck;
  exports io.holdfast.lock.tck.history;
  exports io.holdfast.lock.tck.nemesis;
  exports io.holdfast.lock.tck.report;
}
