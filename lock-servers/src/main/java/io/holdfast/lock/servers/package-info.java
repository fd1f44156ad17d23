/**
 * Real servers to lock on, child JVMs to kill, and links to break. Everything listens on the
 * loopback interface, on ports of its own, and ends with the JVM that started it, however that
 * ends.
 */
@NullMarked
package io.holdfast.lock.servers;

import org.jspecify.annotations.NullMarked;
