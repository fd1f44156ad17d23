/**
 * The reference backend: a lock server in memory, with a clock that can be driven by hand and
 * faults that can be scripted. For tests; it excludes nobody outside this JVM.
 */
@NullMarked
package io.holdfast.lock.memory;

import org.jspecify.annotations.NullMarked;
