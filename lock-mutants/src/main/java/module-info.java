/**
 * Tests the conformance kit, and the tests of a backend: makes faulty variants of sources, and
 * expects each to be caught.
 */
module io.holdfast.lock.mutants {
  requires transitive io.holdfast.lock.tck;
  requires java.compiler;
  requires org.junit.platform.engine;
  requires org.junit.platform.launcher;
  requires org.opentest4j;
  requires static transitive org.jspecify;

  exports io.holdfast.lock.mutants;
}
